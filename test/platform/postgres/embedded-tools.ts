import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export interface Child {
  process: ChildProcessByStdio<Writable, Readable, null>;
  /** The first line of its output. */
  said: string;
  /** Closes its standard input and waits for its end. Returns the exit status. */
  finish(): Promise<number | null>;
  kill(): Promise<void>;
}

/** Starts a fixture script and waits for its first line. */
export async function startChild(script: string, argument: string): Promise<Child> {
  const file = path.join(import.meta.dirname, 'fixtures', script);
  const child = spawn(process.execPath, [file, argument], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [said] = await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => {
      throw new Error(`${script} ended before it said anything`);
    }),
  ]);
  const end = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return {
    process: child,
    said,
    finish: async () => {
      child.stdin.end();
      await end();
      return child.exitCode;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await end();
    },
  };
}

/** Returns the process id from a data directory's postmaster.pid; null without one. */
export function serverPid(dataDir: string): number | null {
  const file = path.join(dataDir, 'postgres', 'postmaster.pid');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null;
}

function psLines(format: string): string[][] {
  const text = execFileSync('ps', ['-A', '-o', format], { encoding: 'utf8' });
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
}

/** Returns true while the process runs; zombies do not count. */
export function isAlive(pid: number): boolean {
  const found = psLines('pid=,stat=').find(([id]) => Number(id) === pid);
  return found !== undefined && !found[1]?.startsWith('Z');
}

/** Returns the id of a process's session. The terminal sends its signals to one session. */
export function sessionOf(pid: number): number {
  const found = psLines('pid=,sess=').find(([id]) => Number(id) === pid);
  return Number(found?.[1]);
}

/** Kills the server and all of its children at once, as a power cut would. */
export function killServer(pid: number): void {
  const family = psLines('pid=,ppid=').filter(([, parent]) => Number(parent) === pid);
  process.kill(pid, 'SIGKILL');
  for (const [id] of family) {
    try {
      process.kill(Number(id), 'SIGKILL');
    } catch {
      // It ended with its parent.
    }
  }
}

/** Creates a directory, with a function that removes it and any server left in it. */
export async function temporaryDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'recaudo embedded '));
  return {
    path: directory,
    remove: async () => {
      const pid = serverPid(path.join(directory, 'data'));
      if (pid !== null && sessionOf(pid) === pid) killServer(pid);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
