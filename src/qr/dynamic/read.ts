import type { Ctx } from '../../platform/base.ts';
import type { Clocks } from '../../platform/clocks.ts';
import { readJsonBody } from '../../platform/http/body.ts';
import {
  addItem,
  type Batch,
  countFault,
  emptyBatch,
  type ItemReading,
  readBatch,
} from '../batch.ts';
import { fault, refusal } from '../codes.ts';
import { faultOf } from '../errors/batch-refusal.ts';
import { beginsLikeGzip, compressed } from '../errors/compressed.ts';
import {
  type ItemContext,
  type QrEdit,
  type QrItem,
  type ReadItem,
  readEdit,
  readItem,
  readQrId,
} from '../item.ts';

type Reader<T> = (value: unknown) => ItemReading<T>;

const itemReader = <T extends { id: string }>(
  readOne: (value: unknown, context: ItemContext) => ReadItem<T>,
  clocks: Clocks,
  { accountId }: Ctx,
): Reader<T> => {
  const context = { accountId, today: clocks.business.today() };
  return (value) => {
    const read = readOne(value, context);
    return read.ok ? { ok: true, id: read.item.id, value: read.item } : read;
  };
};

const idReader =
  ({ accountId }: Ctx): Reader<string> =>
  (value) => {
    if (typeof value !== 'string') {
      return { ok: false, id: null, faults: [faultOf(fault('qr.item_not_id', {}))] };
    }
    const id = readQrId(value, accountId);
    if (id.ok) return { ok: true, id: id.value, value: id.value };
    return { ok: false, id: null, faults: (id.errors ?? []).map((text) => faultOf(text)) };
  };

/** Parses the body of save-qr-data. */
export const readItems = (clocks: Clocks, bytes: Buffer, ctx: Ctx): Promise<Batch<QrItem>> =>
  readBatch(bytes, itemReader(readItem, clocks, ctx));

/** Parses the body of batch-edit-qr. */
export const readEdits = (clocks: Clocks, bytes: Buffer, ctx: Ctx): Promise<Batch<QrEdit>> =>
  readBatch(bytes, itemReader(readEdit, clocks, ctx));

/** Parses the body of batch-delete-qr. */
export const readIds = (bytes: Buffer, ctx: Ctx): Promise<Batch<string>> =>
  readBatch(bytes, idReader(ctx));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);

/**
 * Returns the only item of `{total_count: 1, data: [item]}`. Throws 400 for another number of
 * items.
 */
function onlyItem(body: Record<string, unknown>): unknown {
  const { data } = body;
  if (!Array.isArray(data)) throw refusal('qr.data_not_list', {});
  if (data.length !== 1) throw refusal('qr.only_one', { count: data.length });
  const wrong = countFault(body.total_count, data.length, 1);
  if (wrong !== null) throw wrong;
  return data[0];
}

/** Parses the id in a path and adds its prefix. Throws 404 if it is malformed. */
export function pathId(sent: string, { accountId }: Ctx): string {
  const id = readQrId(sent, accountId);
  if (!id.ok) throw refusal('qr.not_found', {});
  return id.value;
}

/** Wraps an item as a batch of the one QR that the path names. */
function batchOf<T>(id: string, read: ItemReading<T>): Batch<T> {
  const batch = emptyBatch<T>();
  if (read.id !== null && read.id !== id) {
    const other = faultOf(fault('qr.id_not_of_path', { id }), 'id');
    addItem(batch, { ok: false, id, faults: [other, ...(read.ok ? [] : read.faults)] });
  } else {
    addItem(batch, { ...read, id });
  }
  return batch;
}

/**
 * Reads the parsed body of edit-qr. An item without an id means the path's QR. Throws 400 for
 * anything but one item.
 */
export function readOneEdit(clocks: Clocks, body: unknown, id: string, ctx: Ctx): Batch<QrEdit> {
  if (!isObject(body)) throw refusal('qr.body_not_item', {});
  const item = Object.hasOwn(body, 'data') ? onlyItem(body) : body;
  const named = isObject(item) && !item.id ? { ...item, id } : item;
  return batchOf(id, itemReader(readEdit, clocks, ctx)(named));
}

/**
 * Reads the body of delete-qr: nothing, an empty object, or `data` with the path's QR as its only
 * item. Throws 400 for any other body.
 */
export function readOneId(body: unknown, id: string, ctx: Ctx): Batch<string> {
  const read = idReader(ctx);
  const sent = body ?? {};
  if (isObject(sent)) {
    if (Object.hasOwn(sent, 'data')) return batchOf(id, read(onlyItem(sent)));
    if (Object.keys(sent).length === 0) return batchOf(id, read(id));
  }
  throw refusal('qr.body_not_named', {});
}

/** Parses a small body as a whole. */
export async function readSmall(bytes: Buffer): Promise<unknown> {
  if (beginsLikeGzip(bytes)) throw compressed();
  return await readJsonBody(bytes);
}
