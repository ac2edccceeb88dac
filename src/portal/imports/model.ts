import {
  type Import,
  type ImportPage,
  type Imports,
  type StatedTotal,
  statedTotal,
} from '../../imports/index.ts';
import type { LocalizedText } from '../../language/localized-text.ts';
import type { Ctx } from '../../platform/base.ts';
import type { SheetField } from '../../platform/spreadsheets/fields.ts';

export const mostRemarks = 50;
const previewRows = 5;

type Cell = string | number | boolean;

/** A remark on a row, with the cell that it concerns. */
export interface Remark {
  row: number;
  field: SheetField | null;
  cell: string;
  /**
   * The fault. For a repeated reference, the id of the entity that has it, or null if an earlier
   * row has it.
   */
  fault: string | LocalizedText | { repeats: number | null };
}

/** Emails to payers that are still queued. */
export interface WaitingLetters {
  count: number;
  /** True if there are more than were counted. */
  isMore: boolean;
  /** Expected time of the last one. Null if unknown. */
  until: Temporal.Instant | null;
}

export interface ImportModel {
  /** Absent without queued emails. */
  mails?: WaitingLetters;
  one: Import;
  fields: readonly SheetField[];
  sameFile: Import | null;
  /** The spreadsheet's own total. Null without one, or outside a draft. */
  stated: StatedTotal | null;
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
    found.map(({ path, message, localized }): Remark => {
      const field = fields.find(({ name }) => name === path[0]) ?? null;
      return { row, field, cell: cellOf(row, field), fault: localized ?? message };
    }),
  );
  const repeats = page.existing.map(
    ([row, id]): Remark => ({
      row,
      field: reference,
      cell: cellOf(row, reference),
      fault: { repeats: id },
    }),
  );
  return [...faults, ...repeats].toSorted((a, b) => a.row - b.row);
}

/** Reads the first remarks, from as many pages of rows as needed. */
async function firstRemarks(imports: Imports, ctx: Ctx, one: Import): Promise<Remark[]> {
  const { fields } = imports.kinds[one.kind];
  const remarks: Remark[] = [];
  let from = 0;
  while (remarks.length < mostRemarks) {
    const [page] = await imports.remarked(ctx, one.id, { from, most: 1 });
    if (!page) break;
    remarks.push(...remarksOf(one, fields, page));
    from = page.no + 1;
  }
  return remarks.slice(0, mostRemarks);
}

/**
 * Reads an import, and for a draft also its remarks, its first rows and an import of the same file.
 */
export async function readModel(imports: Imports, ctx: Ctx, id: number): Promise<ImportModel> {
  const one = await imports.get(ctx, id);
  const kind = imports.kinds[one.kind];
  const { fields } = kind;
  const nothing = { sameFile: null, stated: null, remarks: [], first: [] };
  if (one.state !== 'draft') return { one, fields, ...nothing };
  const [sameFile, remarks, first] = await Promise.all([
    imports.sameFile(one),
    one.faulty_count === null ? [] : firstRemarks(imports, ctx, one),
    imports.firstRows(ctx, id),
  ]);
  const stated = statedTotal(kind, one);
  return { one, fields, sameFile, stated, remarks, first: first.slice(0, previewRows) };
}
