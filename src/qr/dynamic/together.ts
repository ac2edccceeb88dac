import { itemAt } from '../../kernel/lists.ts';
import { openAttemptsOf } from '../../money/charges/index.ts';
import { requestsPaidOnce } from '../../money/collections/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import type { Transaction } from '../../platform/postgres/connect.ts';
import { createFree, stateOn } from '../../requests/index.ts';
import { refusal } from '../codes.ts';
import type { QrItem } from '../item.ts';
import { newQr, type QrRow } from '../row.ts';
import { lockQrsByNumber, writeDeletions } from './store-changes.ts';

/**
 * Prepares QRs whose ids may be taken, with one event, before their transaction. The returned
 * function creates those with free ids. It returns each item's row, or null if its id is taken or
 * an earlier item has it.
 */
export const prepareFreeQrs =
  ({ clocks, requestIds, recordIds }: Base) =>
  async ({ accountId, actor }: Ctx, items: readonly QrItem[]) => {
    const firsts = new Map(items.toReversed().map((item) => [item.id, item]));
    const distinctItems = items.filter((item) => firsts.get(item.id) === item);
    const [numbers, eventId] = await Promise.all([
      requestIds.take(distinctItems.length),
      recordIds.next(),
    ]);
    const at = clocks.business.now();
    const rows = new Map(
      distinctItems.map((item, nth) => [
        item,
        newQr(item, { accountId, id: itemAt(numbers, nth), now: at }),
      ]),
    );
    return async (tx: Transaction): Promise<(QrRow | null)[]> => {
      const taken = await createFree(tx, [...rows.values()], { accountId, eventId, at, actor });
      return items.map((item) => (taken.has(item.id) ? null : (rows.get(item) ?? null)));
    };
  };

/**
 * Creates the QRs whose ids are free, in a caller's transaction. Returns a refusal for each of the
 * others.
 */
export function createFreeQrs(base: Base) {
  const prepare = prepareFreeQrs(base);
  return async (
    tx: Transaction,
    ctx: Ctx,
    items: readonly QrItem[],
  ): Promise<({ id: number } | Error)[]> => {
    const create = await prepare(ctx, items);
    return (await create(tx)).map((row) => row ?? refusal('qr.id_taken', {}));
  };
}

/**
 * Deletes the QRs that are payable today and have no payments, made or in progress. Returns their
 * numbers. Serialized with payments.
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
