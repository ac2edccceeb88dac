import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '../../src/cli/run.ts';
import { bundledProgram, program } from '../harness/built.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { testAccount, testKey } from '../harness/service.ts';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

const root = path.join(import.meta.dirname, '../..');

/** Returns the environment of a command, with the test service's keys for its database. */
export function environmentOf(env: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  const sealed = env.DATABASE_URL !== undefined && { VAULT_KEYS: testVaultKeys };
  return { PATH, HOME, ...sealed, ...env };
}

/** Starts a process and collects what it writes. */
function start(
  [command = '', ...args]: string[],
  env: Record<string, string>,
): { child: ChildProcess; ran: Ran } {
  const child = spawn(command, args, {
    cwd: root,
    env: environmentOf(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  child.stdout?.on('data', (bytes) => {
    ran.stdout += bytes;
  });
  child.stderr?.on('data', (bytes) => {
    ran.stderr += bytes;
  });
  return { child, ran };
}

/** Collects what a command writes. */
function collect() {
  const texts: string[] = [];
  return { write: (text: string) => texts.push(text), text: () => texts.join('') };
}

/** Runs a command in this process, with the function that the program itself calls. */
export async function recaudo(args: string[], env: Record<string, string>): Promise<Ran> {
  const [stdout, stderr] = [collect(), collect()];
  const untilStopped = () => new AbortController().signal;
  const invocation = { args, env: environmentOf(env), stdout, stderr, untilStopped };
  const code = await runCommand(invocation);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Runs the built program to its end in a separate process. */
export async function recaudoProcess(args: string[], env: Record<string, string>): Promise<Ran> {
  const { child, ran } = start([process.execPath, program, ...args], env);
  const [code] = await once(child, 'close');
  return { ...ran, code };
}

/** Starts the program and leaves it running. */
export const startRecaudo = (args: string[], env: Record<string, string>) =>
  start([process.execPath, ...bundledProgram, ...args], env);

export interface Serving {
  origin: string;
  pid: number;
  /** Output so far. */
  output(): string;
  /** Resolves when the process ends for any reason. */
  ended: Promise<Ended>;
  hasEnded(): boolean;
  /** Sends a signal. Returns the exit of the process. */
  end(signal: NodeJS.Signals): Promise<Ended>;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Starts `recaudo serve` as a separate process, and waits until it is ready. */
export async function startServing(
  env: Record<string, string>,
  command: string[] = [process.execPath, ...bundledProgram, 'serve'],
): Promise<Serving> {
  const { child, ran } = start(command, {
    PORT: '0',
    METRICS_PORT: '0',
    DRAIN_SECONDS: '0',
    LOG_LEVEL: 'warn',
    DATABASE_POOL: '8',
    SANDBOX_API_KEY: testKey,
    SANDBOX_ACCOUNT_ID: testAccount,
    // Keeps e-mails and other files of the tests out of the default directory.
    ...(env.DATABASE_URL !== undefined && { DATA_DIR: path.join(tmpdir(), 'recaudo-test-files') }),
    ...env,
  });
  const closed = once(child, 'close');
  const ended = closed.then(([code, signal]) => ({ code, signal }));
  const ready = async (): Promise<string> => {
    for (;;) {
      const found = /^ready (\S+)$/m.exec(ran.stdout)?.[1];
      if (found) return found;
      await once(child.stdout as NodeJS.ReadableStream, 'data');
    }
  };
  const origin = await Promise.race([
    ready(),
    closed.then(([code]) => {
      throw new Error(`serve ended with ${code}: ${ran.stderr}${ran.stdout}`);
    }),
  ]);
  return {
    origin,
    pid: child.pid ?? 0,
    output: () => `${ran.stdout}${ran.stderr}`,
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
