import { csvLine } from '../kernel/csv.ts';
import type { ImportResult, ResultRow } from './result.ts';

const line = ({ row, cells, status, id, links, faults }: ResultRow, names: readonly string[]) =>
  csvLine([
    row,
    status,
    id ?? '',
    ...names.map((name) => links[name] ?? ''),
    faults.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join(' '),
    ...cells.map((cell) => (typeof cell === 'boolean' ? String(cell) : cell)),
  ]);

/** The mark by which spreadsheets know UTF-8. */
const mark = '\uFEFF';

/** A result as CSV, in pieces: the spreadsheet's own columns behind what became of each row. */
export async function* resultCsv(result: ImportResult): AsyncGenerator<string> {
  const { linkNames } = result;
  const own = result.import.columns;
  yield mark + csvLine(['row', 'status', 'id', ...linkNames, 'errors', ...own]);
  for await (const rows of result.rows()) yield rows.map((row) => line(row, linkNames)).join('');
}
