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

/** Rows of a list, and the cursor of the next ones. The cursor is null at the end. */
export interface FoundRows<Row, Place> {
  rows: readonly Row[];
  next: Place | null;
}

/** Reads rows after a cursor. Null starts at the beginning. */
export type FindRows<Row, Place> = (
  behind: Place | null,
  limit: number,
) => Promise<FoundRows<Row, Place>>;

/** Returns the last id as the cursor, or null if the page is not full. */
export function behindLast<Row>(
  rows: readonly Row[],
  limit: number,
  idOf: (row: Row) => number,
): FoundRows<Row, number> {
  const last = rows.at(-1);
  return { rows, next: last === undefined || rows.length < limit ? null : idOf(last) };
}

/** Yields all rows page by page. Rows may change between pages. */
async function* piecesOf<Row, Place>(find: FindRows<Row, Place>): AsyncGenerator<readonly Row[]> {
  let behind: Place | null = null;
  do {
    const found: FoundRows<Row, Place> = await find(behind, rowsAtOnce);
    yield found.rows;
    behind = found.next;
  } while (behind !== null);
}

interface ListFile<Row, Place> {
  act: AccountAct;
  /** Path of the list. `Downloads` links to its files, which are below it. */
  path: string;
  sheet(lang: Lang): { name: string; columns: SheetColumn<Row>[] };
  /**
   * Returns a reader of everything that the visit's filters match, or the page with their faults.
   */
  find(visit: AccountVisit): FindRows<Row, Place> | Page;
}

/** Serves the filtered list as streamed files. */
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
        return writeTable({
          format,
          ...sheet(visit.lang),
          asInArgentina: visit.lang === 'es',
          pieces: piecesOf(found),
        });
      },
    });
  }
}
