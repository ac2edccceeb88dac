import { formatDay } from '../../kernel/dates.ts';
import { centavos } from '../../kernel/money.ts';
import { textAt } from '../../language/catalog.ts';
import { moneyText, rateText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { SheetColumn } from '../../platform/spreadsheets/write/table.ts';
import {
  type CellKind,
  type Cells,
  type Column,
  columnsOf,
  type ReportName,
} from '../../reports/index.ts';
import { reportTexts } from './texts.ts';

/** Columns of the page. Files contain all columns. */
const pageColumns: Readonly<Record<ReportName, readonly string[]>> = {
  collection: [
    'informed_date',
    'request_id',
    'payer_name',
    'channel',
    'amount_paid',
    'net_fee',
    'iva_fee',
    'net_amount',
  ],
  chargeback: ['informed_date', 'request_id', 'payer_name', 'channel', 'reverted_amount'],
  refund: ['informed_date', 'request_id', 'payer_name', 'channel', 'refunded_amount'],
  settlement: ['request_id', 'external_reference', 'credit', 'debit'],
  retentions: ['created_at', 'request_id', 'regime', 'jurisdiction', 'base', 'rate', 'amount'],
};

const shortDay = (text: string): string => formatDay(Temporal.PlainDate.from(text.slice(0, 10)));

const readable: Readonly<Record<CellKind, (cell: string, lang: Lang) => string>> = {
  moment: (cell) => `${shortDay(cell)} ${cell.slice(11, 16)}`,
  day: shortDay,
  integer: (cell) => cell,
  percent: (cell, lang) => rateText(lang, Number(cell)),
  amount: (cell, lang) => moneyText(lang, centavos(Number(cell))),
  text: (cell) => cell,
};

export interface ColumnView {
  member: string;
  title: string;
  kind: CellKind;
  text: (cells: Cells) => string;
}

/** Returns the request id of a row, or null. */
export function requestIdOf(name: ReportName, cells: Cells): number | null {
  const cell = cells[columnsOf(name).findIndex(({ member }) => member === 'request_id')] ?? null;
  return cell === null ? null : Number(cell);
}

export function columnViews(name: ReportName, lang: Lang): ColumnView[] {
  const columns = columnsOf(name);
  return pageColumns[name].flatMap((member) => {
    const index = columns.findIndex((column) => column.member === member);
    const column = columns[index];
    if (!column) return [];
    const { kind } = column;
    const text = (cells: Cells): string => {
      const cell = cells[index] ?? null;
      return cell === null ? '' : readable[kind](cell, lang);
    };
    return { member, title: textAt(reportTexts[lang].members, member) ?? member, kind, text };
  });
}

function sheetColumn({ kind }: Column, index: number, title: string): SheetColumn<Cells> {
  const text = (cells: Cells): string | null => cells[index] ?? null;
  const number = (cells: Cells): number | null => {
    const cell = text(cells);
    return cell === null ? null : Number(cell);
  };
  switch (kind) {
    case 'amount':
      return {
        title,
        kind: 'money',
        of(cells) {
          const value = number(cells);
          return value === null ? null : centavos(value);
        },
      };
    case 'integer':
    case 'percent':
      return { title, kind, of: number };
    default:
      return { title, kind, of: text };
  }
}

export const fileColumns = (name: ReportName, lang: Lang): SheetColumn<Cells>[] =>
  columnsOf(name).map((column, index) =>
    sheetColumn(column, index, textAt(reportTexts[lang].members, column.member) ?? column.member),
  );
