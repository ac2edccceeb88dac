import { setImmediate as othersTurn } from 'node:timers/promises';
import { partsOf } from '../../kernel/lists.ts';
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
import { type Final, paymentOpen, stateRefusal } from '../state.ts';
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

/** The reason why a QR cannot change now. */
type Reason = 'unknown' | 'paying' | Final;

const refusalFor = (reason: Reason, verb: Verb): Refusal => {
  if (reason === 'unknown') return refusal('qr.not_found', {});
  return reason === 'paying' ? paymentOpen() : stateRefusal(reason, verb);
};

/** Locks QRs by id. `reasons` has those that cannot change. */
async function hold(
  { clocks }: Base,
  sql: Queryable,
  accountId: string,
  ids: string[],
): Promise<{ lockedRows: Map<string, QrRow>; reasons: Map<string, Reason> }> {
  const rows = await lockQrs(sql, accountId, ids);
  // Under the lock no payment can begin, and those that have begun are visible.
  const paying = await openAttemptsOf(
    sql,
    accountId,
    rows.map(({ id }) => id),
  );
  const lockedRows = new Map(rows.map((row) => [row.code, row]));
  const today = clocks.business.today();
  const reasonOf = (id: string): Reason | null => {
    const row = lockedRows.get(id);
    if (!row) return 'unknown';
    const state = stateOn(row, today);
    if (state !== 'pending') return state;
    return paying.has(row.id) ? 'paying' : null;
  };
  const reasons = new Map<string, Reason>();
  for (const id of ids) {
    const reason = reasonOf(id);
    if (reason !== null) reasons.set(id, reason);
  }
  return { lockedRows, reasons };
}

/** Faults of a call, found under the locks and put into words after them. */
interface Found {
  reasons: Map<string, Reason>;
  faults: ItemFault[];
}

function batchRefusal(
  { ids, faults: byForm }: Batch<unknown>,
  verb: Verb,
  { reasons, faults: ofValues }: Found,
): BatchRefusal {
  const shared = new Map<Reason, Fault>();
  const faultFor = (reason: Reason): Fault => {
    const known = shared.get(reason);
    if (known) return known;
    const { message, localized } = refusalFor(reason, verb);
    shared.set(reason, { message, localized });
    return { message, localized };
  };
  const byState = ids.flatMap((id, index) => {
    const reason = id === null ? undefined : reasons.get(id);
    return id === null || reason === undefined ? [] : [{ index, id, ...faultFor(reason) }];
  });
  const wrong = [...byForm, ...ofValues];
  const faults = [...wrong, ...byState].toSorted((a, b) => a.index - b.index);
  return new BatchRefusal(wrong.length > 0 ? 'qr.items_invalid' : 'qr.batch_refused', verb, faults);
}

function singleRefusal({ ids, faults }: Batch<unknown>, verb: Verb, found: Found): Refusal {
  const reason = found.reasons.get(ids[0] ?? '');
  if (reason !== undefined) return refusalFor(reason, verb);
  return new BatchRefusal('qr.items_invalid', verb, [...faults, ...found.faults]);
}

interface Changing<T> {
  verb: Verb;
  /**
   * Returns the faults of a value for its QR. `wasPaid` is true if the QR has been paid at least
   * once.
   */
  check(row: QrRow, value: T, wasPaid: boolean): Fault[];
  write(changeable: Changeable<T>): Promise<void>;
}

/** Values checked per turn of the event loop. */
const checkedAtOnce = 1_000;

/**
 * Locks the QRs of a call and, if all may change, runs `write` in one transaction. Of a concurrent
 * change and payment, exactly one wins. A refusal is put into words after the locks are released.
 */
export async function changeQrs<T>(
  base: Base,
  { ctx, batch, single }: ChangeQrs<T>,
  { verb, check, write }: Changing<T>,
): Promise<void> {
  const ids = batch.ids.filter((id) => id !== null);
  const faults = single ? batch.faults : [...batch.faults, ...repeatedIds(batch)];
  // Take ids before locking rows, because callers that wait for a lock may occupy every connection
  // that could fetch ids.
  const eventIds = await base.recordIds.take(batch.items.length);
  const refused = await base.sql.begin(async (sql): Promise<Found | null> => {
    const { lockedRows, reasons } = await hold(base, sql, ctx.accountId, ids);
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
    const ofValues: ItemFault[] = [];
    for (const [no, some] of partsOf(found, checkedAtOnce).entries()) {
      if (no > 0) await othersTurn();
      for (const { index, row: one, value } of some) {
        if (reasons.has(one.code)) continue;
        for (const fault of check(one, value, paid.has(one.id)))
          ofValues.push({ index, id: one.code, ...fault });
      }
    }
    if (faults.length + reasons.size + ofValues.length > 0) return { reasons, faults: ofValues };
    await write({ sql, qrs: found, eventIds, now: base.clocks.business.now() });
    return null;
  });
  if (refused === null) return;
  throw (single ? singleRefusal : batchRefusal)({ ...batch, faults }, verb, refused);
}
