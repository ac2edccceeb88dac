import { AsyncLocalStorage } from 'node:async_hooks';

export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/**
 * The environment of one command: that of the process, or of a caller that runs the command in its
 * own process.
 */
export interface Invocation {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  stdout: Output;
  stderr: Output;
  /**
   * Aborts on Ctrl-C, or when the reader closes the pipe. Only for commands that run until stopped.
   */
  untilStopped(): AbortSignal;
}

const running = new AsyncLocalStorage<Invocation & { status: number }>();

function current(): Invocation & { status: number } {
  const invocation = running.getStore();
  if (!invocation) throw new Error('no command is running');
  return invocation;
}

/** Returns the running command's environment. Throws outside of a command. */
export const invocation = (): Invocation => current();

/**
 * Returns true for `--json`. Called before parsing, so that parse errors use the requested format.
 */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).includes('--json');
}

/** Sets the exit status. The command still runs to its end. */
export function exitWith(status: number): void {
  current().status = status;
}

/** Runs a command in an environment and returns its exit status. */
export async function within(given: Invocation, command: () => Promise<void>): Promise<number> {
  const own = { ...given, status: 0 };
  await running.run(own, command);
  return own.status;
}
