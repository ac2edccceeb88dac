import { refusal } from './codes.ts';
import { changesNumber, type Formats } from './formats.ts';
import type { TableLimits } from './limits.ts';
import { walkXml } from './xml.ts';

/** Last row of a worksheet's grid. */
const lastRow = 1_048_576;
const lastColumn = 16_384;
/** Maximum number of cells in memory, empty ones included. */
const mostPlaces = 20_000_000;

/** A merged range as named in the sheet (`A5:A9`), with its last row. */
export interface Merged {
  range: string;
  lastRow: number;
}

/** A cell's position, from 1. */
interface Place {
  row: number;
  column: number;
}

export interface SheetScan {
  merged: Merged[];
  /** Cells with a failed formula, which the library reads as empty. */
  errors: (Place & { error: string })[];
  /** Cells whose format displays more than their number. */
  formatted: (Place & { format: string })[];
  /** Rows hidden by a filter or a person. */
  hidden: Set<number>;
}

const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

function placeOf(address: string | undefined): Place {
  const [, letters = '', digits = ''] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(address ?? '') ?? [];
  const place = { row: Number(digits), column: columnOf(letters) };
  if (letters === '' || place.row > lastRow || place.column > lastColumn) {
    throw refusal('spreadsheet.no_such_cell', { cell: (address || 'none').slice(0, 20) });
  }
  return place;
}

/**
 * Bounds a sheet's memory as if each row had every column. The returned check throws a Refusal for
 * cells beyond the bounds.
 */
function boundArea({ rows, columns }: TableLimits) {
  const most = Math.min((rows + 1_000) * columns, mostPlaces);
  const used = { row: 0, column: 0 };
  return ({ row, column }: Place): void => {
    used.row = Math.max(used.row, row);
    used.column = Math.max(used.column, column);
    if (used.column > columns) {
      throw refusal('spreadsheet.too_many_columns', { most: columns });
    }
    if (used.row * used.column > most) {
      // Wide sheets may have fewer rows.
      const fit = Math.min(rows, Math.floor(most / used.column));
      throw refusal('spreadsheet.far_cell', { row: used.row, most: fit });
    }
  };
}

/**
 * Scans a worksheet before it is loaded. Throws a Refusal for cells outside the grid or above the
 * limits.
 */
export function scanSheet(xml: string, limits: TableLimits, formats: Formats = []): SheetScan {
  const scan: SheetScan = { merged: [], errors: [], formatted: [], hidden: new Set() };
  let rowNo = 0;
  const use = boundArea(limits);
  let cell: (Place & { failed: boolean; text: string; filled: boolean }) | null = null;
  let inValue = false;
  walkXml(xml, {
    open(name, attributes) {
      if (name === 'row') {
        const of = attributes();
        const row = of.get('r');
        rowNo = row === undefined ? rowNo + 1 : placeOf(`A${row}`).row;
        if (/^(1|true)$/.test(of.get('hidden') ?? '')) scan.hidden.add(rowNo);
      } else if (name === 'c') {
        const of = attributes();
        const failed = of.get('t') === 'e';
        cell = { ...placeOf(of.get('r')), failed, text: '', filled: false };
        const format = formats[Number(of.get('s') ?? '-1')] ?? null;
        if (format !== null && changesNumber(format)) {
          scan.formatted.push({ row: cell.row, column: cell.column, format });
        }
      } else if (name === 'mergeCell') {
        const range = attributes().get('ref') ?? '';
        scan.merged.push({ range, lastRow: placeOf(range.split(':').at(-1)).row });
      } else if (name === 'v' || name === 't') inValue = true;
    },
    text(text) {
      if (cell === null || !inValue || text === '') return;
      if (!cell.filled) use(cell);
      cell.filled = true;
      if (cell.failed) cell.text += text;
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      if (name !== 'c' || cell === null) return;
      const { row, column, failed, text } = cell;
      if (failed) scan.errors.push({ row, column, error: text });
      cell = null;
    },
  });
  return scan;
}
