import type { Centavos } from '../../kernel/money.ts';
import { Refusal } from '../../platform/errors.ts';
import { workDone, workExpected } from '../../platform/progress.ts';
import type { Ordered } from './order.ts';

/** One account's payout. `amount` is null if refused, and `cbu` also if only proposed. */
export interface OrderedOne {
  account: string;
  outcome: Ordered['outcome'] | 'refused';
  amount: Centavos | null;
  cbu: string | null;
  refusal: Refusal | null;
}

/** Pays out all that each account has available, one account at a time. */
export async function orderSeveral(
  accounts: readonly string[],
  order: (accountId: string) => Promise<Ordered>,
): Promise<OrderedOne[]> {
  const rows: OrderedOne[] = [];
  workExpected(accounts.length);
  for (const account of accounts) {
    const row = { account, amount: null, cbu: null, refusal: null };
    try {
      const ordered = await order(account);
      const { outcome } = ordered;
      const found = outcome === 'proposed' ? ordered.proposal : ordered.payout;
      const cbu = outcome === 'proposed' ? null : ordered.payout.cbu;
      rows.push({ ...row, outcome, amount: found.amount, cbu });
    } catch (error) {
      // A balance of zero, a missing CBU or a suspension affects only that account.
      if (!(error instanceof Refusal)) throw error;
      rows.push({ ...row, outcome: 'refused', refusal: error });
    }
    workDone(1);
  }
  return rows;
}
