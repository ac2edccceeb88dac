import type { Base } from '../platform/base.ts';
import { type MandateRow, notThere } from './mandate.ts';
import { type Ending, endMandate, pendingDebits } from './move.ts';
import { lockMandate } from './store.ts';

export type EndMandate = (ending: Ending) => Promise<{ ended: boolean; row: MandateRow }>;

/**
 * Ends a mandate and its pending debits. `ended` is false if its state does not allow it. Throws
 * 404 for an unknown mandate.
 */
export const endMandates =
  ({ sql, clocks, recordIds }: Base): EndMandate =>
  async (ending) => {
    const { key } = ending;
    for (;;) {
      // Count before locking the row, because callers that wait for the lock may occupy every
      // connection that could fetch ids.
      const expected = await pendingDebits(sql, key);
      const [mandate = 0, ...debits] = await recordIds.take(1 + expected);
      const done = await sql.begin(async (tx) => {
        const row = await lockMandate(tx, key);
        if (!row) throw notThere(key.kind);
        // Debits were created before we had the lock, so start over with more ids. None can be
        // created under the lock.
        if ((await pendingDebits(tx, key)) > expected) return null;
        const moments = { now: clocks.business.now(), wallNow: clocks.wall.now() };
        const ended = await endMandate(tx, ending, { mandate, debits }, moments);
        return { ended: ended !== null, row: ended ?? row };
      });
      if (done) return done;
    }
  };
