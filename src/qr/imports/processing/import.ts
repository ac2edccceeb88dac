import { setImmediate as othersTurn } from 'node:timers/promises';
import { refuseUnlessActive } from '../../../accounts/index.ts';
import { itemAt } from '../../../kernel/lists.ts';
import { system } from '../../../platform/actor.ts';
import type { Base } from '../../../platform/base.ts';
import type { Transaction } from '../../../platform/postgres/connect.ts';
import { createFree, type MadeTogether } from '../../../requests/index.ts';
import { type Fault, presentFault } from '../../errors/batch-refusal.ts';
import { BrokenItem, type ItemContext, type QrItem, readItem, takenFault } from '../../item.ts';
import { newQr, type QrRow } from '../../row.ts';
import { type Batch, pageItems } from '../batch.ts';
import { refusal } from '../codes.ts';
import type { StoredFault, StoredOutcome } from '../result.ts';
import { storeOutcomes, takeItems } from '../store.ts';
import { itemsFrom } from './document.ts';

/** Items validated per turn of the event loop. */
const validatedAtOnce = 250;

/** The outcome of an item, as result pages show it. */
export interface Outcome {
  /** Index in `data`, from 0. */
  index: number;
  id: string | null;
  status: 'created' | 'rejected';
  errors: Fault[];
}

interface Validated {
  /** The valid items, by index. */
  valid: Map<number, QrItem>;
  outcomes: Outcome[];
}

const readWhole = (value: unknown, context: ItemContext): ReturnType<typeof readItem> =>
  value instanceof BrokenItem
    ? { ok: false, id: value.id, faults: value.faults }
    : readItem(value, context);

/** Validates consecutive items. Of several with the same id, the first counts. */
export async function validate(
  items: unknown[],
  from: number,
  context: ItemContext,
): Promise<Validated> {
  const valid = new Map<number, QrItem>();
  const ids = new Set<string>();
  const outcomes: Outcome[] = [];
  for (const [place, value] of items.entries()) {
    const index = from + place;
    const read = readWhole(value, context);
    if (!read.ok) {
      outcomes.push({ index, id: read.id, status: 'rejected', errors: read.faults });
    } else if (ids.has(read.item.id)) {
      outcomes.push({ index, id: read.item.id, status: 'rejected', errors: [takenFault()] });
    } else {
      ids.add(read.item.id);
      valid.set(index, read.item);
      outcomes.push({ index, id: read.item.id, status: 'created', errors: [] });
    }
    if (place % validatedAtOnce === validatedAtOnce - 1) await othersTurn();
  }
  return { valid, outcomes };
}

/** Builds the rows of valid items, with new numbers. */
export async function rowsOf(
  { clocks, requestIds }: Base,
  accountId: string,
  { valid }: Validated,
): Promise<QrRow[]> {
  const ids = await requestIds.take(valid.size);
  const now = clocks.business.now();
  return [...valid.values()].map((item, nth) =>
    newQr(item, { accountId, id: itemAt(ids, nth), now }),
  );
}

/** Turns the outcomes of taken ids into rejections. */
export function rejectTaken(outcomes: Outcome[], taken: ReadonlySet<string>): Outcome[] {
  if (taken.size === 0) return outcomes;
  return outcomes.map((outcome) =>
    outcome.status === 'created' && outcome.id !== null && taken.has(outcome.id)
      ? { ...outcome, status: 'rejected', errors: [takenFault()] }
      : outcome,
  );
}

const notActive = () => refusal('qr_upload.account_not_active', {});

/**
 * Inserts rows with free ids and one event for all, in the transaction of `tx`. Returns the taken
 * ids. Throws 409 if the account was suspended or closed.
 */
export async function insertRows(
  tx: Transaction,
  rows: QrRow[],
  creation: MadeTogether,
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  await refuseUnlessActive(tx, creation.accountId, notActive);
  return await createFree(tx, rows, creation);
}

/** Stores a fault as responses list it, plus the parameters for other languages. */
function storedFault(fault: Fault): StoredFault {
  const parameters = fault.said?.kept().parameters ?? {};
  return { ...presentFault(fault), ...(Object.keys(parameters).length > 0 && { parameters }) };
}

const stored = ({ index, id, status, errors }: Outcome): StoredOutcome => ({
  index,
  ...(id !== null && { id }),
  status,
  errors: errors.map(storedFault),
});

interface Page extends MadeTogether {
  from: number;
  count: number;
  outcomes: Outcome[];
  rows: QrRow[];
}

async function preparePage(
  base: Base,
  { account_id: accountId }: Batch,
  { from, items }: { from: number; items: unknown[] },
): Promise<Page> {
  const today = base.clocks.business.today();
  const validated = await validate(items, from, { accountId, today });
  const rows = await rowsOf(base, accountId, validated);
  const eventId = await base.recordIds.next();
  const { outcomes } = validated;
  const at = base.clocks.business.now();
  return { from, count: items.length, outcomes, rows, accountId, eventId, at, actor: system };
}

/** Creates a page's valid items. Returns false if another worker did. */
const writePage = (
  { sql }: Base,
  batch: Batch,
  page: Page,
  until: Temporal.Instant,
): Promise<boolean> =>
  sql.begin(async (tx) => {
    const { from, count, outcomes, rows } = page;
    if (!(await takeItems(tx, batch, { from, count, until }))) return false;
    const taken = await insertRows(tx, rows, page);
    await storeOutcomes(tx, batch, {
      created: rows.length - taken.size,
      page: from / pageItems,
      rows: JSON.stringify(rejectTaken(outcomes, taken).map(stored)),
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
  let from = batch.next_index;
  let writing: Promise<boolean> = Promise.resolve(true);
  for await (const items of itemsFrom(bytes, from, pageItems)) {
    const page = await preparePage(base, batch, { from, items });
    if (!(await writing) || signal.aborted) return false;
    writing = writePage(base, batch, page, until());
    // Awaited with the next page. Until then this avoids an unhandled rejection.
    writing.catch(() => {});
    from += items.length;
  }
  return await writing;
}
