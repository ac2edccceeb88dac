import type { Base, Ctx } from '../platform/base.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { moveAll } from '../requests/index.ts';
import type { DebitKind } from './debit.ts';

/**
 * Cancels, of these debits, those that were not handed over to a bank or processor yet, and answers
 * which; of a withdrawal and the submission one is first.
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
