import { openAttemptsOf } from '../../money/charges/index.ts';
import { requestsPaidOnce } from '../../money/collections/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import type { Refusal } from '../../platform/errors.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { stateOn } from '../../requests/index.ts';
import { type Batch, repeatedIds } from '../batch.ts';
import { refusal } from '../codes.ts';
import { BatchRefusal, type Fault, type ItemFault } from '../errors/batch-refusal.ts';
import type { QrRow } from '../row.ts';
import { paymentOpen, stateRefusal } from '../state.ts';
import { lockQrs } from './store-changes.ts';

/** A call that edits or deletes QRs, all or none. */
export interface ChangeQrs<T> {
  ctx: Ctx;
  batch: Batch<T>;
  /**
   * True for the single QR in a path, whose refusal has its own code. A batch gets a list of
   * faults.
   */
  single: boolean;
}

/** Locked QRs that may change, with their inputs. */
export interface Changeable<T> {
  sql: Queryable;
  qrs: { row: QrRow; value: T }[];
  eventIds: number[];
  now: Temporal.Instant;
}

type Verb = 'edited' | 'deleted';

/** Returns why a QR cannot change now, or null. */
type WhyNot = (id: string) => Refusal | null;

async function hold(
  { clocks }: Base,
  sql: Queryable,
  accountId: string,
  ids: string[],
  verb: Verb,
): Promise<{ lockedRows: Map<string, QrRow>; whyNot: WhyNot }> {
  const rows = await lockQrs(sql, accountId, ids);
  // Under the lock no payment can begin, and those that have begun are visible.
  const paying = await openAttemptsOf(
    sql,
    accountId,
    rows.map(({ id }) => id),
  );
  const lockedRows = new Map(rows.map((row) => [row.code, row]));
  const today = clocks.business.today();
  const whyNot: WhyNot = (id) => {
    const row = lockedRows.get(id);
    if (!row) return refusal('qr.not_found', {});
    const state = stateOn(row, today);
    if (state !== 'pending') return stateRefusal(state, verb);
    return paying.has(row.id) ? paymentOpen() : null;
  };
  return { lockedRows, whyNot };
}

function refuseBatch(batch: Batch<unknown>, verb: Verb, whyNot: WhyNot): void {
  const byForm = [...batch.faults, ...repeatedIds(batch)];
  const byState: ItemFault[] = batch.ids.flatMap((id, index) => {
    const reason = id === null ? null : whyNot(id);
    if (id === null || reason === null) return [];
    return [{ index, id, message: reason.message, said: reason.said }];
  });
  if (byForm.length === 0 && byState.length === 0) return;
  const faults = [...byForm, ...byState].toSorted((a, b) => a.index - b.index);
  const code = byForm.length > 0 ? 'qr.items_invalid' : 'qr.batch_refused';
  throw new BatchRefusal(code, verb, faults);
}

function refuseSingle({ ids, faults }: Batch<unknown>, verb: Verb, whyNot: WhyNot): void {
  const [id] = ids;
  const reason = id ? whyNot(id) : null;
  if (reason) throw reason;
  if (faults.length > 0) throw new BatchRefusal('qr.items_invalid', verb, faults);
}

interface Changing<T> {
  verb: Verb;
  /** Returns a value's faults for its QR, which payers may have paid already. */
  check(row: QrRow, value: T, wasPaid: boolean): Fault[];
  write(changeable: Changeable<T>): Promise<void>;
}

/**
 * Locks the QRs of a call and, if all may change, runs `write` in one transaction. Of a concurrent
 * change and payment, exactly one wins.
 */
export async function changeQrs<T>(
  base: Base,
  { ctx, batch, single }: ChangeQrs<T>,
  { verb, check, write }: Changing<T>,
): Promise<void> {
  const ids = batch.ids.filter((id) => id !== null);
  // Take ids before locking rows, because callers that wait for a lock may occupy all connections
  // that hand out ids.
  const eventIds = await base.recordIds.take(batch.items.length);
  await base.sql.begin(async (sql) => {
    const { lockedRows, whyNot } = await hold(base, sql, ctx.accountId, ids, verb);
    const found = batch.items.flatMap(({ index, value }) => {
      const one = lockedRows.get(batch.ids[index] ?? '');
      return one ? [{ index, row: one, value }] : [];
    });
    const paid = await requestsPaidOnce(
      sql,
      ctx.accountId,
      // A result raises the version, and only QRs for many payments stay open after one.
      found.flatMap(({ row: { id, version, details } }) =>
        details.multiple_payment && version > 1 ? [id] : [],
      ),
    );
    const faults = found
      .filter((one) => whyNot(one.row.code) === null)
      .flatMap(({ index, row: one, value }) =>
        check(one, value, paid.has(one.id)).map((fault) => ({ index, id: one.code, ...fault })),
      );
    const checked = { ...batch, faults: [...batch.faults, ...faults] };
    if (single) refuseSingle(checked, verb, whyNot);
    else refuseBatch(checked, verb, whyNot);
    await write({ sql, qrs: found, eventIds, now: base.clocks.business.now() });
  });
}
