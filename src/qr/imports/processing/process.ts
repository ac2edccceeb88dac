import { setTimeout as pause } from 'node:timers/promises';
import type { LocalizedText } from '../../../language/localized-text.ts';
import type { Base } from '../../../platform/base.ts';
import { TooMany } from '../../../platform/errors.ts';
import { finishJob, leaseEnd, lookAgain } from '../../../platform/imports/jobs.ts';
import type { Batch } from '../batch.ts';
import { fault } from '../codes.ts';
import { type Storages, storageOf } from '../storage/storage.ts';
import { batchJobs, noteChecked } from '../store.ts';
import { type CheckedDocument, checkDocument } from './document.ts';
import type { EndImport } from './end.ts';
import { importDocument } from './import.ts';

/** Interval of heartbeats during a long read. */
const heartbeatMs = 1_000;

function heartbeat(base: Base, batch: Batch): () => Promise<void> {
  const { wall } = base.clocks;
  let beatenMs = wall.nowMs();
  return async () => {
    if (wall.nowMs() - beatenMs < heartbeatMs) return;
    beatenMs = wall.nowMs();
    await lookAgain(base.sql, batchJobs.name, batch, { at: leaseEnd(base), done: false });
  };
}

/** Returns the fault of a webhook address, or null. Throws 429 if too many look-ups wait. */
export type AddressFault = (url: string, accountId: string) => Promise<LocalizedText | null>;

/**
 * Documents are processed one after another, so a silent name server must not delay the others. A
 * late answer is usually in the resolver's cache at the next look-up.
 */
const lookUps = { patienceMs: 1_000, again: { seconds: 10 }, most: 5 } as const;

/** Returns `late` if there is no answer in time. */
async function lookUp(
  { account_id: accountId }: Batch,
  url: string,
  addressFault: AddressFault,
): Promise<LocalizedText | null | 'late'> {
  const answer = addressFault(url, accountId).catch((error: unknown) => {
    if (error instanceof TooMany) return 'late' as const;
    throw error;
  });
  return await Promise.race([answer, pause(lookUps.patienceMs, 'late' as const, { ref: false })]);
}

export interface ProcessParts {
  storages: Storages;
  end: EndImport;
  addressFault: AddressFault;
}

/** Returns the result of checking the whole document, made on its arrival or now. */
async function read(base: Base, batch: Batch, storages: Storages): Promise<CheckedDocument> {
  const { total_count: totalCount, webhook_url: webhookUrl } = batch;
  if (totalCount !== null) return { totalCount, webhookUrl };
  const bytes = storageOf(storages, batch).read(batch);
  return await checkDocument(bytes, heartbeat(base, batch));
}

/**
 * Returns the checked document, or its fault. Before the first page, also checks its webhook
 * address. Returns null if that must be looked up again later.
 */
async function check(
  base: Base,
  batch: Batch,
  { storages, addressFault }: Omit<ProcessParts, 'end'>,
): Promise<CheckedDocument | null> {
  const checked = await read(base, batch, storages);
  if (batch.next_index > 0) return checked;
  if ('totalCount' in checked && batch.total_count === null) {
    await noteChecked(base.sql, batch, checked);
  }
  const { webhookUrl } = checked;
  const unusable = webhookUrl && (await lookUp(batch, webhookUrl, addressFault));
  if (unusable === 'late') {
    if (batch.tries < lookUps.most) return null;
    return { webhookUrl: null, fault: fault('qr_upload.webhook_url_unanswered', {}) };
  }
  // Sends no webhook, because a forbidden address must receive nothing, not even a failure.
  if (unusable) {
    return {
      webhookUrl: null,
      fault: fault('qr_upload.webhook_url_unusable', { fault: unusable }),
    };
  }
  return checked;
}

/**
 * Processes a document, or the rest of it: checks all of it, then imports its items. If the signal
 * aborts between pages, the batch is due again at once.
 */
export const processDocument =
  (base: Base, { storages, end, addressFault }: ProcessParts) =>
  async (batch: Batch, signal: AbortSignal): Promise<void> => {
    const checked = await check(base, batch, { storages, addressFault });
    if (checked === null) {
      const at = base.clocks.wall.now().add(lookUps.again);
      return await lookAgain(base.sql, batchJobs.name, batch, { at, done: false });
    }
    const { webhookUrl } = checked;
    if ('fault' in checked) return await end(batch, { error: checked.fault, webhookUrl });
    await finishJob(
      base,
      batchJobs.name,
      { job: batch, signal },
      {
        work: () => {
          const bytes = storageOf(storages, batch).read(batch);
          return importDocument(base, batch, bytes, { until: () => leaseEnd(base), signal });
        },
        end: (error) => end(batch, { error, webhookUrl }),
      },
    );
  };
