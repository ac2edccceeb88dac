import { AsyncLocalStorage } from 'node:async_hooks';

/** A stream that a command writes to. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** The surroundings of one command: those of its process, or of a caller that runs it in its own. */
export interface Invocation {
  /** The words of the command line. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  stdout: Output;
  stderr: Output;
  /** Aborts on Ctrl-C or when the reader leaves. Commands that end by themselves never ask. */
  untilStopped(): AbortSignal;
}

const running = new AsyncLocalStorage<Invocation & { status: number }>();

function current(): Invocation & { status: number } {
  const invocation = running.getStore();
  if (!invocation) throw new Error('no command is running');
  return invocation;
}

/** The surroundings of the running command. Throws outside of one. */
export const invocation = (): Invocation => current();

/** Sets the exit status; the command still runs to its end. */
export function exitWith(status: number): void {
  current().status = status;
}

/** Runs a command in the given surroundings and returns its exit status. */
export async function within(given: Invocation, command: () => Promise<void>): Promise<number> {
  const own = { ...given, status: 0 };
  await running.run(own, command);
  return own.status;
}
