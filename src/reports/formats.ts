import { isoMidnight } from '../kernel/dates.ts';
import { jsonType } from '../platform/http/endpoint.ts';
import type { ReportName } from './names.ts';
import { csvHeader, csvItem, jsonItem } from './present.ts';
import type { Cells, Column, ReportScope } from './store.ts';

/** How a report is written while it is read. */
export interface Format {
  contentType: string;
  fileName(name: ReportName, scope: ReportScope): string | null;
  head(scope: ReportScope, columns: readonly Column[]): string;
  item(columns: readonly Column[]): (cells: Cells) => string;
  /** Between two items. */
  separator: string;
  tail(totals: Record<string, number>): string;
}

/** The totals come last: they are those of the very items before them. */
export const json: Format = {
  contentType: jsonType,
  fileName: () => null,
  head: ({ accountId, day }) =>
    `{"account_id":${JSON.stringify(accountId)},"report_date":"${isoMidnight(day)}","data":[`,
  item: jsonItem,
  separator: ',',
  tail: (totals) => `],${JSON.stringify(totals).slice(1)}`,
};

/** The items only, one a line, below the names of their members (RFC 4180). */
export const csv: Format = {
  contentType: 'text/csv; charset=utf-8; header=present',
  fileName: (name, { day }) => `${name}-${day}.csv`,
  head: (_scope, columns) => csvHeader(columns),
  item: csvItem,
  separator: '',
  tail: () => '',
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

/** CSV for who asks for it by name and does not like JSON as much; JSON for everybody else. */
export const formatFor = (accept: string): Format =>
  weightOf(accept, 'text/csv') > weightOf(accept, 'application/json') ? csv : json;
