import type { Connection } from './connection.ts';
import { deadlines } from './deadlines.ts';

/**
 * Tracks which broadcasts each process has handled. Each listening session holds a lock whose
 * number is the last one it handled. The sender waits until no session lags.
 */

const listeners = `hashtext('recaudo listener')`;
export const broadcastPrefix = 'told ';

/**
 * Returns the broadcast number in a notification's payload, or null if its sender does not wait.
 */
const numberOf = (payload: string): number | null =>
  payload.startsWith(broadcastPrefix) ? Number(payload.slice(broadcastPrefix.length)) : null;

/** The progress of a listening session. */
export interface Hearing {
  /** Marks the start of listening. The returned function marks that every handler has run since. */
  begin(): Promise<() => Promise<void>>;
  handled(payload: string): Promise<void>;
}

export function hearingOf(connection: Connection): Hearing {
  let latest: number | null = null;
  const hold = async (no: number): Promise<void> => {
    if (latest !== null && no <= latest) return;
    const former = latest;
    latest = no;
    const unlock =
      former === null ? '' : `; select pg_advisory_unlock_shared(${listeners}, ${former})`;
    const text = `select pg_advisory_lock_shared(${listeners}, ${no})${unlock}`;
    await connection.simple(text, deadlines.connectMs);
  };
  return {
    async begin() {
      await hold(0);
      const [row] = await connection.simple(
        `select case when to_regclass('told') is not null
          then pg_sequence_last_value(to_regclass('told')) end::text as no`,
        deadlines.connectMs,
      );
      // The last broadcast may not be committed yet. All earlier ones are, so the handlers see
      // their changes.
      return () => hold(Math.max(0, Number(row?.no ?? 0) - 1));
    },
    async handled(payload) {
      const no = numberOf(payload);
      if (no !== null) await hold(no);
    },
  };
}
