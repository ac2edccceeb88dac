import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { bundledPaywayEmulator, bundledProgram } from '../harness/built.ts';

const root = path.join(import.meta.dirname, '../..');

export const paywayEmulator = [bundledPaywayEmulator];
export const paywayConnector = [...bundledProgram, 'connector', 'payway'];

export interface Running {
  child: ChildProcess;
  origin: string;
}

/** Starts a real process and waits until it reports its address. */
export async function start(words: string[], env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, origin] = /^ready (\S+)$/.exec(line) ?? [];
    if (origin) return { child, origin };
  }
  throw new Error(`It ended before it was ready: ${said}`);
}

/** Kills a process as a power failure does. */
export async function kill({ child }: Running): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
