import { type Centavos, negate, plus } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { hasForged } from '../alarms/index.ts';
import { forgedWaiting, holderBalances } from '../ledger/index.ts';
import { refusal } from './codes.ts';

interface Balances {
  available: Centavos;
  unavailable: Centavos;
}

/**
 * What could be paid out: never more than is available, nor than is owed in all. Fees that are larger
 * than their payments leave the unavailable balance below zero, and what is available answers for
 * it.
 */
const mostOf = ({ available, unavailable }: Balances): Centavos =>
  unavailable < 0 ? plus(available, unavailable) : available;

/** What of an account could be paid out now; below zero it owes that. */
export const payableNow = async (sql: Queryable, accountId: string): Promise<Centavos> =>
  mostOf(await holderBalances(sql, accountId));

/** Money that somebody wrote into the books by SQL is not paid out. */
async function refuseForged(sql: Queryable, accountId: string): Promise<void> {
  const waiting = await forgedWaiting(sql, accountId);
  if (waiting.length === 0 && !(await hasForged(sql, accountId))) return;
  throw refusal('payout.forged_journal', {});
}

/** What is paid out where so much is wanted; null: all that can be. 409: there is not that much. */
export async function payableOf(
  sql: Queryable,
  { accountId, amount }: { accountId: string; amount: Centavos | null },
): Promise<Centavos> {
  await refuseForged(sql, accountId);
  const balances = await holderBalances(sql, accountId);
  const { available, unavailable } = balances;
  const most = mostOf(balances);
  const wanted = amount ?? most;
  if (wanted > 0 && wanted <= most) return wanted;
  throw refusal('payout.not_covered', {
    available,
    debt: negate(unavailable),
    owes: unavailable < 0 ? 'yes' : 'no',
    most,
    any: most > 0 ? 'yes' : 'no',
  });
}
