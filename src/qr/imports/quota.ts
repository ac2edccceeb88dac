import { TooMany } from '../../platform/errors.ts';
import type { Room } from './store.ts';

/** What an account may have at one time. */
export interface UploadQuota {
  /** Addresses that may still take an upload, and documents that are not processed yet. */
  open: number;
  /** Bytes of documents in our database; a store of the operator's own has its own bounds. */
  bytes: number;
}

/** An address that nobody uses ends within a minute, and most documents are processed in less. */
const lookAgainAfterSeconds = 60;

export function refuseWithoutPlace({ open }: Room, quota: UploadQuota): void {
  if (open < quota.open) return;
  throw new TooMany(
    `This account has ${open} uploads that wait or are being processed; at most ${quota.open} are ` +
      'allowed. Repeat when one has ended; an address that is not used ends by itself.',
    lookAgainAfterSeconds,
  );
}

export function refuseWithoutSpace({ bytes }: Room, quota: UploadQuota): void {
  if (bytes < quota.bytes) return;
  throw new TooMany(
    `Documents of this account take ${bytes} bytes that are not processed yet; less than ` +
      `${quota.bytes} are allowed. Repeat when one has been processed.`,
    lookAgainAfterSeconds,
  );
}
