import type { Base, Ctx } from '../platform/base.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { moveAll } from '../requests/index.ts';
import { refusal } from './codes.ts';
import type { FindPaymentRequest } from './get.ts';

export interface Withdrawal {
  ids: readonly number[];
  /** One per request. */
  eventIds: readonly number[];
  comment: string;
}

/**
 * Withdraws unpaid requests: they expire at once, with a comment that names the author. Returns the
 * ids of the withdrawn ones. Serialized with payments, so paid requests stay paid, and offline
 * money that still arrives is recorded.
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
 * Withdraws a single request. Idempotent. Throws 404 for another account's request, 409 if it was
 * already paid.
 */
export const withdrawPaymentRequest = (base: Base, find: FindPaymentRequest) => {
  const withdraw = withdrawPaymentRequests(base);
  return async (ctx: Ctx, id: number, comment: string): Promise<void> => {
    const key = { accountId: ctx.accountId, id };
    if ((await find(key)) === null) throw refusal('payment_request.not_found', {});
    const eventIds = [await base.recordIds.next()];
    const gone = await base.sql.begin((tx) => withdraw(tx, ctx, { ids: [id], eventIds, comment }));
    if (gone.length > 0) return;
    const state = (await find(key))?.row.state ?? 'gone';
    if (state !== 'expired') {
      throw refusal('payment_request.not_withdrawable', { state });
    }
  };
};
