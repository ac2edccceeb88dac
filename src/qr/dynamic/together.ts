import { itemAt } from '../../kernel/lists.ts';
import { openAttemptsOf } from '../../money/charges/index.ts';
import { requestsPaidOnce } from '../../money/collections/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import type { Transaction } from '../../platform/postgres/connect.ts';
import { createFree, stateOn } from '../../requests/index.ts';
import { refusal } from '../codes.ts';
import type { QrItem } from '../item.ts';
import { newQr } from '../row.ts';
import { lockQrsByNumber, writeDeletions } from './store-changes.ts';

/**
 * Creates the QRs whose ids are free, in a caller's transaction and with one event. Returns a
 * refusal for each of the others.
 */
export const createFreeQrs =
  ({ clocks, requestIds, recordIds }: Base) =>
  async (
    tx: Transaction,
    { accountId, actor }: Ctx,
    items: readonly QrItem[],
  ): Promise<({ id: number } | Error)[]> => {
    const firsts = new Map(items.toReversed().map((item) => [item.id, item]));
    const distinctItems = items.filter((item) => firsts.get(item.id) === item);
    const [numbers, eventId] = await Promise.all([
      requestIds.take(distinctItems.length),
      recordIds.next(),
    ]);
    const at = clocks.business.now();
    const rows = distinctItems.map((item, nth) =>
      newQr(item, { accountId, id: itemAt(numbers, nth), now: at }),
    );
    const taken = await createFree(tx, rows, { accountId, eventId, at, actor });
    const made = new Map(
      distinctItems.map((item, nth) => [item, taken.has(item.id) ? null : itemAt(rows, nth).id]),
    );
    return items.map((item) => {
      const id = made.get(item) ?? null;
      return id === null ? refusal('qr.id_taken', {}) : { id };
    });
  };

/**
 * Deletes the QRs that have no payments, neither made nor in progress, and returns their numbers.
 * Serialized with payments.
 */
export const withdrawQrs =
  ({ clocks }: Base) =>
  async (
    tx: Transaction,
    { accountId, actor }: Ctx,
    { ids, eventIds }: { ids: readonly number[]; eventIds: readonly number[] },
  ): Promise<number[]> => {
    const lockedRows = await lockQrsByNumber(tx, accountId, ids);
    // Under the lock no payment can begin, and those that have begun are visible.
    const numbers = lockedRows.map(({ id }) => id);
    const paying = await openAttemptsOf(tx, accountId, numbers);
    // A QR for many payments stays pending after one.
    const paid = await requestsPaidOnce(tx, accountId, numbers);
    const today = clocks.business.today();
    const gone = lockedRows.filter(
      (row) => stateOn(row, today) === 'pending' && !paying.has(row.id) && !paid.has(row.id),
    );
    const qrs = gone.map(({ id, total1: total }) => ({ key: { accountId, id }, total }));
    const at = clocks.business.now();
    if (qrs.length > 0) await writeDeletions(tx, qrs, { at, actor, eventIds: [...eventIds] });
    return gone.map(({ id }) => id);
  };
