/**
 * The one writer of CSV (RFC 4180). Texts come from strangers and are opened in spreadsheets, which
 * run what looks like a formula: at the start of a cell, and behind whatever a spreadsheet of
 * another country takes for the border of one (`;=1` in a file with commas, a line break). An
 * apostrophe before it makes it a text.
 */

/** Signs that begin a formula, the wide ones of East Asia too. */
const formula = '[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20]';
const leading = new RegExp(`^(?:[\\t\\r\\n]|\\s*${formula})`);
const behindBorder = new RegExp(`([,;|\\t\\r\\n"]\\s*)(?=${formula})`, 'g');
/** What no text has that needs a look: most do not. */
const plain = /^[^=+\-@\uFF1D\uFF0B\uFF0D\uFF20,;|"\t\r\n]*$/;
const needsQuotes = /[",;|\t\r\n]/;
/** A number is none: negative amounts stay numbers. */
const number = /^-?\d+(?:\.\d+)?$/;

function harmless(text: string): string {
  const start = text.length - text.trimStart().length;
  const rest = text.slice(start).replaceAll(behindBorder, "$1'");
  return `${leading.test(text) ? "'" : ''}${text.slice(0, start)}${rest}`;
}

/** A cell: quoted where it must be, and never run. */
export function csvCell(value: string | number): string {
  const text = String(value);
  if (plain.test(text) || number.test(text)) return text;
  const safe = harmless(text);
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line with its end. */
export const csvLine = (cells: (string | number)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;
