import { CommanderError } from 'commander';
import { isConnectionFailure, Refusal, walkFaults } from '../platform/errors.ts';
import type { Output } from './invocation.ts';

/** Exit statuses of every command: 0 done, 1 failed, 2 invalid usage. */
export const exits = { done: 0, failed: 1, usage: 2 } as const;

interface Failure {
  /** The kind of a refusal, or `usage`, `unavailable` or `failed`. */
  kind: string;
  /** The code of a refusal. `docs/reference/errors.md` lists them. */
  errorCode?: string;
  message: string;
}

/** Returns true if a command group was called without a subcommand. */
const isHelp = (error: unknown): boolean =>
  error instanceof CommanderError && error.code === 'commander.help';

/** Returns true if the refusal's message is that of a field, which is printed with its path. */
const isOfAField = ({ children, message }: Refusal): boolean =>
  walkFaults(children ?? {}).some((fault) => fault.message === message);

/** Describes a failure: its kind, and all its faults as sentences. */
export function failureOf(error: unknown): Failure {
  if (isHelp(error)) return { kind: 'usage', message: 'Name a command; --help lists them.' };
  if (error instanceof CommanderError) {
    return { kind: 'usage', message: error.message.replace(/^error: /, '') };
  }
  if (error instanceof Refusal) {
    const faults = walkFaults(error.children ?? {}).map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );
    const whole = isOfAField(error) ? [] : [error.message];
    return {
      kind: error.kind,
      ...(error.errorCode !== undefined && { errorCode: error.errorCode }),
      message: [...whole, ...faults].join(' '),
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { kind: isConnectionFailure(error) ? 'unavailable' : 'failed', message };
}

/**
 * Throws all errors as one, or only the first if all are connection failures. Returns if there are
 * none.
 */
export function throwAll(failures: readonly unknown[]): void {
  if (failures.length === 0) return;
  if (failures.length === 1 || failures.every(isConnectionFailure)) throw failures[0];
  throw new AggregateError(
    failures,
    failures.map((one) => (one instanceof Error ? one.message : String(one))).join(' '),
  );
}

/** Returns true for help and version, which commander reports as errors. */
const isAnswer = (error: unknown): boolean =>
  error instanceof CommanderError && error.exitCode === 0;

/** Writes the failure to stderr, and returns the exit status. Help and version are no failures. */
export function tell(error: unknown, { json, stderr }: { json: boolean; stderr: Output }): number {
  if (isAnswer(error)) return exits.done;
  const { kind, errorCode, message } = failureOf(error);
  const failure = { error: kind, error_code: errorCode, message };
  stderr.write(json ? `${JSON.stringify(failure)}\n` : `error: ${message}\n`);
  return error instanceof CommanderError ? exits.usage : exits.failed;
}
