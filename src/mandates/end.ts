import type { Base } from '../platform/base.ts';
import { type MandateRow, notThere } from './mandate.ts';
import { type Ending, endMandate, pendingDebits } from './move.ts';
import { lockMandate } from './store.ts';

export type EndMandate = (ending: Ending) => Promise<{ ended: boolean; row: MandateRow }>;

/**
 * Ends a mandate and the pending debits on it. `ended` is false where its state did not allow that
 * any more: the row tells which one it has. 404: no such mandate.
 */
export const endMandates =
  ({ sql, clocks, recordIds }: Base): EndMandate =>
  async (ending) => {
    const { key } = ending;
    for (;;) {
      // Before the row is held: who waits for it may have all the connections ids come by.
      const expected = await pendingDebits(sql, key);
      const [mandate = 0, ...debits] = await recordIds.take(1 + expected);
      const done = await sql.begin(async (tx) => {
        const row = await lockMandate(tx, key);
        if (!row) throw notThere(key.kind);
        // Debits that were made meanwhile: none is made while the mandate is held.
        if ((await pendingDebits(tx, key)) > expected) return null;
        const moments = { now: clocks.business.now(), wallNow: clocks.wall.now() };
        const ended = await endMandate(tx, ending, { mandate, debits }, moments);
        return { ended: ended !== null, row: ended ?? row };
      });
      if (done) return done;
    }
  };
