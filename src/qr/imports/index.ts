import type { Base, Ctx } from '../../platform/base.ts';
import type { Links } from '../../platform/links.ts';
import type { S3Settings } from '../../platform/s3.ts';
import type { QrTerms } from '../payload/payload.ts';
import { type OnceSecret, openBatch } from './open.ts';
import type { NotifyOnce } from './processing/end.ts';
import type { AddressFault } from './processing/process.ts';
import { bulkWorker } from './processing/worker.ts';
import type { UploadQuota } from './quota.ts';
import { getBatchResult } from './result.ts';
import { postgresStorage } from './storage/postgres.ts';
import { receiveDocument } from './storage/receive.ts';
import { s3Storage } from './storage/s3.ts';
import type { Storages } from './storage/storage.ts';
import { listBatches } from './store.ts';

export type { Batch, BatchState } from './batch.ts';
export type { OnceSecret } from './open.ts';
export type { NotifyOnce } from './processing/end.ts';
export type { BatchResult, StoredOutcome } from './result.ts';
export type { ListedBatch } from './store.ts';

export interface BulkParts {
  links: Links;
  /** Null if documents are stored in PostgreSQL. */
  s3: S3Settings | null;
  notifyOnce: NotifyOnce;
  /** Checks a document's webhook_url before anything is created. */
  addressFault: AddressFault;
  onceSecret: OnceSecret;
  quota: UploadQuota;
}

/** Builds the verbs of document imports. Workers call `work` repeatedly. */
export function createBulkVerbs(
  base: Base,
  { links, s3, notifyOnce, addressFault, onceSecret, quota }: BulkParts,
) {
  const storages: Storages = {
    postgres: postgresStorage(base.sql, links),
    s3: s3 && s3Storage(s3),
  };
  const storage = storages.s3 ?? storages.postgres;
  const storedIn = storages.s3 ? 's3' : 'postgres';
  const open = openBatch(base, { storage, storedIn, onceSecret, quota });
  const receive = receiveDocument(base, quota);
  return {
    open,
    receive,
    /** Accepts a whole file. Loads the spreadsheet reader on demand. */
    async upload(ctx: Ctx, bytes: Buffer, terms: QrTerms): Promise<number> {
      const { uploadDocument } = await import('./upload.ts');
      return await uploadDocument({ open, receive, elsewhere: storages.s3 })(ctx, bytes, terms);
    },
    list: (accountId: string, page: { before: number | null; limit: number }) =>
      listBatches(base.sql, accountId, page),
    result: getBatchResult(base),
    work: bulkWorker(base, { storages, notifyOnce, addressFault }),
  };
}

export type Bulk = ReturnType<typeof createBulkVerbs>;
