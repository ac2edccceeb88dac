import { moveAccount } from '../accounts/index.ts';
import { decimalText } from '../kernel/money.ts';
import { endMandates, endMandatesOfClosed } from '../mandates/index.ts';
import { countOpenAttempts } from '../money/charges/index.ts';
import { holderBalances } from '../money/ledger/index.ts';
import { countOpenRefunds } from '../money/refunds/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { conflict } from '../platform/errors.ts';
import type { Queryable } from '../platform/postgres/connect.ts';

interface Acting {
  base: Base;
  actor: Actor;
}

/**
 * What is owed is paid out before an account closes, in either direction. What is on its way back to
 * payers has arrived, since what of it fails is owed again, and no charge may still bring money.
 */
const refuseWhileOwed = (accountId: string) => async (tx: Queryable) => {
  const open = await countOpenRefunds(tx, accountId);
  if (open > 0) {
    throw conflict(
      `${open} refunds of the account are on their way: wait until they are done or failed, and ` +
        'transfer those that `refunds list` shows.',
    );
  }
  const charges = await countOpenAttempts(tx, accountId);
  if (charges > 0) {
    throw conflict(
      `${charges} charges of the account wait for their outcome: their money may still come.`,
    );
  }
  const { available, unavailable } = await holderBalances(tx, accountId);
  if (available === 0 && unavailable === 0) return;
  throw conflict(
    `The account has ${decimalText(available)} available and ${decimalText(unavailable)} that ` +
      'becomes available later: settle it first, with `payouts create --all` or `ledger correct`.',
  );
};

/**
 * Closes an account whose books are even, then ends its mandates; what a crash leaves of them the
 * next run ends, or the service's sweep.
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
