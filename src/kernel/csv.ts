/**
 * The only CSV writer (RFC 4180). Untrusted texts are opened in spreadsheets, which run formulas at
 * the start of a cell, and after any character that some locale uses as a separator (`;=1` in a
 * file with commas, a line break). An apostrophe in front of a formula makes it plain text. Texts
 * that start with such an apostrophe get another, so that `unguarded` restores every text.
 */

/** Characters that start a formula, including the full-width ones. */
const formula = '[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20]';
const leading = new RegExp(`^'*(?:[\\t\\r\\n]|(?:\\s+'*)?${formula})`);
const border = `([,;|\\t\\r\\n"]\\s*)`;
const behindBorder = new RegExp(`${border}(?='*${formula})`, 'g');
const guardedBehind = new RegExp(`${border}'(?='*${formula})`, 'g');
/** Matches texts that need no escaping, which are most. */
const plain = /^[^=+\-@\uFF1D\uFF0B\uFF0D\uFF20,;|"\t\r\n]*$/;
const needsQuotes = /[",;|\t\r\n]/;

const harmless = (text: string): string =>
  `${leading.test(text) ? "'" : ''}${text.replaceAll(behindBorder, "$1'")}`;

/** Restores the text of a cell from `csvCell`, after its quotes are removed. */
export function unguarded(cell: string): string {
  if (!cell.includes("'")) return cell;
  const text = cell.startsWith("'") && leading.test(cell.slice(1)) ? cell.slice(1) : cell;
  return text.replaceAll(guardedBehind, '$1');
}

/**
 * Formats a cell, quoted if needed and never a formula. Numbers remain numbers, including negative
 * ones.
 */
export function csvCell(text: string | number): string {
  if (typeof text === 'number' || plain.test(text)) return String(text);
  const safe = harmless(text);
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats a line with its line break. */
export const csvLine = (cells: (string | number)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;
