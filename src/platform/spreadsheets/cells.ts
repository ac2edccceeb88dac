/**
 * Normalises what people write in spreadsheet cells for the service's forms. Leaves the rest
 * unchanged: the form reports it.
 */

/** A cell as read: a number only if the spreadsheet itself types it as one. */
export type Cell = string | number | boolean;

/** Thousands separated by white space; anywhere else it separates two numbers. */
const spacedThousands = /^[1-9]\d{0,2}(?:\s\d{3})+(?!\d)/;

/** No amount is written in more characters. */
const longestAmount = 64;

const withoutCurrency = (text: string): string =>
  text
    .replace(/^(?:ars|\$)/i, '')
    .replace(/(?:ars|\$)$/i, '')
    .trim();

/** 1.430,50 or $ 1.430,50, or 1,430.50, as 1430.50. No thousands begin with a zero. */
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

/** Numbers as spreadsheets show them: beyond the 15th digit there is binary noise. */
const displayedNumber = (number: number): string => String(Number(number.toPrecision(15)));

/** An amount as text with a point. */
export const amountOf = (cell: Cell): string =>
  typeof cell === 'number' ? displayedNumber(cell) : plainText(String(cell));

const paddedDay = (day: string, month: string, year: string): string =>
  `${day.padStart(2, '0')}-${month.padStart(2, '0')}-${year.length === 2 ? `20${year}` : year}`;

/** Day 0 of Excel's calendar, which has a 29 February 1900. */
const serialZero = Temporal.PlainDate.from('1899-12-30');
/** From 1982 to 2119: other numbers are no days. */
const isSerial = (number: number): boolean => number >= 30_000 && number < 80_400;

const dayOfSerial = (serial: number): string => {
  const { day, month, year } = serialZero.add({ days: Math.floor(serial) });
  return paddedDay(String(day), String(month), String(year));
};

/** 5/12/2026, 5.12.26, 2026-12-05, a number of Excel's days, each perhaps with an hour: 05-12-2026. */
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

/** Yes or no, as `true` or `false`. */
export const flagOf = (cell: Cell): string => words[String(cell).toLowerCase()] ?? String(cell);

/** A cell's text, with numbers as written. */
export const textOfCell = (cell: Cell): string =>
  typeof cell === 'number' ? displayedNumber(cell) : String(cell);

/** From here on a spreadsheet has lost digits: it keeps fifteen. */
const firstRounded = 1e15;

/** True for a long number that a spreadsheet rounded (`5,49115E+12`). */
export const isRounded = (cell: Cell): boolean =>
  typeof cell === 'number'
    ? Math.abs(cell) >= firstRounded
    : typeof cell === 'string' && /^\d[.,]\d{1,14}E\+\d{2,3}$/i.test(cell);

/** Error values of formulas, in English and in Spanish. */
export const isCellError = (cell: Cell): boolean =>
  typeof cell === 'string' &&
  /^#(N\/[AD]|[¡¿]?(REF|VALUE|VALOR|DIV\/0|NAME|NOMBRE|NUM|NULL|NULO|SPILL|CALC)[!?])$/i.test(cell);
