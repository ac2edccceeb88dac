import type { Base } from '../../../platform/base.ts';
import { jobRound, lookAgain } from '../../../platform/imports/jobs.ts';
import type { Queryable } from '../../../platform/postgres/connect.ts';
import { type Batch, keyOf, largestDocument } from '../batch.ts';
import { fault } from '../codes.ts';
import { type Storages, storageOf } from '../storage/storage.ts';
import { undoUpload } from '../storage/store-chunks.ts';
import { batchJobs, endBatch, noteArrival } from '../store.ts';
import { type EndImport, endImport, type NotifyOnce } from './end.ts';
import { type AddressFault, processDocument } from './process.ts';

/** An upload may begin at the last moment and take this long. */
const uploadMayTake = Temporal.Duration.from({ hours: 1 });
const soon = Temporal.Duration.from({ seconds: 1 });
const later = Temporal.Duration.from({ seconds: 30 });

const isAfter = (a: Temporal.Instant, b: Temporal.Instant): boolean =>
  Temporal.Instant.compare(a, b) > 0;

const lastMoment = ({ stored_in, expires_at }: Batch): Temporal.Instant =>
  stored_in === 's3' ? expires_at.add(uploadMayTake) : expires_at;

/**
 * Ends a step of a batch that stays in its state. `at` is when the next step is due, or null for
 * never.
 */
const rest = (sql: Queryable, batch: Batch, at: Temporal.Instant | null): Promise<void> =>
  lookAgain(sql, batchJobs.name, batch, { at, done: true });

/** Polls the store for a document until its upload can no longer finish. */
const awaitDocument =
  ({ sql, clocks }: Base, storages: Storages, end: EndImport) =>
  async (batch: Batch): Promise<void> => {
    const arrived = await storageOf(storages, batch).arrived(keyOf(batch));
    const now = clocks.wall.now();
    if (arrived && arrived.bytes > largestDocument) {
      const error = fault('qr_upload.too_large', { most: largestDocument });
      await end(batch, { error, webhookUrl: null });
    } else if (arrived) {
      await noteArrival(sql, batch, { ...arrived, now });
    } else if (isAfter(now, lastMoment(batch))) {
      // No event, because nothing was imported.
      const error = fault('qr_upload.no_document', {});
      await endBatch(sql, batch, { state: 'failed', error, webhookUrl: null, now });
    } else {
      const pause = isAfter(now, batch.expires_at) ? later : soon;
      await rest(sql, batch, now.add(pause));
    }
  };

export interface BulkWorkerParts {
  storages: Storages;
  notifyOnce: NotifyOnce;
  addressFault: AddressFault;
}

/** Runs due import jobs: finds uploaded documents, processes them, and removes them. */
export function bulkWorker(base: Base, { storages, notifyOnce, addressFault }: BulkWorkerParts) {
  const { sql, log } = base;
  const end = endImport(base, notifyOnce);
  const awaited = awaitDocument(base, storages, end);
  const processed = processDocument(base, { storages, end, addressFault });

  const step = async (batch: Batch, signal: AbortSignal): Promise<void> => {
    if (batch.state === 'waiting_upload') return await awaited(batch);
    if (batch.state === 'uploading') {
      return await undoUpload(sql, { ...keyOf(batch), upload: batch.upload });
    }
    if (batch.state === 'processing') return await processed(batch, signal);
    await storageOf(storages, batch).remove(keyOf(batch));
    await rest(sql, batch, null);
  };

  const giveUp = async (batch: Batch): Promise<void> => {
    log.error({ batch: batch.id, state: batch.state }, 'a step of an import failed for good');
    if (batch.state === 'completed' || batch.state === 'failed') {
      await rest(sql, batch, null);
    } else {
      const error = fault('qr_upload.given_up', {});
      await end(batch, { error, webhookUrl: batch.webhook_url });
    }
  };

  return jobRound(base, batchJobs, { step, giveUp: (batch) => () => giveUp(batch) });
}
