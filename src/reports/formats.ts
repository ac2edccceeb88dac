import { isoMidnight } from '../kernel/dates.ts';
import { jsonType } from '../platform/http/endpoint.ts';
import { cellsOf } from '../platform/postgres/copy-cells.ts';
import type { ByteSink } from './byte-sink.ts';
import { jsonRows } from './json-rows.ts';
import type { ReportName } from './names.ts';
import { csvHeader, csvItem, totalsOf } from './present.ts';
import { columnsOf, type ReportScope, type TakeCells } from './store.ts';

/** Writes a report while it is being read. */
export interface ReportWriter {
  row: TakeCells;
  end(): void;
}

export interface Format {
  contentType: string;
  fileName(name: ReportName, scope: ReportScope): string | null;
  /** Writes everything before the first row. */
  begin(name: ReportName, scope: ReportScope, sink: ByteSink): ReportWriter;
}

/** JSON. Totals come last, so that they match the rows written before them. */
export const json: Format = {
  contentType: jsonType,
  fileName: () => null,
  begin(name, { accountId, day }, sink) {
    sink.text(
      `{"account_id":${JSON.stringify(accountId)},"report_date":"${isoMidnight(day)}","data":[`,
    );
    const { take, tally } = jsonRows(columnsOf(name), sink);
    return {
      row: take,
      end: () => sink.text(`],${JSON.stringify(totalsOf[name](tally)).slice(1)}`),
    };
  },
};

/** CSV (RFC 4180): a header with member names, then one line per item, without totals. */
export const csv: Format = {
  contentType: 'text/csv; charset=utf-8; header=present',
  fileName: (name, { day }) => `${name}-${day}.csv`,
  begin(name, _scope, sink) {
    const columns = columnsOf(name);
    const line = csvItem(columns);
    sink.text(csvHeader(columns));
    return { row: (row, start) => sink.text(line(cellsOf(row, start))), end() {} };
  },
};

const weightOf = (accept: string, type: string): number => {
  const range = accept
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim().toLowerCase()))
    .find(([name]) => name === type);
  if (!range) return 0;
  const weight = range.find((part) => part.startsWith('q='));
  return weight === undefined ? 1 : Number(weight.slice(2)) || 0;
};

/** Returns CSV if the caller prefers it by name over JSON, else JSON. */
export const formatFor = (accept: string): Format =>
  weightOf(accept, 'text/csv') > weightOf(accept, 'application/json') ? csv : json;
