import { moveAccount } from '../accounts/index.ts';
import { decimalText } from '../kernel/money.ts';
import { endMandates, searchMandates } from '../mandates/index.ts';
import { holderBalances } from '../money/ledger/index.ts';
import { countOpenRefunds } from '../money/refunds/index.ts';
import { conflict } from '../platform/errors.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { BaseContext } from './command.ts';

type Acting = Pick<BaseContext, 'base' | 'actor'>;

const mandatesAtOnce = 500;
const comment = 'Canceled because the account was closed.';

/**
 * What is owed is paid out before an account closes, in either direction; and what is on its way
 * back to payers has arrived, since what of it fails is owed again.
 */
const refuseWhileOwed = (accountId: string) => async (tx: Queryable) => {
  const open = await countOpenRefunds(tx, accountId);
  if (open > 0) {
    throw conflict(
      `${open} refunds of the account are on their way: wait until they are done or failed, and ` +
        'transfer those that `refunds list` shows.',
    );
  }
  const { available, unavailable } = await holderBalances(tx, accountId);
  if (available === 0 && unavailable === 0) return;
  throw conflict(
    `The account has ${decimalText(available)} available and ${decimalText(unavailable)} that ` +
      'becomes available later: settle it first, with `payouts create --all` or `ledger correct`.',
  );
};

/** Cancels what can still be signed or debited; those that a crash left are ended by the next run. */
async function endAll({ base, actor }: Acting, accountId: string): Promise<number> {
  const end = endMandates(base);
  const all = { accountIds: [accountId], kind: null, id: null };
  const any = { reference: null, name: null, idNumber: null };
  let count = 0;
  for (const state of ['pending_to_sign', 'signed'] as const) {
    for (;;) {
      const page = { after: 0, limit: mandatesAtOnce };
      const rows = await searchMandates(base.sql, { ...all, ...any, state }, page);
      for (const { kind, id } of rows) {
        const key = { accountId, kind, id };
        await end({ key, move: 'cancel', comment, actor, evidence: null });
      }
      count += rows.length;
      if (rows.length < mandatesAtOnce) break;
    }
  }
  return count;
}

/** Closes an account whose books are even, then ends its mandates. Run again it does what is left. */
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
  return { closed, mandates: await endAll(context, order.accountId) };
}
