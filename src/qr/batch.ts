import { setImmediate as othersTurn } from 'node:timers/promises';
import { createItemReader } from '../kernel/json-items.ts';
import { partsOf } from '../kernel/lists.ts';
import { MalformedDocument, TooManyItems } from '../kernel/malformed-document.ts';
import type { Refusal } from '../platform/errors.ts';
import { integer } from '../platform/http/fields.ts';
import type { JsonSchema } from '../platform/http/form.ts';
import { itemsIn } from '../platform/imports/items.ts';
import { documentText } from '../platform/json-document.ts';
import { fault, refusal } from './codes.ts';
import { type Fault, faultOf, type ItemFault } from './errors/batch-refusal.ts';
import { beginsLikeGzip, compressed } from './errors/compressed.ts';

export const largestBatch = 10_000;
/** Items validated per turn of the event loop. */
export const validatedAtOnce = 250;
/** Enough for the largest valid batch, however its texts are escaped. */
export const largestBatchBytes = 96 * 1024 * 1024;
/** Maximum bytes per item, many times what its fields need. */
export const largestItemBytes = 64 * 1024;
/** Bounds of one item, many times what its fields need. */
export const itemBounds = { maxDepth: 100, maxValues: 1_000, maxNumberLength: 1_000 };

export type ItemReading<T> =
  | { ok: true; id: string; value: T }
  | { ok: false; id: string | null; faults: Fault[] };

/** The items of a call, with all faults so far. */
export interface Batch<T> {
  /** Each item's id with its prefix, by index. Null if unreadable. */
  ids: (string | null)[];
  items: { index: number; value: T }[];
  faults: ItemFault[];
}

const totalCount = integer({ min: 0, max: Number.MAX_SAFE_INTEGER, digits: true });

/**
 * Returns the fault of a list's number of items, or null. `count` is null if the list is missing.
 */
export function countFault(sent: unknown, count: number | null, most: number): Refusal | null {
  if (count === null) return refusal('qr.data_missing', {});
  if (count === 0) return refusal('qr.count_out_of_range', { most });
  const read = totalCount.parse(sent);
  if (!read.ok) return refusal('qr.count_invalid', { count });
  return read.value === count ? null : refusal('qr.count_differs', { sent: read.value, count });
}

export function emptyBatch<T>(): Batch<T> {
  return { ids: [], items: [], faults: [] };
}

export function addItem<T>(batch: Batch<T>, read: ItemReading<T>): void {
  const index = batch.ids.length;
  batch.ids.push(read.id);
  if (read.ok) {
    batch.items.push({ index, value: read.value });
    return;
  }
  const id = read.id === null ? {} : { id: read.id };
  for (const fault of read.faults) batch.faults.push({ index, ...id, ...fault });
}

const refusalOf = (error: unknown): unknown => {
  if (error instanceof TooManyItems)
    return refusal('qr.count_out_of_range', { most: largestBatch });
  return error instanceof MalformedDocument
    ? refusal('qr.body_malformed', { fault: documentText(error) })
    : error;
};

/**
 * Parses `{total_count, data}` piece by piece, yielding to other work. Collects faults of items.
 * Throws for a wrong count or a document that is not JSON.
 */
export async function readBatch<T>(
  bytes: Buffer,
  readOne: (value: unknown) => ItemReading<T>,
): Promise<Batch<T>> {
  if (bytes.length === 0) throw refusal('qr.body_empty', {});
  if (beginsLikeGzip(bytes)) throw compressed();
  const reader = createItemReader({
    list: 'data',
    maxItems: largestBatch,
    maxItemBytes: largestItemBytes,
    ...itemBounds,
  });
  const batch = emptyBatch<T>();
  try {
    for await (const values of itemsIn([bytes], reader)) {
      // A slice holds thousands of items if they are as small as `{}`.
      for (const [no, some] of partsOf(values, validatedAtOnce).entries()) {
        if (no > 0) await othersTurn();
        for (const value of some) addItem(batch, readOne(value));
      }
    }
    const { members, count } = reader.end();
    const wrong = countFault(members.total_count, count, largestBatch);
    if (wrong !== null) throw wrong;
  } catch (error) {
    throw refusalOf(error);
  }
  return batch;
}

const comma = ','.charCodeAt(0);
/** More commas than a few items have, even with commas in their texts. */
const manyCommas = 300;
/** More bytes than a few items have. */
const manyBytes = 64 * 1024;

/** Returns true if a batch's body may contain many items. Items may be as small as `{}`. */
export function isLargeBatch(bytes: Buffer): boolean {
  if (bytes.length > manyBytes) return true;
  let count = 0;
  for (let place = bytes.indexOf(comma); place >= 0; place = bytes.indexOf(comma, place + 1)) {
    count += 1;
    if (count > manyCommas) return true;
  }
  return false;
}

export const batchSchema = (items: JsonSchema, most = largestBatch): JsonSchema => ({
  type: 'object',
  required: ['total_count', 'data'],
  properties: {
    total_count: { type: 'integer', minimum: 1, maximum: most },
    data: { type: 'array', minItems: 1, maxItems: most, items },
  },
});

/** Returns a fault for each repetition of an id. Repetitions of one id share a formatted text. */
export function repeatedIds({ ids }: Batch<unknown>): ItemFault[] {
  const first = new Map<string, { index: number; shared: Fault | null }>();
  return ids.flatMap((id, index) => {
    if (id === null) return [];
    const before = first.get(id);
    if (before === undefined) {
      first.set(id, { index, shared: null });
      return [];
    }
    before.shared ??= faultOf(fault('qr.id_repeated', { index: before.index }), 'id');
    return [{ index, id, ...before.shared }];
  });
}
