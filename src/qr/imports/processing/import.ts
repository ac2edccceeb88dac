import { setImmediate as othersTurn } from 'node:timers/promises';
import { refuseUnlessActive } from '../../../accounts/index.ts';
import { partsOf } from '../../../kernel/lists.ts';
import { system } from '../../../platform/actor.ts';
import type { Base, Ctx } from '../../../platform/base.ts';
import { takeParts } from '../../../platform/imports/jobs.ts';
import type { Transaction } from '../../../platform/postgres/connect.ts';
import { validatedAtOnce } from '../../batch.ts';
import { prepareFreeQrs } from '../../dynamic/together.ts';
import { type Fault, presentFault } from '../../errors/batch-refusal.ts';
import {
  BrokenItem,
  type ItemContext,
  type QrItem,
  type ReadItem,
  readItem,
  takenFault,
} from '../../item.ts';
import type { QrRow } from '../../row.ts';
import { type Batch, pageItems } from '../batch.ts';
import { refusal } from '../codes.ts';
import type { StoredFault, StoredOutcome } from '../result.ts';
import { batchJobs, storeOutcomes } from '../store.ts';
import { itemsFrom } from './document.ts';

/** The outcome of an item, as result pages show it. */
export interface Outcome {
  /** Index in `data`, from 0. */
  index: number;
  id: string | null;
  status: 'created' | 'rejected';
  errors: Fault[];
}

/** An item's outcome with its QR, or null if it was rejected. */
export type Made = Outcome & { row: QrRow | null };

const readWhole = (value: unknown, context: ItemContext): ReadItem<QrItem> =>
  value instanceof BrokenItem
    ? { ok: false, id: value.id, faults: value.faults }
    : readItem(value, context);

async function readItems(
  items: readonly unknown[],
  context: ItemContext,
): Promise<ReadItem<QrItem>[]> {
  const reads: ReadItem<QrItem>[] = [];
  for (const some of partsOf(items, validatedAtOnce)) {
    reads.push(...some.map((value) => readWhole(value, context)));
    await othersTurn();
  }
  return reads;
}

const madeOf = (read: ReadItem<QrItem>, index: number, row: QrRow | null): Made => {
  if (!read.ok) return { index, id: read.id, status: 'rejected', errors: read.faults, row };
  return row === null
    ? { index, id: read.item.id, status: 'rejected', errors: [takenFault()], row }
    : { index, id: read.item.id, status: 'created', errors: [], row };
};

const notActive = () => refusal('qr_upload.account_not_active', {});

/**
 * Validates consecutive items, from index `from` on. The returned function creates the valid ones
 * with free ids in one transaction, and returns each item's outcome. Of several with the same id,
 * the first counts. It throws 409 if the account was suspended or closed.
 */
export function prepareItems(base: Base) {
  const prepare = prepareFreeQrs(base);
  return async (ctx: Ctx, { items, from }: { items: readonly unknown[]; from: number }) => {
    const { accountId } = ctx;
    const today = base.clocks.business.today();
    const reads = await readItems(items, { accountId, today });
    const valid = reads.flatMap((read) => (read.ok ? [read.item] : []));
    const create = await prepare(ctx, valid);
    return async (tx: Transaction): Promise<Made[]> => {
      if (valid.length > 0) await refuseUnlessActive(tx, accountId, notActive);
      const rows = (await create(tx)).values();
      return reads.map((read, place) =>
        madeOf(read, from + place, read.ok ? (rows.next().value ?? null) : null),
      );
    };
  };
}

/** Returns a fault in its stored form: as in responses, plus the parameters for other languages. */
function storedFault(fault: Fault): StoredFault {
  const parameters = fault.localized?.kept().parameters ?? {};
  return { ...presentFault(fault), ...(Object.keys(parameters).length > 0 && { parameters }) };
}

const stored = ({ index, id, status, errors }: Outcome): StoredOutcome => ({
  index,
  ...(id !== null && { id }),
  status,
  errors: errors.map(storedFault),
});

interface Page {
  from: number;
  count: number;
  create(tx: Transaction): Promise<Made[]>;
  until: Temporal.Instant;
}

/** Creates a page's valid items. Returns false if another worker did. */
const writePage = (
  { sql }: Base,
  batch: Batch,
  { from, count, create, until }: Page,
): Promise<boolean> =>
  sql.begin(async (tx) => {
    // They count as rejected until their outcomes are stored.
    const also = tx`, rejected = rejected + ${count}`;
    const taken = { cursor: 'next_index', from, count, until, also };
    if (!(await takeParts(tx, batchJobs.name, batch, taken))) return false;
    const made = await create(tx);
    await storeOutcomes(tx, batch, {
      created: made.filter(({ status }) => status === 'created').length,
      page: from / pageItems,
      rows: JSON.stringify(made.map(stored)),
    });
    return true;
  });

export interface ImportOptions {
  /** Returns when this worker's lease expires. */
  until(): Temporal.Instant;
  signal: AbortSignal;
}

/**
 * Imports the rest of a checked document, page by page. One transaction creates a page's QRs with
 * their outcomes and the next position, so that a crash duplicates nothing. Prepares the next page
 * while the last one is written. Returns false if it stopped early.
 */
export async function importDocument(
  base: Base,
  batch: Batch,
  bytes: AsyncIterable<Uint8Array>,
  { until, signal }: ImportOptions,
): Promise<boolean> {
  const prepare = prepareItems(base);
  let from = batch.next_index;
  let writing: Promise<boolean> = Promise.resolve(true);
  for await (const items of itemsFrom(bytes, from, pageItems)) {
    const create = await prepare({ accountId: batch.account_id, actor: system }, { items, from });
    if (!(await writing) || signal.aborted) return false;
    writing = writePage(base, batch, { from, count: items.length, create, until: until() });
    // Awaited with the next page. Until then this avoids an unhandled rejection.
    writing.catch(() => {});
    from += items.length;
  }
  return await writing;
}
