import type { Config } from '../../config/index.ts';
import type { Database } from '../../database.ts';

/** The result of one check of `doctor`. `todo` is empty if all is well. */
export interface Finding {
  state: 'ok' | 'look' | 'broken';
  found: string;
  todo: string;
}

export const ok = (found: string): Finding => ({ state: 'ok', found, todo: '' });
export const look = (found: string, todo: string): Finding => ({ state: 'look', found, todo });
export const broken = (found: string, todo: string): Finding => ({ state: 'broken', found, todo });

export const messageOf = (error: unknown): string => {
  const reason = error instanceof Error && error.message !== '' ? error.message : error;
  return (reason instanceof Error ? reason.name : String(reason)).replaceAll(/\s+/g, ' ');
};

/**
 * Returns the message of an error's cause, because a failed `fetch` itself only says that it
 * failed.
 */
export const causeOf = (error: unknown): string =>
  messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error);

export interface Checked {
  config: Config;
  database: Database;
}

export interface Check<Parts> {
  what: string;
  /** The remedy to show if `look` throws. */
  todo: string;
  /** Returns null to leave the check out, for example if it does not apply to this deployment. */
  look(parts: Parts): Finding | null | Promise<Finding | null>;
}

/** Runs checks in order. Reports one that throws as broken, with its error. */
export async function runChecks<Parts>(
  checks: readonly Check<Parts>[],
  parts: Parts,
): Promise<Record<string, Finding>> {
  const findings: Record<string, Finding> = {};
  for (const { what, todo, look: check } of checks) {
    try {
      const finding = await check(parts);
      if (finding !== null) findings[what] = finding;
    } catch (error) {
      findings[what] = broken(messageOf(error), todo);
    }
  }
  return findings;
}
