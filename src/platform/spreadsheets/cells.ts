/**
 * Normalizes people's spreadsheet cells for the service's forms. Leaves the rest unchanged, for the
 * form to report.
 */

/** A cell as read. It is a number only if the spreadsheet types it as one. */
export type Cell = string | number | boolean;

/** White space as thousands separator. Anywhere else it separates two numbers. */
const spacedThousands = /^[1-9]\d{0,2}(?:\s\d{3})+(?!\d)/;

/** Maximum length of an amount. */
const longestAmount = 64;

const withoutCurrency = (text: string): string =>
  text
    .replace(/^(?:ars|\$)/i, '')
    .replace(/(?:ars|\$)$/i, '')
    .trim();

/** Reads 1.430,50, $ 1.430,50 or 1,430.50 as 1430.50. Thousands never begin with a zero. */
function plainText(cell: string): string {
  if (cell.length > longestAmount) return cell.trim();
  const text = withoutCurrency(cell).replace(spacedThousands, (number) =>
    number.replaceAll(/\s/g, ''),
  );
  if (/^([1-9]\d{0,2}(\.\d{3})+|\d+),\d{1,2}$/.test(text)) {
    return text.replaceAll('.', '').replace(',', '.');
  }
  if (/^[1-9]\d{0,2}(,\d{3})+\.\d{1,2}$/.test(text)) return text.replaceAll(',', '');
  return /^[1-9]\d{0,2}(\.\d{3})+$/.test(text) ? text.replaceAll('.', '') : text;
}

/** Formats a number as spreadsheets do, because digits after the 15th are binary noise. */
const displayedNumber = (number: number): string => String(Number(number.toPrecision(15)));

/** Returns an amount as text with a decimal point. */
export const amountOf = (cell: Cell): string =>
  typeof cell === 'number' ? displayedNumber(cell) : plainText(String(cell));

const paddedDay = (day: string, month: string, year: string): string =>
  `${day.padStart(2, '0')}-${month.padStart(2, '0')}-${year.length === 2 ? `20${year}` : year}`;

/** Day 0 of Excel's calendar, which has a 29 February 1900. */
const serialZero = Temporal.PlainDate.from('1899-12-30');
/** Returns true for days from February 1982 to February 2120. Other numbers are not days. */
const isSerial = (number: number): boolean => number >= 30_000 && number < 80_400;

const dayOfSerial = (serial: number): string => {
  const { day, month, year } = serialZero.add({ days: Math.floor(serial) });
  return paddedDay(String(day), String(month), String(year));
};

/** Reads 5/12/2026, 5.12.26, 2026-12-05 or an Excel day, optionally with a time, as 05-12-2026. */
export function dayTextOf(cell: Cell): string {
  if (typeof cell === 'number') return isSerial(cell) ? dayOfSerial(cell) : String(cell);
  const text = String(cell).replace(/[ T]\d{1,2}:\d{2}(:\d{2}([.]\d+)?Z?)?$/, '');
  const [, d, m, y] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(text) ?? [];
  if (d && m && y) return paddedDay(d, m, y);
  const [, year, month, day] = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$/.exec(text) ?? [];
  if (day && month && year) return paddedDay(day, month, year);
  return /^\d{5}$/.test(text) && isSerial(Number(text)) ? dayOfSerial(Number(text)) : text;
}

const words: Record<string, string> = {
  true: 'true',
  verdadero: 'true',
  si: 'true',
  sí: 'true',
  '1': 'true',
  false: 'false',
  falso: 'false',
  no: 'false',
  '0': 'false',
};

/** Reads yes or no as `true` or `false`. */
export const flagOf = (cell: Cell): string => words[String(cell).toLowerCase()] ?? String(cell);

/** Returns a cell's text. Numbers are as spreadsheets display them. */
export const textOfCell = (cell: Cell): string =>
  typeof cell === 'number' ? displayedNumber(cell) : String(cell);

/** From here on, spreadsheets have lost digits: they store fifteen. */
const firstRounded = 1e15;

/** Returns true for a long number that a spreadsheet rounded (`5,49115E+12`). */
export const isRounded = (cell: Cell): boolean =>
  typeof cell === 'number'
    ? Math.abs(cell) >= firstRounded
    : typeof cell === 'string' && /^\d[.,]\d{1,14}E\+\d{2,3}$/i.test(cell);

/** Returns true for a formula's error value, in English or Spanish. */
export const isCellError = (cell: Cell): boolean =>
  typeof cell === 'string' &&
  /^#(N\/[AD]|[¡¿]?(REF|VALUE|VALOR|DIV\/0|NAME|NOMBRE|NUM|NULL|NULO|SPILL|CALC)[!?])$/i.test(cell);
