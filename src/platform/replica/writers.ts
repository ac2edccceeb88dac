import type { Sql } from '../postgres/connect.ts';
import { deadlines, doing } from '../postgres/deadlines.ts';
import { noteWrite } from './marks.ts';

/** A record covers the next writes, so that a busy account costs one per second. */
export const notedForMs = 1_000;

interface Noted {
  atMs: number;
  /** Resolves to true if recorded. */
  done: Promise<boolean>;
}

/** Records for all processes which accounts write. */
export interface Writers {
  /** Runs an account's write and records it before it ends. */
  writing<T>(accountId: string, write: () => Promise<T>): Promise<T>;
  /** Returns true if the account wrote in this process within `withinMs`. */
  wrote(accountId: string, withinMs: number): boolean;
  /** Forgets older writers. */
  forget(beforeMs: number): void;
}

export function createWriters(sql: Sql): Writers {
  const noted = new Map<string, Noted>();

  const note = (accountId: string): Promise<boolean> => {
    const atMs = performance.now();
    const former = noted.get(accountId);
    if (former && atMs - former.atMs < notedForMs) return former.done;
    // The call's own write does not depend on this one.
    const done = doing('replica', async () => await noteWrite(sql, accountId), { wrote: false })
      .then(() => true)
      .catch(() => false);
    noted.set(accountId, { atMs, done });
    return done;
  };

  return {
    async writing(accountId, write) {
      const begunMs = performance.now();
      const begun = note(accountId);
      try {
        return await write();
      } finally {
        const wasNoted = await begun;
        if (!wasNoted) noted.delete(accountId);
        if (!wasNoted || performance.now() - begunMs >= notedForMs) await note(accountId);
      }
    },
    wrote: (accountId, withinMs) => {
      const last = noted.get(accountId);
      return last !== undefined && performance.now() - last.atMs < withinMs;
    },
    forget(beforeMs) {
      for (const [accountId, { atMs }] of noted) if (atMs < beforeMs) noted.delete(accountId);
    },
  };
}

/**
 * Returns how long after a write the primary must answer the account, given the replica's allowed
 * lag.
 */
export const primaryForMs = (boundMs: number): number =>
  boundMs + notedForMs + deadlines.statementMs.replica;
