import type { Base, Ctx } from '../platform/base.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { moveAll } from '../requests/index.ts';

export interface Withdrawal {
  ids: readonly number[];
  /** One for each of them. */
  eventIds: readonly number[];
  /** By whom and why. */
  comment: string;
}

/**
 * Takes back what nobody has paid: it expires at once, and says by whom. Answers which; of a
 * withdrawal and a payment one is first, and what was paid stays paid. Offline money that still
 * comes for the others is recorded.
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
