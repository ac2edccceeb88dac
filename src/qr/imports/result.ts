import type { StoredCodeText } from '../../language/localized-text.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { type Batch, pageItems } from './batch.ts';
import { refusal } from './codes.ts';
import { readBatchPage } from './store.ts';

export interface StoredFault {
  field?: string;
  message: string;
  error_code?: string;
  /** Parameters of the code's text. Omitted from responses. */
  parameters?: StoredCodeText['parameters'];
}

/** An item's outcome, as a page stores it. */
export interface StoredOutcome {
  index: number;
  id?: string;
  status: 'created' | 'rejected';
  errors: StoredFault[];
}

/** A batch with a page of its items' outcomes. */
export interface BatchResult {
  batch: Batch;
  /** Counts from 1. */
  page: number;
  pages: number;
  /** The page's rows as JSON text. Null before any was processed. */
  rows: string | null;
}

export type GetBatchResult = (ctx: Ctx, ask: { id: string; page: number }) => Promise<BatchResult>;

const batchId = /^[1-9][0-9]{0,14}$/;

/**
 * Returns an import's progress at any time. Pages fill as items are processed. Throws 404 for an
 * unknown import or page.
 */
export const getBatchResult =
  ({ sql }: Base): GetBatchResult =>
  async ({ accountId }, { id, page }) => {
    const found = batchId.test(id)
      ? await readBatchPage(sql, { accountId, id: Number(id) }, page - 1)
      : null;
    if (!found) throw refusal('qr_batch.not_found', {});
    const { batch, rows } = found;
    const pages = Math.max(1, Math.ceil((batch.total_count ?? 0) / pageItems));
    if (page > pages) throw refusal('qr_batch.page_not_found', { page, pages });
    return { batch, page, pages, rows };
  };
