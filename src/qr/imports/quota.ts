import { tooMany } from './codes.ts';
import type { Room } from './store.ts';

/** An account's limits on concurrent uploads. */
export interface UploadQuota {
  /** Maximum number of open upload addresses and unprocessed documents together. */
  open: number;
  /**
   * Uploads are refused once the account's documents in our database have this many bytes. An
   * operator's own store has its own limits.
   */
  bytes: number;
}

/**
 * When a refused caller should retry. An unused address expires within a minute, and most documents
 * are processed sooner.
 */
const lookAgainAfterSeconds = 60;

export function refuseWithoutPlace({ open }: Room, quota: UploadQuota): void {
  if (open < quota.open) return;
  throw tooMany('qr_upload.too_many', { open, most: quota.open }, lookAgainAfterSeconds);
}

export function refuseWithoutSpace({ bytes }: Room, quota: UploadQuota): void {
  if (bytes < quota.bytes) return;
  throw tooMany('qr_upload.no_room', { bytes, most: quota.bytes }, lookAgainAfterSeconds);
}
