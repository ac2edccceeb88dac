import { fileURLToPath } from 'node:url';
import type { S3Settings } from '../s3.ts';
import { type BackupStore, folderStore } from './store.ts';
import { bucketStore } from './store-s3.ts';

export interface BucketAccess {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * Opens the store at `file:///folder`, or at `https://host/bucket/prefix` of an S3-compatible
 * service. Throws for a service without `access`.
 */
export function openStore(address: string, access: BucketAccess | null): BackupStore {
  const url = new URL(address);
  if (url.protocol === 'file:') return folderStore(fileURLToPath(url));
  if (access === null) {
    throw new Error('Set BACKUP_ACCESS_KEY_ID and BACKUP_SECRET_ACCESS_KEY for that BACKUP_TO.');
  }
  const [bucket = '', ...prefix] = url.pathname.split('/').filter((part) => part !== '');
  const settings: S3Settings = { endpoint: url.origin, bucket, ...access };
  return bucketStore(settings, prefix.join('/'));
}
