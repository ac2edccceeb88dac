import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cleanRun, deadRuns, openRunFolder } from '../harness/run-folder.ts';

const program = path.join(import.meta.dirname, 'fixtures/killed-run.ts');

interface Run {
  process: ChildProcess;
  folder: string;
  reaper: number;
  /** Processes that must not outlive the run. */
  started: number[];
}

let above: string;
beforeEach(async () => {
  above = await mkdtemp(path.join(tmpdir(), 'recaudo-above-'));
});
afterEach(() => rm(above, { recursive: true, force: true }));

async function startRun(what: 'server' | 'bare'): Promise<Run> {
  const started = spawn(process.execPath, [program, what], {
    env: { ...process.env, TMPDIR: above },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(started.stdout), 'line');
  const { folder, reaper, child } = JSON.parse(line);
  const pidFile = path.join(folder, 'server/postgres/postmaster.pid');
  const servers = what === 'server' ? [Number.parseInt(readFileSync(pidFile, 'utf8'), 10)] : [];
  return { process: started, folder, reaper, started: [child, ...servers] };
}

const isAlive = (pid: number): boolean => {
  try {
    // A zombie has an empty command line.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
};

const left = ({ folder, started }: Run) => ({
  folder: existsSync(folder),
  processes: started.filter(isAlive),
});
const all = ({ started }: Run) => ({ folder: true, processes: started });
const nothing = { folder: false, processes: [] };

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'leaves no process and no folder of a run ended by %s',
  async (signal) => {
    const run = await startRun('bare');
    expect(left(run)).toEqual(all(run));
    run.process.kill(signal);
    await vi.waitFor(() => expect(left(run)).toEqual(nothing));
  },
);

test('cleans up the server and folder of an earlier run that was killed along with its reaper', async () => {
  const run = await startRun('server');
  expect(await deadRuns(above)).toEqual([]);
  process.kill(run.reaper, 'SIGKILL');
  const ended = once(run.process, 'exit');
  run.process.kill('SIGKILL');
  await ended;
  expect(left(run)).toEqual(all(run));
  expect(await deadRuns(above)).toEqual([run.folder]);
  await cleanRun(run.folder);
  expect(left(run)).toEqual(nothing);
});

test('refuses an unusable folder for temporary files, and names it', async () => {
  const missing = path.join(above, 'missing');
  vi.stubEnv('TMPDIR', missing);
  try {
    await expect(openRunFolder()).rejects.toThrow(`${missing} takes none (ENOENT). Set TMPDIR`);
  } finally {
    vi.unstubAllEnvs();
  }
});
