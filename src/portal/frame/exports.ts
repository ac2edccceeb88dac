import type { Lang } from '../../platform/pages/model.ts';
import {
  type SheetColumn,
  sheetFormats,
  writeTable,
} from '../../platform/spreadsheets/write/table.ts';
import type { AccountAct } from '../../users/index.ts';
import type { Portal } from './portal.ts';
import type { AccountVisit, Page } from './visit.ts';

/** Rows per read. */
const rowsAtOnce = 500;

/** Rows of a list, with the cursor of the next ones; null if there are no more. */
export interface FoundRows<Row, Place> {
  rows: readonly Row[];
  next: Place | null;
}

/** Reads rows after a cursor; null to start from the beginning. */
export type FindRows<Row, Place> = (
  behind: Place | null,
  limit: number,
) => Promise<FoundRows<Row, Place>>;

/** Pages a list in the order of its ids, after the last one, as long as pages are full. */
export function behindLast<Row>(
  rows: readonly Row[],
  limit: number,
  idOf: (row: Row) => number,
): FoundRows<Row, number> {
  const last = rows.at(-1);
  return { rows, next: last === undefined || rows.length < limit ? null : idOf(last) };
}

/** Yields all rows, page by page, as of the time of reading. */
async function* piecesOf<Row, Place>(find: FindRows<Row, Place>): AsyncGenerator<readonly Row[]> {
  let behind: Place | null = null;
  do {
    const found: FoundRows<Row, Place> = await find(behind, rowsAtOnce);
    yield found.rows;
    behind = found.next;
  } while (behind !== null);
}

interface ListFile<Row, Place> {
  /** The list's act. */
  act: AccountAct;
  /** The list's path; its files are below it, where `Downloads` links to. */
  path: string;
  sheet(lang: Lang): { name: string; columns: SheetColumn<Row>[] };
  /** Reads everything that the visit's filters match, or returns the page with their faults. */
  find(visit: AccountVisit): FindRows<Row, Place> | Page;
}

/** The filtered list as files, each streamed. */
export function exportPages<Row, Place>(
  portal: Portal,
  { act, path, sheet, find }: ListFile<Row, Place>,
): void {
  for (const format of sheetFormats) {
    portal.page({
      act,
      path: `${path}/export.${format}`,
      async read(visit) {
        const found = find(visit);
        if (typeof found !== 'function') return found;
        return writeTable({ format, ...sheet(visit.lang), pieces: piecesOf(found) });
      },
    });
  }
}
