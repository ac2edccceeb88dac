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
 * Returns the lesser of the available and the total balance. Fees above their payments make the
 * unavailable balance negative, and the available one covers it.
 */
const mostOf = ({ available, unavailable }: Balances): Centavos =>
  unavailable < 0 ? plus(available, unavailable) : available;

/** Returns the amount payable to an account now. Negative if it owes. */
export const payableNow = async (sql: Queryable, accountId: string): Promise<Centavos> =>
  mostOf(await holderBalances(sql, accountId));

/** Throws 409 if anything in the account's books is forged, so that no forged money is paid out. */
async function refuseForged(sql: Queryable, accountId: string): Promise<void> {
  const waiting = await forgedWaiting(sql, accountId);
  if (waiting.length === 0 && !(await hasForged(sql, accountId))) return;
  throw refusal('payout.forged_journal', {});
}

/**
 * Returns the amount to pay out. Null requests the maximum. Throws 409 if the balance is too low,
 * or anything in the account's books is forged.
 */
export async function payableOf(
  sql: Queryable,
  { accountId, amount }: { accountId: string; amount: Centavos | null },
): Promise<Centavos> {
  await refuseForged(sql, accountId);
  const balances = await holderBalances(sql, accountId);
  const { available, unavailable } = balances;
  const most = mostOf(balances);
  const payoutAmount = amount ?? most;
  if (payoutAmount > 0 && payoutAmount <= most) return payoutAmount;
  throw refusal('payout.not_covered', {
    available,
    debt: negate(unavailable),
    owes: unavailable < 0 ? 'yes' : 'no',
    most,
    any: most > 0 ? 'yes' : 'no',
  });
}
