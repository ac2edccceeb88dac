import { setImmediate as othersTurn } from 'node:timers/promises';
import { createItemReader, MalformedDocument, TooManyItems } from '../kernel/json-items.ts';
import { integer } from '../platform/http/fields.ts';
import type { JsonSchema } from '../platform/http/form.ts';
import { fault, refusal } from './codes.ts';
import { type Fault, faultOf, type ItemFault } from './errors/batch-refusal.ts';
import { beginsLikeGzip, compressed } from './errors/compressed.ts';

/** Most items of one call. */
export const largestBatch = 10_000;
/** The largest legal batch fits, whatever way its texts are escaped. */
export const largestBatchBytes = 96 * 1024 * 1024;
/** Most bytes of one item: many times the need of its fields. */
export const largestItemBytes = 64 * 1024;
/** Bounds of one item: many times its fields' need, however others nest besides. */
export const itemBounds = { maxDepth: 100, maxValues: 1_000, maxNumberLength: 1_000 };

/** The result of reading one item. */
export type ItemReading<T> =
  | { ok: true; id: string; value: T }
  | { ok: false; id: string | null; faults: Fault[] };

/** The items of a call, read, with everything that is wrong with them so far. */
export interface Batch<T> {
  /** Each item's id with its prefix, by index; null if it was unreadable. */
  ids: (string | null)[];
  /** Those that are valid by themselves. */
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

/** The batch of items that were parsed. */
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
 * Reads `{total_count, data}` a piece at a time, so that other calls get their turns between.
 * Faults of items are gathered; a count that is wrong, or a document that is not JSON, is refused.
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

/** The shape of a batch's body, for the OpenAPI document. */
export const batchSchema = (items: JsonSchema, most = largestBatch): JsonSchema => ({
  type: 'object',
  required: ['total_count', 'data'],
  properties: {
    total_count: { type: 'integer', minimum: 1, maximum: most },
    data: { type: 'array', minItems: 1, maxItems: most, items },
  },
});

/** Ids that come more than once: a fault at each later place. */
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
