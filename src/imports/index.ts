import type { Base, Ctx } from '../platform/base.ts';
import type { NumberedRow } from '../platform/spreadsheets/table.ts';
import { decisions } from './decide.ts';
import type { Import } from './import.ts';
import type { Kinds, Makers } from './kinds/kind.ts';
import { matchImport } from './match.ts';
import { importWorker } from './processing/worker.ts';
import { readAgain } from './read-again.ts';
import { importResult } from './result.ts';
import { findImport, readImports, readSameFile } from './store.ts';
import { readPage, readRemarked } from './store-pages.ts';
import { uploadImport } from './upload.ts';

export { missingFields } from '../platform/spreadsheets/headings.ts';
export type { Note, Reading } from '../platform/spreadsheets/table.ts';
export { type Import, largestFile, type Matched } from './import.ts';
export { adhesionKind, adhesionMaker } from './kinds/adhesions.ts';
export { debitKinds, debitMakers } from './kinds/debits.ts';
export { type KindName, type Kinds, kindActs, kindNames } from './kinds/kind.ts';
export { paymentRequestKind, paymentRequestMaker } from './kinds/payment-requests.ts';
export { qrKind, qrMaker } from './kinds/qrs.ts';
export { createAsRequests } from './kinds/requests.ts';
export { draftSweep } from './lapse.ts';
export type { Judged } from './moving/judge.ts';
export { createMove, type Move } from './moving/move.ts';
export type { Difference, KindReconciled } from './moving/reconcile.ts';
export type { Tally } from './moving/tally.ts';
export { type ImportOrigin, importOriginOf } from './origin.ts';
export {
  eraseImportRows,
  exportImportRows,
  importsNeeded,
  type MadeOfRows,
} from './personal.ts';
export { madeOf } from './result.ts';
export { resultFile } from './result-file.ts';
export type { ImportPage } from './store-pages.ts';
export { type StatedTotal, statedTotal } from './sums.ts';
export { templateFile } from './template.ts';

export function createImportVerbs(base: Base, kinds: Kinds) {
  const { sql } = base;
  return {
    kinds,
    upload: uploadImport(base, kinds),
    match: matchImport(base, kinds),
    readAgain: readAgain(base, kinds),
    ...decisions(base),
    get: ({ accountId }: Ctx, id: number) => findImport(sql, { accountId, id }),
    list: ({ accountId }: Ctx, page: { before: number; limit: number }) =>
      readImports(sql, accountId, page),
    /** Returns the last confirmed import of the same file that was not undone, or null. */
    sameFile: async (one: Import) => (await readSameFile(sql, one)).done,
    firstRows: async ({ accountId }: Ctx, id: number): Promise<NumberedRow[]> =>
      (await readPage(sql, { accountId, id }, 0))?.rows ?? [],
    /** Returns pages of rows with faults, or with references that already exist. */
    remarked: ({ accountId }: Ctx, id: number, pages: { from: number; most: number }) =>
      readRemarked(sql, { accountId, id }, pages),
    result: importResult(base, kinds),
  };
}

export type Imports = ReturnType<typeof createImportVerbs>;

/**
 * Builds the workers' loop, which creates the rows of confirmed imports and withdraws those of
 * undone ones.
 */
export const importWork = (base: Base, kinds: Kinds, makers: Makers) =>
  importWorker(base, kinds, makers);
