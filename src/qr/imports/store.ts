import type { LocalizedText } from '../../language/localized-text.ts';
import type { JobTable } from '../../platform/imports/jobs.ts';
import { lockNames } from '../../platform/postgres/advisory-lock.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { storedText } from '../../platform/refusals.ts';
import type { Batch, BatchKey } from './batch.ts';

const batchColumns = (sql: Queryable) => sql`
  account_id, id, state, stored_in, expires_at, upload, bytes, version, webhook_url, total_count,
  next_index, created, rejected, error, tries, secret_key_no`;

/** Batches as jobs of `bulkWorker`. */
export const batchJobs: JobTable<Batch, Batch> = {
  name: 'batches',
  columns: batchColumns,
  jobOf: (batch) => batch,
};

export type ListedBatch = Batch & { created_at: Temporal.Instant };

export interface NewBatch extends BatchKey {
  storedIn: Batch['stored_in'];
  createdAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
  lookAt: Temporal.Instant;
  secretKeyNo: number;
}

export async function insertBatch(sql: Queryable, batch: NewBatch): Promise<void> {
  await sql`
    insert into batches (account_id, id, state, stored_in, created_at, expires_at, look_at,
      secret_key_no)
    values (${batch.accountId}, ${batch.id}, 'waiting_upload', ${batch.storedIn},
      ${batch.createdAt}::timestamptz, ${batch.expiresAt}::timestamptz,
      ${batch.lookAt}::timestamptz, ${batch.secretKeyNo})`;
}

export interface Room {
  open: number;
  bytes: number;
}

/** Blocks other calls that open an upload for the account until the transaction ends. */
export const lockRoom = (tx: Queryable, accountId: string): Promise<void> =>
  lockNames(tx, `uploads ${accountId}`);

export async function readRoom(sql: Queryable, accountId: string): Promise<Room> {
  const [room] = await sql<Room[]>`
    select count(*)::int as open, coalesce(sum((
      select sum(octet_length(c.bytes)) from batch_chunks c
      where c.account_id = b.account_id and c.batch_id = b.id
    )), 0)::bigint as bytes
    from batches b where account_id = ${accountId} and look_at is not null`;
  return room ?? { open: 0, bytes: 0 };
}

export async function readBatch(
  sql: Queryable,
  { accountId, id }: BatchKey,
): Promise<Batch | null> {
  const [batch] = await sql<Batch[]>`
    select ${batchColumns(sql)} from batches where account_id = ${accountId} and id = ${id}`;
  return batch ?? null;
}

/**
 * Lists the account's batches that have a document or are receiving one, newest first, with an id
 * below `before`.
 */
export const listBatches = (
  sql: Queryable,
  accountId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<ListedBatch[]> => sql<ListedBatch[]>`
  select ${batchColumns(sql)}, created_at from batches
  where account_id = ${accountId} and id < ${before ?? Number.MAX_SAFE_INTEGER}
    and (bytes is not null or state in ('uploading', 'processing'))
  order by id desc limit ${limit}`;

/**
 * Reads a batch, and the rows of one page of outcomes, counted from 0. `rows` is null until the
 * page is stored. Returns null for an unknown batch.
 */
export async function readBatchPage(
  sql: Queryable,
  { accountId, id }: BatchKey,
  no: number,
): Promise<{ batch: Batch; rows: string | null } | null> {
  const [row] = await sql<(Batch & { rows: string | null })[]>`
    select ${batchColumns(sql)}, (
      select rows from batch_pages p
      where p.account_id = ${accountId} and p.batch_id = ${id} and p.no = ${no}
    ) as rows
    from batches where account_id = ${accountId} and id = ${id}`;
  return row ? { batch: row, rows: row.rows } : null;
}

/** Records that a document was found in its store. */
export async function noteArrival(
  sql: Queryable,
  batch: Batch,
  { bytes, version, now }: { bytes: number; version: string | null; now: Temporal.Instant },
): Promise<void> {
  await sql`
    update batches set state = 'processing', bytes = ${bytes}, version = ${version},
      look_at = ${now}::timestamptz, tries = 0
    where account_id = ${batch.account_id} and id = ${batch.id} and state = 'waiting_upload'`;
}

export interface Checked {
  totalCount: number;
  webhookUrl: string | null;
}

/** Records that the whole document was read and may be imported. */
export async function noteChecked(
  sql: Queryable,
  batch: Batch,
  { totalCount, webhookUrl }: Checked,
): Promise<void> {
  await sql`
    update batches set total_count = ${totalCount}, webhook_url = ${webhookUrl}, tries = 0
    where account_id = ${batch.account_id} and id = ${batch.id} and state = 'processing'`;
}

/**
 * Ends a batch, so that only its document is left to remove. Returns null if its state changed
 * meanwhile, as when it had already ended.
 */
export async function endBatch(
  sql: Queryable,
  batch: Batch,
  end: {
    state: 'completed' | 'failed';
    error: string | LocalizedText | null;
    webhookUrl: string | null;
    now: Temporal.Instant;
  },
): Promise<Batch | null> {
  const error = end.error === null ? null : storedText(end.error);
  const [ended] = await sql<Batch[]>`
    update batches set state = ${end.state}, error = ${error},
      webhook_url = ${end.webhookUrl}, look_at = ${end.now}::timestamptz, tries = 0
    where account_id = ${batch.account_id} and id = ${batch.id} and state = ${batch.state}
    returning ${batchColumns(sql)}`;
  return ended ?? null;
}

/** Counts the created items and stores the page of outcomes. */
export async function storeOutcomes(
  sql: Queryable,
  batch: Batch,
  { created, page, rows }: { created: number; page: number; rows: string },
): Promise<void> {
  await sql`
    with counted as (
      update batches set created = created + ${created}, rejected = rejected - ${created}
      where account_id = ${batch.account_id} and id = ${batch.id}
    )
    insert into batch_pages (account_id, batch_id, no, rows)
    values (${batch.account_id}, ${batch.id}, ${page}, ${rows})`;
}
