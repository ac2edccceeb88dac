/** `uploading` is internal: to callers such a batch still waits for its document. */
export type BatchState = 'waiting_upload' | 'uploading' | 'processing' | 'completed' | 'failed';

export interface BatchKey {
  accountId: string;
  id: number;
}

/** An import of QRs from a document, from the address for its upload to its result. */
export interface Batch {
  account_id: string;
  id: number;
  state: BatchState;
  stored_in: 'postgres' | 's3';
  expires_at: Temporal.Instant;
  /** Number of uploads begun. */
  upload: number;
  /** Size of the document; null until it has arrived. */
  bytes: number | null;
  /** The stored object's version when it was found; null in PostgreSQL. */
  version: string | null;
  webhook_url: string | null;
  /** Null until the whole document was read once. */
  total_count: number | null;
  /** Items before this one are done, for good. */
  next_index: number;
  created: number;
  rejected: number;
  error: string | null;
  /** Attempts since a step of it last succeeded, including this one. */
  tries: number;
  /** The service's key that the secret of its webhook is derived from. */
  secret_key_no: number;
}

export const keyOf = (batch: Pick<Batch, 'account_id' | 'id'>): BatchKey => ({
  accountId: batch.account_id,
  id: batch.id,
});

/** Its entity name in events and webhooks. */
export const batchEntity = 'qr_batch';

/** The time for which an address accepts the beginning of an upload. */
export const uploadMayBegin = Temporal.Duration.from({ minutes: 1 });

/** Largest document, in bytes. */
export const largestDocument = 512 * 1024 * 1024;

/** Most items in a document. */
export const mostItems = 100_000;

/** Items in a page of the result. */
export const pageItems = 1_000;
