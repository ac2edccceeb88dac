import { decimalText } from '../../../kernel/money.ts';
import { cellOf, localMoment, type SheetColumn, type SheetKind, type Writers } from './columns.ts';

/** Cell formats, in the order of the workbook's styles. */
const formats = [
  'plain',
  'heading',
  'text',
  'integer',
  'money',
  'percent',
  'day',
  'moment',
] as const;
const styleOf = (format: (typeof formats)[number]): number => formats.indexOf(format);

const spreadsheetMl = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/**
 * Texts have format 49 (`@`), so that one that looks like a formula stays a text even when edited.
 */
export const stylesXml = `${declaration}<styleSheet xmlns="${spreadsheetMl}">\
<numFmts count="2"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/>\
<numFmt numFmtId="165" formatCode="dd/mm/yyyy\\ hh:mm"/></numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>\
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill>\
<fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="${formats.length}">${[0, 49, 49, 1, 4, 10, 164, 165]
  .map(
    (format, index) =>
      `<xf numFmtId="${format}" fontId="${index === styleOf('heading') ? 1 : 0}" fillId="0" \
borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`,
  )
  .join('')}</cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** Maximum number of characters per cell. */
const mostText = 32_767;
/** Characters that XML forbids. */
const noXml = /[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** Matches texts without anything to escape, the usual case. */
const plain = /^[^&<>_\p{Cc}\p{Cs}\uFFFE\uFFFF]*$/u;

/**
 * Escapes a text for XML, and truncates it to the longest that a cell can hold. `_x0041_` in it
 * must not become a letter.
 */
export function xmlText(text: string): string {
  if (text.length <= mostText && plain.test(text)) return text;
  return text
    .slice(0, mostText)
    .toWellFormed()
    .replace(noXml, '\uFFFD')
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>\r]/g, (sign) => escapes[sign] ?? '');
}

const daySeconds = 86_400;
/** Days between 30 December 1899, where spreadsheets start counting, and 1970. */
const days1970 = 25_569;
const finest = 1e9;

/** Converts a day or time to a spreadsheet's number. */
function serialOf(text: string): string {
  const part = (start: number, end: number): number => Number(text.slice(start, end));
  const days = Date.UTC(part(0, 4), part(5, 7) - 1, part(8, 10)) / (daySeconds * 1000);
  const seconds = part(11, 13) * 3600 + part(14, 16) * 60 + part(17, 19);
  // Round up by less than a tenth of a millisecond, for readers that truncate fractions.
  const ofDay = Math.ceil((seconds / daySeconds) * finest) / finest;
  return String(days + days1970 + ofDay);
}

const number = (kind: SheetKind, value: string): string =>
  ` s="${styleOf(kind)}"><v>${value}</v></c>`;

/** Writes a text cell, never a formula whatever its first character. */
const textCell = (text: string, style: 'heading' | 'text'): string =>
  ` s="${styleOf(style)}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;

/** Functions that write a cell's XML after its reference. */
const writers: Writers = {
  text: (text) => textCell(text, 'text'),
  integer: (value) => number('integer', String(value)),
  money: (value) => number('money', decimalText(value)),
  percent: (value) => number('percent', String(value / 1_000_000)),
  day: (value) => number('day', serialOf(String(value))),
  moment: (value) => number('moment', serialOf(localMoment(value))),
};

/** Returns a column's letters, from 0: A, …, Z, AA. */
const lettersOf = (index: number): string =>
  (index < 26 ? '' : lettersOf(Math.floor(index / 26) - 1)) +
  String.fromCharCode(65 + (index % 26));

const widths: Readonly<Record<SheetKind, number>> = {
  text: 28,
  integer: 14,
  money: 16,
  percent: 10,
  day: 12,
  moment: 18,
};

/** Returns the start of a sheet, with frozen headings. */
export function sheetHead<Row>(columns: readonly SheetColumn<Row>[]): string {
  const cols = columns.map(
    ({ kind, title }, index) =>
      `<col min="${index + 1}" max="${index + 1}" \
width="${Math.max(widths[kind], title.length + 2)}" customWidth="1" style="${styleOf(kind)}"/>`,
  );
  const names = columns.map(
    ({ title }, index) => `<c r="${lettersOf(index)}1"${textCell(title, 'heading')}`,
  );
  return `${declaration}<worksheet xmlns="${spreadsheetMl}"><sheetViews>\
<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" \
state="frozen"/></sheetView></sheetViews><cols>${cols.join('')}</cols>\
<sheetData><row r="1">${names.join('')}</row>`;
}

export const sheetTail = '</sheetData></worksheet>';

/** Writes a row at its number, from 1. */
export function sheetRow<Row>(
  columns: readonly SheetColumn<Row>[],
): (row: Row, place: number) => string {
  const letters = columns.map((_, index) => lettersOf(index));
  return (row, place) => {
    let cells = '';
    columns.forEach((column, index) => {
      const cell = cellOf(column, row, writers);
      if (cell !== null) cells += `<c r="${letters[index]}${place}"${cell}`;
    });
    return `<row r="${place}">${cells}</row>`;
  };
}
