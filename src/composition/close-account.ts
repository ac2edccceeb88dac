import { accountRefusal, moveAccount } from '../accounts/index.ts';
import { endMandates, endMandatesOfClosed } from '../mandates/index.ts';
import { countOpenAttempts } from '../money/charges/index.ts';
import { holderBalances } from '../money/ledger/index.ts';
import { countOpenRefunds } from '../money/refunds/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';

interface Acting {
  base: Base;
  actor: Actor;
}

/**
 * Refuses to close an account with debts in either direction, or with open refunds or charges,
 * because a failed refund is owed again and a charge may still bring money.
 */
const refuseWhileOwed = (accountId: string) => async (tx: Queryable) => {
  const refunds = await countOpenRefunds(tx, accountId);
  if (refunds > 0) throw accountRefusal('account.refunds_open', { count: refunds });
  const charges = await countOpenAttempts(tx, accountId);
  if (charges > 0) throw accountRefusal('account.charges_open', { count: charges });
  const { available, unavailable } = await holderBalances(tx, accountId);
  if (available === 0 && unavailable === 0) return;
  throw accountRefusal('account.not_settled', { available, unavailable });
};

/**
 * Closes a balanced account, then ends its mandates. After a crash, the next run or the service's
 * sweep ends the rest.
 */
export async function closeAccount(
  context: Acting,
  order: { accountId: string; reason: string },
): Promise<{ closed: boolean; mandates: number }> {
  const { base, actor } = context;
  const closed = await moveAccount(
    { ...base, actor },
    {
      ...order,
      move: 'close',
      check: refuseWhileOwed(order.accountId),
    },
  );
  const end = endMandatesOfClosed(base, endMandates(base));
  return { closed, mandates: await end({ accountId: order.accountId, actor }) };
}
