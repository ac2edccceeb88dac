import {
  type SheetColumn,
  type SheetFile,
  type SheetFormat,
  writeTable,
} from '../platform/spreadsheets/write/table.ts';
import type { ImportResult, ResultRow } from './result.ts';

const textColumn = (
  title: string,
  of: (row: ResultRow) => string | null,
): SheetColumn<ResultRow> => ({ title, kind: 'text', of });

const faultsText = ({ faults }: ResultRow): string =>
  faults.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join(' ');

/** Returns the columns of the result: each row's status, then the spreadsheet's own columns. */
const columnsOf = ({ import: one, linkNames }: ImportResult): SheetColumn<ResultRow>[] => [
  { title: 'row', kind: 'integer', of: ({ row }) => row },
  textColumn('status', ({ status }) => status),
  { title: 'id', kind: 'integer', of: ({ id }) => id },
  ...linkNames.map((name) => textColumn(name, ({ links }) => links[name] ?? '')),
  textColumn('errors', faultsText),
  ...one.columns.map((title, place) =>
    textColumn(title, ({ cells }) => String(cells[place] ?? '')),
  ),
];

/** Writes a result as CSV or XLSX while reading its rows. */
export const resultFile = (
  result: ImportResult,
  { format, asInArgentina = false }: { format: SheetFormat; asInArgentina?: boolean },
): SheetFile =>
  writeTable({
    format,
    asInArgentina,
    name: `import-${result.import.id}`,
    columns: columnsOf(result),
    pieces: result.rows(),
  });
