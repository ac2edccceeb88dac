import type { Base } from '../../platform/base.ts';
import { type Sweep, sweepAccounts } from '../../platform/sweeps.ts';
import { accountsWithEnded, endTransactions, nextEnd, takeEnded } from './store-transactions.ts';

/**
 * Transactions run out to the second. Verbs know that by the clock already; the sweep stores it
 * and leaves the event. A charge that is approved after that still makes it paid.
 */
export function transactionSweep({ sql, recordIds }: Base): Sweep {
  const endIn = async (accountId: string, most: number, now: Temporal.Instant): Promise<number> => {
    // Before rows are held: who waits for those may have all the connections that ids come by.
    const eventIds = await recordIds.take(most);
    return await sql.begin(async (tx) => {
      const ids = await takeEnded(tx, accountId, now, most);
      return await endTransactions(tx, accountId, ids, { eventIds, now });
    });
  };
  return {
    name: 'static QR transactions expired',
    nextDue: () => nextEnd(sql),
    run: async (now) =>
      await sweepAccounts(await accountsWithEnded(sql, now), (accountId, most) =>
        endIn(accountId, most, now),
      ),
  };
}
