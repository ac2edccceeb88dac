import type { Queryable } from '../../../platform/postgres/connect.ts';
import type { BatchKey } from '../batch.ts';
import type { Checked } from '../store.ts';

export const documents = { table: 'batch_chunks', owner: 'batch_id' };

/** One upload of a batch's document, numbered by start. */
export interface Upload extends BatchKey {
  upload: number;
}

/**
 * Claims the batch for an upload and clears an earlier one. Returns null if its address expired, or
 * an upload is running or done.
 */
export async function beginUpload(
  sql: Queryable,
  { accountId, id }: BatchKey,
  { now, until }: { now: Temporal.Instant; until: Temporal.Instant },
): Promise<Upload | null> {
  const [row] = await sql<{ upload: number }[]>`
    with taken as (
      update batches set state = 'uploading', upload = upload + 1, look_at = ${until}::timestamptz
      where account_id = ${accountId} and id = ${id} and stored_in = 'postgres'
        and expires_at > ${now}::timestamptz
        and (state = 'waiting_upload' or (state = 'uploading' and look_at <= ${now}::timestamptz))
      returning account_id, id, upload
    ),
    emptied as (
      delete from batch_chunks c using taken t where c.account_id = t.account_id and c.batch_id = t.id
    )
    select upload from taken`;
  return row ? { accountId, id, upload: row.upload } : null;
}

/** Stores a chunk. Returns false if another upload has replaced this one. */
export async function storeChunk(
  sql: Queryable,
  { accountId, id, upload }: Upload,
  chunk: { no: number; bytes: Uint8Array; until: Temporal.Instant },
): Promise<boolean> {
  const rows = await sql`
    with mine as (
      update batches set look_at = ${chunk.until}::timestamptz
      where account_id = ${accountId} and id = ${id} and state = 'uploading' and upload = ${upload}
      returning account_id, id
    )
    insert into batch_chunks (account_id, batch_id, no, bytes)
    select account_id, id, ${chunk.no}::int, ${chunk.bytes}::bytea from mine
    returning no`;
  return rows.length > 0;
}

/**
 * Completes an upload, after which workers take over. Returns false if another upload has replaced
 * this one.
 */
export async function endUpload(
  sql: Queryable,
  { accountId, id, upload }: Upload,
  { bytes, checked, now }: { bytes: number; checked: Checked | null; now: Temporal.Instant },
): Promise<boolean> {
  const rows = await sql`
    update batches set state = 'processing', bytes = ${bytes}, look_at = ${now}::timestamptz,
      total_count = ${checked?.totalCount ?? null}, webhook_url = ${checked?.webhookUrl ?? null}
    where account_id = ${accountId} and id = ${id} and state = 'uploading' and upload = ${upload}
    returning id`;
  return rows.length > 0;
}

/** Abandons an upload. The address accepts another while it is valid. */
export async function undoUpload(sql: Queryable, { accountId, id, upload }: Upload): Promise<void> {
  await sql`
    with freed as (
      update batches set state = 'waiting_upload', look_at = expires_at, tries = 0
      where account_id = ${accountId} and id = ${id} and state = 'uploading' and upload = ${upload}
      returning account_id, id
    )
    delete from batch_chunks c using freed f where c.account_id = f.account_id and c.batch_id = f.id`;
}

export async function removeChunks(sql: Queryable, { accountId, id }: BatchKey): Promise<void> {
  await sql`delete from batch_chunks where account_id = ${accountId} and batch_id = ${id}`;
}
