/** COPY's text format: tab-separated cells, a row per line, control characters escaped. */

const tab = 0x09;
const newline = 0x0a;
const minus = 0x2d;
const zero = 0x30;
const backslash = 0x5c;
const letterN = 0x4e;

export function endOfCell(row: Uint8Array, start: number): number {
  for (let end = start; end < row.length; end += 1) {
    const byte = row[end] as number;
    if (byte <= newline && (byte === tab || byte === newline)) return end;
  }
  throw new Error('a row of a COPY has fewer cells than were asked for');
}

/** Returns true if a cell is null. A text with the same letters has an escaped backslash. */
export const isNull = (row: Uint8Array, start: number, end: number): boolean =>
  end === start + 2 &&
  (row[start] as number) === backslash &&
  (row[start + 1] as number) === letterN;

/** Parses a cell's integer. Throws if it is inexact. */
export function integerIn(row: Uint8Array, start: number, end: number): number {
  const isNegative = (row[start] as number) === minus;
  let value = 0;
  for (let index = isNegative ? start + 1 : start; index < end; index += 1) {
    value = value * 10 + (row[index] as number) - zero;
  }
  if (!Number.isSafeInteger(value)) throw new RangeError('an integer that a number cannot hold');
  return isNegative ? -value : value;
}

const escaped: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const textOf = (cell: string): string =>
  cell.includes('\\') ? cell.replace(/\\(.)/g, (_, sign: string) => escaped[sign] ?? sign) : cell;

/** Parses a row's cells from `start` on. */
export const cellsOf = (row: Buffer, start: number): (string | null)[] =>
  row
    .toString('utf8', start, row.length - 1)
    .split('\t')
    .map((cell) => (cell === '\\N' ? null : textOf(cell)));
