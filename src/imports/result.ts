import type { Base, Ctx } from '../platform/base.ts';
import type { Cell } from '../platform/spreadsheets/cells.ts';
import { type Import, keyOf } from './import.ts';
import type { Kinds } from './kinds/kind.ts';
import { findImport } from './store.ts';
import { type ImportPage, readPage } from './store-pages.ts';

export type RowStatus = 'created' | 'withdrawn' | 'rejected' | 'skipped' | 'waiting';

export interface ResultRow {
  row: number;
  cells: readonly Cell[];
  status: RowStatus;
  id: number | null;
  links: Record<string, string>;
  faults: { field: string; message: string }[];
}

const statusOf = (id: number | null, faulty: boolean, withdrawn: boolean): RowStatus => {
  if (id !== null) return withdrawn ? 'withdrawn' : 'created';
  return faulty ? 'rejected' : 'skipped';
};

function rowsOf(
  one: Import,
  page: ImportPage,
  links: (id: number) => Record<string, string>,
): ResultRow[] {
  const outcomes = new Map(page.outcomes?.map((outcome) => [outcome[0], outcome]));
  const withdrawn = new Set(page.withdrawn);
  return page.rows.map(([row, cells]): ResultRow => {
    const padded = one.columns.map((_name, place) => cells[place] ?? '');
    const outcome = outcomes.get(row);
    if (!outcome) return { row, cells: padded, status: 'waiting', id: null, links: {}, faults: [] };
    const [, id, faults] = outcome;
    return {
      row,
      cells: padded,
      status: statusOf(id, faults.length > 0, id !== null && withdrawn.has(id)),
      id,
      links: id === null ? {} : links(id),
      faults: faults.map(({ path, message }) => ({ field: path.join('.'), message })),
    };
  });
}

export interface ImportResult {
  import: Import;
  linkNames: readonly string[];
  rows(): AsyncGenerator<ResultRow[]>;
}

/**
 * Returns the outcome of each row, page by page, in the order of the spreadsheet. Throws 404 for an
 * unknown import.
 */
export const importResult =
  ({ sql }: Base, kinds: Kinds) =>
  async ({ accountId }: Ctx, id: number): Promise<ImportResult> => {
    const one = await findImport(sql, { accountId, id });
    const { links } = kinds[one.kind];
    return {
      import: one,
      linkNames: Object.keys(links(accountId, 0)),
      async *rows() {
        for (let no = 0; no < one.page_count; no += 1) {
          const page = await readPage(sql, keyOf(one), no);
          if (page) yield rowsOf(one, page, (made) => links(accountId, made));
        }
      },
    };
  };

/** Yields the ids of created rows that were not withdrawn, page by page. */
export async function* madeOf({ rows }: ImportResult): AsyncGenerator<number[]> {
  for await (const page of rows()) {
    yield page.flatMap(({ id, status }) => (id !== null && status === 'created' ? [id] : []));
  }
}
