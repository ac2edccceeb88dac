import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeLinks } from '../../../src/platform/embedded/binaries.ts';
import {
  type Embedded,
  type EmbeddedOptions,
  openEmbedded,
} from '../../../src/platform/embedded/embedded.ts';
import { holdFileLock } from '../../../src/platform/embedded/file-lock.ts';
import { connect } from '../../../src/platform/postgres/connect.ts';
import { killServer, serverPid, startChild, temporaryDirectory } from './embedded-tools.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let dataDir: string;
let messages: string[];

beforeEach(async () => {
  directory = await temporaryDirectory();
  dataDir = path.join(directory.path, 'data');
  messages = [];
});
afterEach(() => directory.remove());

// These tests do not need durability, and creating a database is faster without it.
const quick = { fsync: 'off' };

const open = (options: Partial<EmbeddedOptions> = {}): Promise<Embedded> =>
  openEmbedded({
    dataDir,
    log: (message) => messages.push(message),
    extraSettings: quick,
    ...options,
  });

async function answers(url: string): Promise<void> {
  const sql = connect(url, { max: 1, applicationName: 'test' });
  expect(await sql`select 1 as one`).toHaveLength(1);
  await sql.end();
}

test('removes a stale postmaster.pid whose process number was reused', async () => {
  await (await open()).close();
  const stranger = spawn('sleep', ['60']);
  const pidFile = path.join(dataDir, 'postgres', 'postmaster.pid');
  const lines = [
    stranger.pid,
    path.join(dataDir, 'postgres'),
    1,
    5432,
    '',
    '127.0.0.1',
    '',
    'ready',
  ];
  await writeFile(pidFile, `${lines.join('\n')}\n`);
  const embedded = await open();
  await answers(embedded.url);
  expect(messages.join()).toContain(`process ${stranger.pid} is not the database server`);
  expect(stranger.exitCode).toBeNull();
  stranger.kill();
  await embedded.close();
});

test.each(['', '999999999\n'])('ignores a postmaster.pid without a process (%j)', async (text) => {
  await (await open()).close();
  await writeFile(path.join(dataDir, 'postgres', 'postmaster.pid'), text);
  const embedded = await open();
  await answers(embedded.url);
  await embedded.close();
});

test('restarts a server of which only the main process was killed', async () => {
  const embedded = await open();
  const pid = serverPid(dataDir);
  process.kill(pid ?? 0, 'SIGKILL');
  const again = await open();
  expect(serverPid(dataDir)).not.toBe(pid);
  await answers(again.url);
  await embedded.close();
  await again.close();
  expect(serverPid(dataDir)).toBeNull();
});

test('closes without error after the server died', async () => {
  const embedded = await open();
  killServer(serverPid(dataDir) ?? 0);
  await embedded.close();
});

test('leaves an occupied port alone and takes another', async () => {
  const occupier = createServer();
  await new Promise<void>((listening) => occupier.listen(0, '127.0.0.1', listening));
  const address = occupier.address();
  const taken = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const free = createServer();
  await new Promise<void>((listening) => free.listen(0, '127.0.0.1', listening));
  const freeAddress = free.address();
  const other = typeof freeAddress === 'object' ? (freeAddress?.port ?? 0) : 0;
  await new Promise((closed) => free.close(closed));
  const ports = [taken, taken, other];
  const embedded = await open({ choosePort: async () => ports.shift() ?? 0 });
  expect(new URL(embedded.url).port).toBe(String(other));
  expect(ports).toEqual([]);
  await embedded.close();
  await new Promise((closed) => occupier.close(closed));
});

test('recovers from the leftovers of a creation that was killed', async () => {
  await mkdir(path.join(dataDir, 'postgres.new', 'cluster', 'base'), { recursive: true });
  await writeFile(path.join(dataDir, 'postgres.new', 'cluster', 'PG_VERSION'), '18\n');
  const embedded = await open();
  await answers(embedded.url);
  await embedded.close();
});

test('creates the role and database that a killed start did not create', async () => {
  const embedded = await open();
  const admin = connect(embedded.superuserUrl, { max: 1, applicationName: 'test' });
  await admin`drop database recaudo with (force)`;
  await admin`drop role recaudo`;
  await admin.end();
  const again = await open();
  await answers(again.url);
  await again.close();
  await embedded.close();
});

test('explains a database of another major version, and leaves it untouched', async () => {
  await (await open()).close();
  const file = path.join(dataDir, 'postgres', 'PG_VERSION');
  await writeFile(file, '17\n');
  await expect(open()).rejects.toThrow(/made by PostgreSQL 17, this release brings PostgreSQL 18/);
  expect(await readFile(file, 'utf8')).toBe('17\n');
});

test('rejects a data directory without its password file, and names the file', async () => {
  await (await open()).close();
  await rm(path.join(dataDir, 'postgres-passwords.json'));
  await expect(open()).rejects.toThrow('postgres-passwords.json');
});

test('names the rejected setting or the log if the server refuses to start', async () => {
  const refused = open({ extraSettings: { shared_buffers: 'plenty' } });
  await expect(refused).rejects.toThrow(/shared_buffers[\s\S]*DATABASE_URL|postgres\.log/);
});

test('creates missing library links only once', async () => {
  const root = path.join(directory.path, 'package');
  const lib = path.join(root, 'native', 'lib');
  await mkdir(lib, { recursive: true });
  await writeFile(path.join(lib, 'libpq.so.5.18'), '');
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  await writeFile(path.join(root, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  await makeLinks(root);
  await makeLinks(root);
  expect(await readlink(path.join(lib, 'libpq.so.5'))).toBe('libpq.so.5.18');
});

test('releases the lock of a killed process', async () => {
  const file = path.join(directory.path, 'lock.sqlite');
  const child = await startChild('holds-lock.ts', file);
  let waiting = false;
  let held = false;
  const turn = holdFileLock(file, () => {
    waiting = true;
  }).then((letGo) => {
    held = true;
    letGo();
  });
  await expect.poll(() => waiting, { timeout: 10_000 }).toBe(true);
  expect(held).toBe(false);
  await child.kill();
  await turn;
});

test('lets one caller at a time hold the lock, within one process too', async () => {
  const file = path.join(directory.path, 'lock.sqlite');
  const letGo = await holdFileLock(file);
  const order: string[] = [];
  const second = holdFileLock(file).then((letGoToo) => {
    order.push('second');
    letGoToo();
  });
  order.push('first');
  letGo();
  await second;
  expect(order).toEqual(['first', 'second']);
});

const isRoot = process.geteuid?.() === 0;

describe.runIf(isRoot)('as root', () => {
  test('runs in a directory that only root can enter', async () => {
    await chmod(directory.path, 0o700);
    const embedded = await open();
    await answers(embedded.url);
    await embedded.close();
  });

  test('runs as user nobody if namespaces are refused and the paths are reachable', async () => {
    await chmod(directory.path, 0o755);
    const attempt = open({ rootRunners: ['nobody'] });
    const embedded = await attempt.catch((error: Error) => error);
    if (embedded instanceof Error) {
      // The repository is in a folder that only root can enter.
      expect(embedded.message).toContain('DATABASE_URL');
      return;
    }
    await answers(embedded.url);
    await embedded.close();
    const again = await open();
    await answers(again.url);
    await again.close();
  });

  test('explains what to do if no way to run as root works', async () => {
    await chmod(directory.path, 0o700);
    await expect(open({ rootRunners: ['nobody'] })).rejects.toThrow('DATABASE_URL');
    await expect(open({ rootRunners: [] })).rejects.toThrow('DATABASE_URL');
  });
});

test('treats a copied data directory as a separate database', async () => {
  await (await open()).close();
  const copy = path.join(directory.path, 'copy');
  await cp(dataDir, copy, { recursive: true });
  const [one, two] = await Promise.all([open(), open({ dataDir: copy })]);
  await answers(one.url);
  await answers(two.url);
  await Promise.all([one.close(), two.close()]);
});
