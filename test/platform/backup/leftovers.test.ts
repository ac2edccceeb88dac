import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeTemporary, removeLeftovers } from '../../../src/platform/backup/leftovers.ts';

const leftovers = path.resolve('src/platform/backup/leftovers.ts');
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-left-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** Runs code in another process with this temporary folder, inside the wrapper if given. */
function runOther(code: string, wrapper: readonly string[] = []) {
  const own = `const { makeTemporary, removeLeftovers } = await import('${leftovers}');\n${code}`;
  const [file = '', ...args] = [...wrapper, process.execPath, '--input-type=module', '-e', own];
  return spawnSync(file, args, { encoding: 'utf8' });
}

test('removes the folder of a killed process, and its lock', async () => {
  const killed = runOther(`await makeTemporary('drill'); process.kill(process.pid, 'SIGKILL');`);
  expect(killed.signal).toBe('SIGKILL');
  expect(await readdir(folder)).toHaveLength(2);
  await removeLeftovers();
  expect(await readdir(folder)).toEqual([]);
});

const inNamespace = ['unshare', '-Urpf', '--kill-child'];
const canUnshare = spawnSync('unshare', [...inNamespace.slice(1), 'true']).status === 0;
test.skipIf(!canUnshare)(
  'leaves our folders if it runs in a container that cannot see our pid',
  async () => {
    const drill = await makeTemporary('drill');
    const before = await readdir(folder);
    const removed = runOther('await removeLeftovers();', inNamespace);
    expect(removed).toMatchObject({ status: 0, stderr: '' });
    expect(await readdir(folder)).toEqual(before);
    await drill.remove();
    expect(await readdir(folder)).toEqual([]);
  },
);

/** Runs a process in a folder, which names it as its server. */
async function serveIn(data: string) {
  await mkdir(data, { recursive: true });
  const server = spawn('sleep', ['600'], { cwd: data });
  const ended = once(server, 'exit');
  await once(server, 'spawn');
  await writeFile(path.join(data, 'postmaster.pid'), `${server.pid}\n`);
  return {
    /** Returns the signal that ended it, SIGTERM by default. */
    async end() {
      server.kill('SIGTERM');
      return (await ended)[1];
    },
  };
}

test('stops no server that a link in a left folder leads to', async () => {
  const live = path.join(folder, 'live');
  const server = await serveIn(live);
  await mkdir(path.join(folder, 'recaudo-drill-00000000'));
  await symlink(live, path.join(folder, 'recaudo-drill-00000000', 'postgres.restoring'));
  await mkdir(path.join(folder, 'hidden'));
  await symlink(live, path.join(folder, 'hidden', 'postgres.restoring'));
  await symlink(path.join(folder, 'hidden'), path.join(folder, 'recaudo-drill-00000001'));
  await removeLeftovers();
  expect(await server.end()).toBe('SIGTERM');
  expect(await readdir(live)).toEqual(['postmaster.pid']);
});

test.skipIf(process.geteuid?.() !== 0)('leaves another user’s folder, and its server', async () => {
  const theirs = path.join(folder, 'recaudo-drill-00000000');
  const server = await serveIn(path.join(theirs, 'postgres.restoring'));
  await chown(theirs, 4_321, 4_321);
  await removeLeftovers();
  expect(await server.end()).toBe('SIGTERM');
  expect(await readdir(theirs)).toEqual(['postgres.restoring']);
});

test('accepts a missing temporary folder in the cleanup, but refuses to make a folder in it', async () => {
  vi.stubEnv('TMPDIR', path.join(folder, 'missing'));
  await expect(removeLeftovers()).resolves.toBeUndefined();
  await expect(makeTemporary('drill')).rejects.toMatchObject({ syscall: 'listen' });
});

test('leaves room for the path of a socket in a temporary folder of 70 characters', async () => {
  const { folder: own, remove } = await makeTemporary('start');
  const socket = path.join('x'.repeat(70), path.basename(own), '.s.PGSQL.5432');
  expect(socket.length).toBeLessThanOrEqual(107);
  await remove();
});
