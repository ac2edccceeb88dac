import { accountSweep } from '../../platform/account-sweep.ts';
import type { Base } from '../../platform/base.ts';
import type { Sweep } from '../../platform/sweeps.ts';
import { accountsWithEnded, endTransactions, nextEnd, takeEnded } from './store-transactions.ts';

/**
 * Expires transactions to the second. Verbs already decide by the clock, so the sweep only stores
 * the state and records the event. A charge approved later still pays an expired transaction.
 */
export const transactionSweep = ({ sql, recordIds }: Base): Sweep =>
  accountSweep(recordIds, {
    name: 'static QR transactions expired',
    nextDue: () => nextEnd(sql),
    accounts: (now) => accountsWithEnded(sql, now),
    sweep: ({ accountId, now, most, ids: eventIds }) =>
      sql.begin(async (tx) => {
        const ended = await takeEnded(tx, accountId, now, most);
        return await endTransactions(tx, accountId, ended, { eventIds, now });
      }),
  });
