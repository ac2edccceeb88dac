import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { chmod, glob, mkdir, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isServer } from '../../src/platform/embedded/cluster.ts';
import { holdFileLock, isLocked } from '../../src/platform/embedded/file-lock.ts';

/**
 * Keeps everything that a run leaves on the machine below one folder, the TMPDIR of all its
 * processes, and marks those processes in their environment. After the run, its reaper (or else the
 * next run) finds both.
 */

const prefix = 'recaudo-run-';
/** Environment variable that names the run's folder in every process of the run. */
const mark = 'RECAUDO_TEST_RUN';

/** File system in memory. */
const memory = '/dev/shm';
const gibibyte = 1024 ** 3;

const lockOf = (folder: string): string => path.join(folder, 'run.sqlite');

export interface RunFolder {
  path: string;
  /** Releases the folder's lock, so a later run may remove the folder. */
  letGo(): void;
}

/**
 * Creates the folder of a run and points the environment at it. If that fails, throws an error that
 * names TMPDIR.
 */
export async function openRunFolder(): Promise<RunFolder> {
  const above = tmpdir();
  let folder: string;
  try {
    folder = mkdtempSync(path.join(above, prefix));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `Tests need a folder for temporary files, and ${above} takes none (${code}). Set TMPDIR to one that can be written.`,
    );
  }
  // The embedded server may run as another user, who has to traverse the folder.
  await chmod(folder, 0o711);
  const letGo = await holdFileLock(lockOf(folder));
  process.env[mark] = folder;
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder;
  return { path: folder, letGo };
}

const twinOf = (folder: string): string => path.join(memory, path.basename(folder));

/**
 * Opens a folder for the run's databases: in memory if there is room, since each test file creates
 * and removes nearly a thousand files; otherwise in the run's folder.
 */
export async function openDatabaseFolder(folder: string): Promise<string> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  const room = Math.min(bavail * bsize, freemem(), process.constrainedMemory() || Infinity);
  if (room < 8 * gibibyte) return folder;
  const twin = twinOf(folder);
  await mkdir(twin, { mode: 0o711 });
  return twin;
}

/** Starts the process that cleans up after this one has ended or closed its standard input. */
export function startReaper(folder: string): ChildProcess {
  const program = path.join(import.meta.dirname, 'reaper.ts');
  const reaper = spawn(process.execPath, [program, folder], {
    // In a separate session, which Ctrl-C does not reach.
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
    // Without the run's mark, so that the reaper does not end itself.
    env: { PATH: process.env.PATH },
  });
  reaper.unref();
  return reaper;
}

/** Finds runs below `above` whose process was killed. */
export async function deadRuns(above: string = tmpdir()): Promise<string[]> {
  const names = (await readdir(above)).filter((name) => name.startsWith(prefix));
  return names
    .map((name) => path.join(above, name))
    .filter((folder) => {
      try {
        return existsSync(lockOf(folder)) && !isLocked(lockOf(folder));
      } catch {
        // Belongs to another user, or is being removed.
        return false;
      }
    });
}

/**
 * Returns the ids of a run's other processes. Only Linux shows the environment of other processes.
 */
async function processesOf(folder: string): Promise<number[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const wanted = `${mark}=${folder}`;
  const environments = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')),
  );
  return ids
    .filter((_, index) => environments[index]?.split('\0').includes(wanted))
    .map(Number)
    .filter((id) => id !== process.pid);
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Calls `round` until it finds nothing to do, for ten seconds at most. */
async function untilNone(round: () => Promise<number>): Promise<void> {
  for (let turn = 0; turn < 100 && (await round()) > 0; turn += 1) await sleep(100);
}

async function killProcesses(folder: string): Promise<number> {
  const found = await processesOf(folder);
  for (const pid of found) kill(pid, 'SIGKILL');
  return found.length;
}

/** Stops the database servers below the folder immediately, since their data is disposable. */
async function killServers(folder: string): Promise<number> {
  let alive = 0;
  for await (const file of glob('**/postmaster.pid', { cwd: folder })) {
    const text = await readFile(path.join(folder, file), 'utf8').catch(() => '');
    const pid = Number.parseInt(text, 10);
    const directory = path.dirname(path.join(folder, file));
    const runner = { prefix: [], owner: null };
    if (!Number.isInteger(pid) || !(await isServer(pid, { directory, runner }))) continue;
    alive += 1;
    kill(pid, 'SIGQUIT');
  }
  return alive;
}

/** Ends the processes and servers of a run and removes its folder. Safe to repeat. */
export async function cleanRun(folder: string): Promise<void> {
  // Processes first: they may start a server again.
  await untilNone(() => killProcesses(folder));
  // The run's folder last: its lock file marks a dead run until everything else is gone.
  for (const part of [twinOf(folder), folder]) {
    await untilNone(() => killServers(part));
    await rm(part, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Returns the folder for files that outlast a run, among the installed packages. */
export function cacheFolder(root: string): string {
  const folder = path.join(root, 'node_modules/.cache/recaudo');
  mkdirSync(folder, { recursive: true });
  return folder;
}
