import type { Base, Ctx } from '../platform/base.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { moveAll, stateOn } from '../requests/index.ts';
import { refusal } from './codes.ts';
import type { FindPaymentRequest } from './get.ts';

export interface Withdrawal {
  ids: readonly number[];
  /** One per request. */
  eventIds: readonly number[];
  comment: string;
}

/**
 * Withdraws unpaid requests: they expire at once, with the given comment. Returns the ids of the
 * withdrawn ones. Serialized with payments, so paid requests stay paid, and offline money that
 * still arrives is recorded.
 */
export const withdrawPaymentRequests =
  ({ clocks }: Base) =>
  (
    tx: Transaction,
    { accountId, actor }: Ctx,
    { ids, eventIds, comment }: Withdrawal,
  ): Promise<number[]> =>
    moveAll(tx, {
      accountId,
      kind: 'payment_request',
      move: 'expire',
      at: clocks.business.now(),
      actor,
      comment,
      ids,
      eventIds,
    });

/**
 * Withdraws a single request. Idempotent. Throws 404 for an unknown request, 409 for one that was
 * paid, has expired, or was withdrawn with another comment.
 */
export const withdrawPaymentRequest = (base: Base, find: FindPaymentRequest) => {
  const withdraw = withdrawPaymentRequests(base);
  return async (ctx: Ctx, id: number, comment: string): Promise<void> => {
    const key = { accountId: ctx.accountId, id };
    const stateOf = async () => {
      const row = (await find(key))?.row;
      if (!row) throw refusal('payment_request.not_found', {});
      const state = stateOn(row, base.clocks.business.today());
      return { state, isRepeat: state === 'expired' && row.state_comment === comment };
    };
    const before = await stateOf();
    // A request past its due date, which no sweep has expired yet, is not withdrawn either.
    if (before.state === 'pending') {
      const eventIds = [await base.recordIds.next()];
      const terms = { ids: [id], eventIds, comment };
      const gone = await base.sql.begin((tx) => withdraw(tx, ctx, terms));
      if (gone.length > 0) return;
    }
    const { state, isRepeat } = await stateOf();
    if (!isRepeat) throw refusal('payment_request.not_withdrawable', { state });
  };
};
