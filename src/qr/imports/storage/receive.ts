import type { Base } from '../../../platform/base.ts';
import type { Refusal } from '../../../platform/errors.ts';
import { chunksOf } from '../../../platform/imports/stored-file.ts';
import type { Sql } from '../../../platform/postgres/connect.ts';
import { beginsLikeGzip, compressed } from '../../errors/compressed.ts';
import { type BatchKey, largestDocument } from '../batch.ts';
import { refusal } from '../codes.ts';
import { createCheck, type DocumentCheck } from '../processing/document.ts';
import { refuseWithoutSpace, type UploadQuota } from '../quota.ts';
import { type Checked, readBatch, readRoom } from '../store.ts';
import { beginUpload, endUpload, storeChunk, type Upload, undoUpload } from './store-chunks.ts';

/** Chunks between two checks of the account's quota. */
const chunksBetween = 8;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const white = new Set(Buffer.from(' \t\r\n'));
const openBrace = '{'.charCodeAt(0);

/** Time without a chunk after which another upload may replace this one. */
const chunkTime = Temporal.Duration.from({ minutes: 1 });

export const tooLarge = (): Refusal => refusal('qr_upload.too_large', { most: largestDocument });

const used = (): Refusal => refusal('qr_upload.address_used', {});

export const notOurs = (): Refusal => refusal('qr_upload.address_unknown', {});

/** Returns why a batch accepts no upload. */
async function whyNot(sql: Sql, key: BatchKey): Promise<Refusal> {
  const batch = await readBatch(sql, key);
  if (batch?.stored_in !== 'postgres') return notOurs();
  const neverUploaded = batch.state === 'waiting_upload' || batch.state === 'failed';
  return neverUploaded && batch.bytes === null ? refusal('qr_upload.address_expired', {}) : used();
}

/** Yields chunks. Throws a refusal if the client disconnects. */
async function* uncut(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    throw refusal('qr_upload.cut', {});
  }
}

/** Rejects a document by its beginning, before the rest is stored. */
function refuseAtOnce(chunk: Buffer): void {
  if (beginsLikeGzip(chunk)) throw compressed();
  const start = chunk.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  const first = chunk.subarray(start).find((byte) => !white.has(byte));
  if (first !== openBrace) throw refusal('qr_upload.not_object', {});
}

async function storeDocument(
  { sql, clocks }: Base,
  upload: Upload,
  body: AsyncIterable<Uint8Array>,
  { quota, check }: { quota: UploadQuota; check: DocumentCheck },
): Promise<number> {
  let no = 0;
  let bytes = 0;
  for await (const chunk of chunksOf(uncut(body))) {
    if (no === 0) refuseAtOnce(chunk);
    if (no % chunksBetween === 0) {
      refuseWithoutSpace(await readRoom(sql, upload.accountId), quota);
    }
    bytes += chunk.length;
    if (bytes > largestDocument) throw tooLarge();
    const until = clocks.wall.now().add(chunkTime);
    const stored = storeChunk(sql, upload, { no, bytes: chunk, until });
    const [isOurs] = await Promise.all([stored, check.push(chunk)]);
    if (!isOurs) throw used();
    no += 1;
  }
  if (bytes === 0) throw refusal('qr_upload.empty', {});
  return bytes;
}

/**
 * Returns the check made on arrival, or null if it has a fault, which processing finds again and
 * reports.
 */
function soundOf(check: DocumentCheck): Checked | null {
  const checked = check.end();
  return 'totalCount' in checked ? checked : null;
}

export type ReceiveDocument = (key: BatchKey, body: AsyncIterable<Uint8Array>) => Promise<void>;

/**
 * Stores a batch's document as it arrives, with backpressure from the database, and checks it at
 * the same time. Once it resolves, the document is safe and will be processed. If it rejects,
 * nothing is stored, and the address accepts another upload until it expires.
 */
export const receiveDocument =
  (base: Base, quota: UploadQuota): ReceiveDocument =>
  async (key, body) => {
    const { sql, clocks } = base;
    const now = clocks.wall.now();
    const upload = await beginUpload(sql, key, { now, until: now.add(chunkTime) });
    if (!upload) throw await whyNot(sql, key);
    try {
      const check = createCheck();
      const bytes = await storeDocument(base, upload, body, { quota, check });
      const whole = { bytes, checked: soundOf(check), now: clocks.wall.now() };
      if (!(await endUpload(sql, upload, whole))) throw used();
    } catch (error) {
      await undoUpload(sql, upload);
      throw error;
    }
  };
