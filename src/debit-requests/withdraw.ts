import type { Base, Ctx } from '../platform/base.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { moveAll } from '../requests/index.ts';
import type { DebitKind } from './debit.ts';

/**
 * Cancels those of the debits that were not submitted, and returns their ids. Serialized with the
 * submission.
 */
export const withdrawDebits =
  ({ clocks }: Base) =>
  (
    tx: Transaction,
    { accountId, actor }: Ctx,
    kind: DebitKind,
    withdrawal: { ids: readonly number[]; eventIds: readonly number[]; comment: string },
  ): Promise<number[]> =>
    moveAll(tx, {
      ...withdrawal,
      accountId,
      kind,
      move: 'cancel',
      at: clocks.business.now(),
      actor,
    });
