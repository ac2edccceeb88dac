import { tooMany } from './codes.ts';
import type { Room } from './store.ts';

/** An account's limits of concurrent uploads. */
export interface UploadQuota {
  /** Addresses that may still take an upload, and documents that are not processed yet. */
  open: number;
  /** Bytes of documents in our database; a store of the operator's own has its own bounds. */
  bytes: number;
}

/** An unused address expires within a minute, and most documents are processed in less. */
const lookAgainAfterSeconds = 60;

export function refuseWithoutPlace({ open }: Room, quota: UploadQuota): void {
  if (open < quota.open) return;
  throw tooMany('qr_upload.too_many', { open, most: quota.open }, lookAgainAfterSeconds);
}

export function refuseWithoutSpace({ bytes }: Room, quota: UploadQuota): void {
  if (bytes < quota.bytes) return;
  throw tooMany('qr_upload.no_room', { bytes, most: quota.bytes }, lookAgainAfterSeconds);
}
