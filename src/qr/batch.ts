import { setImmediate as othersTurn } from 'node:timers/promises';
import { createItemReader, MalformedDocument, TooManyItems } from '../kernel/json-items.ts';
import { integer } from '../platform/http/fields.ts';
import type { JsonSchema } from '../platform/http/form.ts';
import { fault, refusal } from './codes.ts';
import { type Fault, faultOf, type ItemFault } from './errors/batch-refusal.ts';
import { beginsLikeGzip, compressed } from './errors/compressed.ts';

/** Maximum number of items per call. */
export const largestBatch = 10_000;
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
  /** The valid items. */
  items: { index: number; value: T }[];
  faults: ItemFault[];
}

const pieceBytes = 64 * 1024;

const totalCount = integer({ min: 0, max: Number.MAX_SAFE_INTEGER, digits: true });

export function checkCount(sent: unknown, count: number): void {
  const read = totalCount.parse(sent);
  if (!read.ok) throw refusal('qr.count_invalid', { count });
  if (read.value !== count) throw refusal('qr.count_differs', { sent: read.value, count });
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

const outOfRange = () => refusal('qr.count_out_of_range', { most: largestBatch });

const refusalOf = (error: unknown): unknown => {
  if (error instanceof TooManyItems) return outOfRange();
  return error instanceof MalformedDocument
    ? refusal('qr.body_malformed', { fault: error.message })
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
    for (let index = 0; index < bytes.length; index += pieceBytes) {
      if (index > 0) await othersTurn();
      for (const value of reader.push(bytes.subarray(index, index + pieceBytes))) {
        addItem(batch, readOne(value));
      }
    }
    const { members, count } = reader.end();
    if (count === 0 && !bytes.includes('"data"')) throw refusal('qr.data_missing', {});
    if (count === 0) throw outOfRange();
    checkCount(members.total_count, count);
  } catch (error) {
    throw refusalOf(error);
  }
  return batch;
}

/** Returns the JSON schema of a batch's body. */
export const batchSchema = (items: JsonSchema, most = largestBatch): JsonSchema => ({
  type: 'object',
  required: ['total_count', 'data'],
  properties: {
    total_count: { type: 'integer', minimum: 1, maximum: most },
    data: { type: 'array', minItems: 1, maxItems: most, items },
  },
});

/** Returns a fault for each repetition of an id. */
export function repeatedIds({ ids }: Batch<unknown>): ItemFault[] {
  const first = new Map<string, number>();
  return ids.flatMap((id, index) => {
    if (id === null) return [];
    const before = first.get(id);
    if (before === undefined) {
      first.set(id, index);
      return [];
    }
    return [{ index, id, ...faultOf(fault('qr.id_repeated', { index: before }), 'id') }];
  });
}
