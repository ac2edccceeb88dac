import { centavos, toJsonNumber } from '../kernel/money.ts';
import { endOfCell, integerIn, isNull } from '../platform/postgres/copy-cells.ts';
import type { ByteSink } from './byte-sink.ts';
import type { Tally } from './present.ts';
import type { CellKind, Column, TakeCells } from './store.ts';

// Converts report rows from COPY bytes to JSON without intermediate strings. Formatting each column
// as text in PostgreSQL would cost a quarter of a report's time.

const ppmPerPercent = 10_000;

const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const [comma, open, close, quote, backslash, zero, minus, point] = ascii(
  ',{}"\\0-.',
) as unknown as [number, number, number, number, number, number, number, number];
const firstVisible = 0x20;
const letterV = 0x76;

/** Writes the cell of `row` from `start` to `end` into `out` at `to`. Returns the new position. */
type Write = (row: Uint8Array, start: number, end: number, out: Uint8Array, to: number) => number;

const copy: Write = (row, start, end, out, to) => {
  let next = to;
  for (let index = start; index < end; index += 1) out[next++] = row[index] as number;
  return next;
};

const put = (bytes: Uint8Array, out: Uint8Array, to: number): number =>
  copy(bytes, 0, bytes.length, out, to);

const offset = ascii('-03:00"');
const timeSign = ascii('T');
const midnight = ascii('T00:00:00-03:00"');
const dayLength = 'yyyy-mm-dd'.length;
const secondsLength = 'yyyy-mm-dd hh:mm:ss'.length;

/** Converts `yyyy-mm-dd hh:mm:ss` to ISO 8601 and drops fractions. */
const moment: Write = (row, start, _end, out, to) => {
  out[to] = quote;
  const day = put(timeSign, out, copy(row, start, start + dayLength, out, to + 1));
  return put(offset, out, copy(row, start + dayLength + 1, start + secondsLength, out, day));
};

const day: Write = (row, start, end, out, to) => {
  out[to] = quote;
  return put(midnight, out, copy(row, start, end, out, to + 1));
};

const percent: Write = (row, start, end, out, to) =>
  put(ascii(String(integerIn(row, start, end) / ppmPerPercent)), out, to);

/** Writes centavos as a JSON number of pesos. */
const pesos: Write = (row, start, end, out, to) => {
  if (end - start < 3 || (row[start] as number) === minus) {
    return put(ascii(String(toJsonNumber(centavos(integerIn(row, start, end))))), out, to);
  }
  const tenth = row[end - 2] as number;
  const hundredth = row[end - 1] as number;
  let next = copy(row, start, end - 2, out, to);
  if (tenth === zero && hundredth === zero) return next;
  out[next++] = point;
  out[next++] = tenth;
  if (hundredth !== zero) out[next++] = hundredth;
  return next;
};

/**
 * Returns the `\u00…` escape of a control character that COPY leaves unescaped or escapes
 * differently.
 */
const control = (byte: number): Uint8Array => ascii(`\\u${byte.toString(16).padStart(4, '0')}`);
const verticalTab = control(0x0b);

/**
 * Writes a text. COPY escapes like JSON, except for quotes, vertical tabs and unnamed control
 * characters.
 */
const text: Write = (row, start, end, out, to) => {
  let next = to;
  out[next++] = quote;
  for (let index = start; index < end; index += 1) {
    const byte = row[index] as number;
    if (byte === backslash) {
      index += 1;
      const sign = row[index] as number;
      if (sign === letterV) next = put(verticalTab, out, next);
      else {
        out[next++] = backslash;
        out[next++] = sign;
      }
    } else if (byte < firstVisible) {
      next = put(control(byte), out, next);
    } else {
      if (byte === quote) out[next++] = backslash;
      out[next++] = byte;
    }
  }
  out[next++] = quote;
  return next;
};

const writers: Record<CellKind, Write> = {
  moment,
  day,
  integer: copy,
  percent,
  amount: pesos,
  text,
};

/** Worst-case output bytes per byte of text. Other cells need less, even with their member name. */
const mostBytesPerByte = '\\u0000'.length;
const mostBesides = 64;

/** Writes rows as comma-separated JSON objects and totals their amounts. Omits nulls. */
export function jsonRows(
  columns: readonly Column[],
  sink: ByteSink,
): { take: TakeCells; tally: Tally } {
  const members = columns.map(({ member, kind }) => ({
    member,
    name: ascii(`${JSON.stringify(member)}:`),
    write: writers[kind],
    isAmount: kind === 'amount',
    sum: 0,
    count: 0,
  }));
  let isFirst = true;

  const take: TakeCells = (row, first) => {
    sink.reserve(row.length * mostBytesPerByte + members.length * mostBesides);
    const out = sink.bytes;
    let to = sink.length;
    if (!isFirst) out[to++] = comma;
    isFirst = false;
    let start = first;
    let before = open;
    for (const one of members) {
      const end = endOfCell(row, start);
      if (!isNull(row, start, end)) {
        out[to++] = before;
        before = comma;
        to = one.write(row, start, end, out, put(one.name, out, to));
        if (one.isAmount) {
          const amount = integerIn(row, start, end);
          one.sum += amount;
          if (amount !== 0) one.count += 1;
        }
      }
      start = end + 1;
    }
    out[to++] = close;
    sink.length = to;
  };

  const of = (member: string) => {
    const found = members.find((one) => one.member === member && one.isAmount);
    if (!found) throw new Error(`there is no amount ${member}`);
    return found;
  };
  return {
    take,
    tally: { sum: (member) => centavos(of(member).sum), count: (member) => of(member).count },
  };
}
