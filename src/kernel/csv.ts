/**
 * The only CSV writer (RFC 4180). Texts come from strangers and are opened in spreadsheets, which
 * run formulas: at the start of a cell, and after any character that a spreadsheet of another
 * country reads as a separator (`;=1` in a file with commas, a line break). A leading apostrophe
 * makes them texts. Texts that have such an apostrophe get one more, so that `unguarded` restores
 * each text.
 */

/** Signs that begin a formula, the wide ones of East Asia too. */
const formula = '[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20]';
const leading = new RegExp(`^'*(?:[\\t\\r\\n]|(?:\\s+'*)?${formula})`);
const border = `([,;|\\t\\r\\n"]\\s*)`;
const behindBorder = new RegExp(`${border}(?='*${formula})`, 'g');
const guardedBehind = new RegExp(`${border}'(?='*${formula})`, 'g');
/** Matches texts that need no escaping: most do not. */
const plain = /^[^=+\-@\uFF1D\uFF0B\uFF0D\uFF20,;|"\t\r\n]*$/;
const needsQuotes = /[",;|\t\r\n]/;

const harmless = (text: string): string =>
  `${leading.test(text) ? "'" : ''}${text.replaceAll(behindBorder, "$1'")}`;

/** The text of a cell that `csvCell` wrote, without its quotes. */
export function unguarded(cell: string): string {
  if (!cell.includes("'")) return cell;
  const text = cell.startsWith("'") && leading.test(cell.slice(1)) ? cell.slice(1) : cell;
  return text.replaceAll(guardedBehind, '$1');
}

/** A cell, quoted if needed, and never a formula. Numbers stay numbers, even below zero. */
export function csvCell(text: string | number): string {
  if (typeof text === 'number' || plain.test(text)) return String(text);
  const safe = harmless(text);
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line with its end. */
export const csvLine = (cells: (string | number)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;
