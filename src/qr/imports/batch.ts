/** `uploading` is internal. Callers see `waiting_upload`. */
export type BatchState = 'waiting_upload' | 'uploading' | 'processing' | 'completed' | 'failed';

export interface BatchKey {
  accountId: string;
  id: number;
}

/** An import of QRs from an uploaded document. */
export interface Batch {
  account_id: string;
  id: number;
  state: BatchState;
  stored_in: 'postgres' | 's3';
  expires_at: Temporal.Instant;
  /** Number of uploads begun. */
  upload: number;
  /** Size in bytes. Null until the document has arrived. */
  bytes: number | null;
  /** ETag of the stored object when the worker found it. Null in PostgreSQL. */
  version: string | null;
  webhook_url: string | null;
  /** Null until the document was read in full. */
  total_count: number | null;
  /** Items before this index are done. */
  next_index: number;
  created: number;
  rejected: number;
  error: string | null;
  /** Attempts since the last successful step, including this one. */
  tries: number;
  /** Number of the service key from which its webhook secret is derived. */
  secret_key_no: number;
}

export const keyOf = (batch: Pick<Batch, 'account_id' | 'id'>): BatchKey => ({
  accountId: batch.account_id,
  id: batch.id,
});

export const batchEntity = 'qr_batch';

/** Time within which an upload must start once its address exists. */
export const uploadMayBegin = Temporal.Duration.from({ minutes: 1 });

/** Largest document, in bytes. */
export const largestDocument = 512 * 1024 * 1024;

export const mostItems = 100_000;

/** Items in a page of the result. */
export const pageItems = 1_000;
