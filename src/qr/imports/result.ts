import type { Base, Ctx } from '../../platform/base.ts';
import { notFound, Refusal } from '../../platform/errors.ts';
import { type Batch, pageItems } from './batch.ts';
import { readBatchPage } from './store.ts';

/** A batch with a page of what became of its items. */
export interface BatchResult {
  batch: Batch;
  /** From 1. */
  page: number;
  pages: number;
  /** The page's rows as JSON text; null if no item of it was processed yet. */
  rows: string | null;
}

export type GetBatchResult = (ctx: Ctx, ask: { id: string; page: number }) => Promise<BatchResult>;

const batchId = /^[1-9][0-9]{0,14}$/;

/** How the import stands, at any moment: pages fill as items are processed. */
export const getBatchResult =
  ({ sql }: Base): GetBatchResult =>
  async ({ accountId }, { id, page }) => {
    const found = batchId.test(id)
      ? await readBatchPage(sql, { accountId, id: Number(id) }, page - 1)
      : null;
    if (!found) throw notFound('batch');
    const { batch, rows } = found;
    const pages = Math.max(1, Math.ceil((batch.total_count ?? 0) / pageItems));
    if (page > pages) {
      throw new Refusal('not_found', `This batch has pages 1 to ${pages}; there is no ${page}.`);
    }
    return { batch, page, pages, rows };
  };
