import { Readable } from 'node:stream';
import { csvCell } from '../../../kernel/csv.ts';
import { decimalText } from '../../../kernel/money.ts';
import { cellOf, localMoment, type SheetColumn, type Writers } from './columns.ts';
import { chunksOf, type RowSource, rowSourceOf } from './rows.ts';
import { xlsxOf } from './workbook.ts';

export type { SheetColumn } from './columns.ts';

export const sheetFormats = ['csv', 'xlsx'] as const;
export type SheetFormat = (typeof sheetFormats)[number];

export interface SheetOrder<Row> {
  readonly format: SheetFormat;
  /** File name without extension. */
  readonly name: string;
  /** Name of the sheet in a workbook. Default: the file's. */
  readonly title?: string;
  readonly columns: readonly SheetColumn<Row>[];
  /**
   * Writes CSV as Excel opens it in Argentina, whose settings separate lists by semicolons and
   * decimals by a comma. Default: the standard, for programs.
   */
  readonly asInArgentina?: boolean;
  /** Rows as they are read. Closed early if the client disconnects. */
  readonly pieces: AsyncIterable<readonly Row[]>;
}

/** A file as the portal sends it. */
export interface SheetFile {
  file: Readable;
  type: string;
  name: string;
}

/** The byte order mark, by which spreadsheets recognize UTF-8. */
const mark = '\uFEFF';
const ppmPerPercent = 10_000;

/** Writers with decimal points and ISO 8601. */
const csvWriters: Writers = {
  text: csvCell,
  integer: String,
  money: decimalText,
  percent: (value) => String(value / ppmPerPercent),
  day: String,
  moment: localMoment,
};

const withComma = (decimal: string): string => decimal.replace('.', ',');

const argentineWriters: Writers = {
  ...csvWriters,
  money: (value) => withComma(decimalText(value)),
  percent: (value) => withComma(csvWriters.percent(value)),
  day: (value) => String(value).split('-').toReversed().join('/'),
};

function csvOf<Row>({ columns, asInArgentina = false }: SheetOrder<Row>, rows: RowSource<Row>) {
  const writers = asInArgentina ? argentineWriters : csvWriters;
  const line = (cells: readonly string[]) => `${cells.join(asInArgentina ? ';' : ',')}\r\n`;
  return chunksOf(rows, {
    head: mark + line(columns.map(({ title }) => csvCell(title))),
    row: (row) => line(columns.map((column) => cellOf(column, row, writers) ?? '')),
    tail: '',
  });
}

const contentTypes: Readonly<Record<SheetFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

async function* bytesOf<Row>(order: SheetOrder<Row>): AsyncGenerator<Uint8Array> {
  const { format, columns, pieces } = order;
  const iterator = pieces[Symbol.asyncIterator]();
  const rows = rowSourceOf(iterator);
  try {
    yield* format === 'csv' ? csvOf(order, rows) : xlsxOf(order.title ?? order.name, columns, rows);
  } finally {
    await iterator.return?.();
  }
}

/**
 * Writes a table as CSV or XLSX while reading its rows, at the client's pace, so that memory stays
 * constant. Texts are never formulas. Workbook cells of amounts, days and times are typed.
 */
export const writeTable = <Row>(order: SheetOrder<Row>): SheetFile => ({
  file: Readable.from(bytesOf(order), { objectMode: false }),
  type: contentTypes[order.format],
  name: `${order.name}.${order.format}`,
});
