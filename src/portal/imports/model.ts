import type { Import, ImportPage, Imports } from '../../imports/index.ts';
import type { Ctx } from '../../platform/base.ts';
import type { SheetField } from '../../platform/spreadsheets/fields.ts';

/** Rows with remarks that a page shows. */
export const mostRemarks = 50;
/** Rows of the spreadsheet that the preview shows. */
const previewRows = 5;
/** Pages of rows that are looked through for remarks. */
const mostPages = 20;

type Cell = string | number | boolean;

/** Something to know of a row, beside the cell that it is about. */
export interface Remark {
  row: number;
  field: SheetField | null;
  cell: string;
  /** A fault's sentence; or the id of what has the row's reference, null: a row above it. */
  told: string | { repeats: number | null };
}

/** What the page of an import shows. */
export interface ImportModel {
  one: Import;
  fields: readonly SheetField[];
  sameFile: Import | null;
  remarks: Remark[];
  first: (readonly [number, readonly Cell[]])[];
}

const textOf = (cell: Cell | undefined): string => (cell === undefined ? '' : String(cell));

function remarksOf(one: Import, fields: readonly SheetField[], page: ImportPage): Remark[] {
  const cellsOf = new Map(page.rows);
  const cellOf = (row: number, field: SheetField | null): string => {
    const place = field === null ? null : (one.matched[field.name] ?? null);
    return place === null ? '' : textOf(cellsOf.get(row)?.[place]);
  };
  const reference =
    fields.find(({ name }) => name === (one.kind === 'qr' ? 'id' : 'external_reference')) ?? null;
  const faults = page.faults.flatMap(([row, found]) =>
    found.map(({ path, message }): Remark => {
      const field = fields.find(({ name }) => name === path[0]) ?? null;
      return { row, field, cell: cellOf(row, field), told: message };
    }),
  );
  const repeats = page.existing.map(
    ([row, id]): Remark => ({
      row,
      field: reference,
      cell: cellOf(row, reference),
      told: { repeats: id },
    }),
  );
  return [...faults, ...repeats].toSorted((a, b) => a.row - b.row);
}

/** Reads all that the page of an import shows. */
export async function readModel(imports: Imports, ctx: Ctx, id: number): Promise<ImportModel> {
  const one = await imports.get(ctx, id);
  const { fields } = imports.kinds[one.kind];
  if (one.state !== 'draft') return { one, fields, sameFile: null, remarks: [], first: [] };
  const [sameFile, pages, first] = await Promise.all([
    imports.sameFile(one),
    one.faulty_count === null ? [] : imports.remarked(ctx, id, { from: 0, most: mostPages }),
    imports.firstRows(ctx, id),
  ]);
  const remarks = pages.flatMap((page) => remarksOf(one, fields, page));
  return {
    one,
    fields,
    sameFile,
    remarks: remarks.slice(0, mostRemarks),
    first: first.slice(0, previewRows),
  };
}
