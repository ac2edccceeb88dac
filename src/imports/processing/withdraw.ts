import type { Base } from '../../platform/base.ts';
import { takeParts } from '../../platform/imports/jobs.ts';
import { type Import, keyOf } from '../import.ts';
import type { ImportMaker } from '../kinds/kind.ts';
import { importJobs } from '../store.ts';
import { readPage, storeWithdrawn } from '../store-pages.ts';
import { ctxOf } from './create.ts';

interface PageWork {
  maker: ImportMaker<unknown>;
  no: number;
  until: Temporal.Instant;
}

/**
 * Withdraws a page's unpaid entities and records it in the same transaction. The database
 * serializes it with concurrent payments. Returns false if the page is no longer to be withdrawn.
 */
export const withdrawPage =
  ({ sql, recordIds }: Base) =>
  async (one: Import, { maker, no, until }: PageWork): Promise<boolean> => {
    const page = await readPage(sql, keyOf(one), no);
    if (!page) throw new Error(`import ${one.id} has no page ${no}`);
    const ids = (page.outcomes ?? []).flatMap(([, id]) => (id === null ? [] : [id]));
    const eventIds = await recordIds.take(Math.max(1, ids.length));
    const comment = one.comment ?? '';
    return await sql.begin(async (tx) => {
      const taken = { cursor: 'undone_page', from: no, until };
      if (!(await takeParts(tx, importJobs.name, one, taken))) return false;
      if (ids.length === 0) return true;
      const gone = await maker.withdraw(tx, ctxOf(one), { ids, eventIds, comment });
      await storeWithdrawn(tx, one, { no, ids: gone });
      return true;
    });
  };
