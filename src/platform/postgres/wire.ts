import { setImmediate as othersTurn } from 'node:timers/promises';
import { isoDay, parseDayOrIso } from '../../kernel/dates.ts';
import { parseJson } from '../../kernel/json.ts';

interface Wire<T> {
  write(value: unknown): string;
  read(text: string): T;
}

/** Converts int8 to a number. Throws RangeError if it is inexact. */
function readInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`The database returned the integer ${text}, which a number cannot hold.`);
  }
  return value;
}

/**
 * Parses an instant as PostgreSQL writes it: `2026-11-21 12:49:28.123456+00`. ISO 8601 needs a `T`.
 */
function readInstant(text: string): Temporal.Instant {
  return Temporal.Instant.from(text.replace(' ', 'T'));
}

function writeJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`A ${typeof value} cannot be JSON.`);
  return text;
}

/**
 * Parses a day in DateStyle ISO: `yyyy-mm-dd`. Throws RangeError for other values, such as
 * infinity.
 */
const readDay = (text: string): Temporal.PlainDate =>
  parseDayOrIso(text) ?? Temporal.PlainDate.from(text);

const writeDay = (value: unknown): string =>
  value instanceof Temporal.PlainDate ? isoDay(value) : String(value);

const asText = (text: string): string => text;
const plain = <T>(read: (text: string) => T): Wire<T> => ({ write: String, read });

const text = plain(asText);
const integer = plain(Number);
const bytes: Wire<Buffer> = {
  write: (value) =>
    value instanceof Uint8Array
      ? `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
      : String(value),
  read: (hex) => Buffer.from(hex.slice(2), 'hex'),
};
const json: Wire<unknown> = { write: writeJson, read: parseJson };

const toEscape = /[\\"]/g;

/** Quotes elements except numbers, which are shorter without quotes. */
function writeElement(item: unknown, element: Wire<unknown>): string {
  if (item === null) return 'NULL';
  if (typeof item === 'number' && element !== json) return String(item);
  // A nested array is another dimension, unless the element type may be an array.
  if (Array.isArray(item) && element !== json) return writeArray(item, element);
  return `"${element.write(item).replace(toEscape, '\\$&')}"`;
}

function writeArray(value: unknown, element: Wire<unknown>): string {
  if (!Array.isArray(value)) return String(value);
  return `{${value.map((item) => writeElement(item, element)).join(',')}}`;
}

/** Reads a quoted element from `start`. Returns its text and end. */
function readQuoted(source: string, start: number): { text: string; end: number } {
  let result = '';
  let index = start + 1;
  while (index < source.length && source[index] !== '"') {
    if (source[index] === '\\') index += 1;
    result += source[index];
    index += 1;
  }
  return { text: result, end: index + 1 };
}

/** Reads PostgreSQL's array text (`{1,NULL,"a \"b\""}`, nested for more dimensions). */
function readArray<T>(source: string, element: Wire<T>): unknown[] {
  const root: unknown[] = [];
  const open: unknown[][] = [];
  // Arrays whose first index is not 1 have bounds: `[0:1]={…}`.
  let index = source.startsWith('[') ? source.indexOf('=') + 1 : 0;
  while (index < source.length) {
    const current = open.at(-1);
    const char = source[index];
    if (char === '{') {
      const inner = current === undefined ? root : [];
      current?.push(inner);
      open.push(inner);
      index += 1;
    } else if (char === '}') {
      open.pop();
      index += 1;
    } else if (char === ',') {
      index += 1;
    } else if (char === '"') {
      const { text: item, end } = readQuoted(source, index);
      current?.push(element.read(item));
      index = end;
    } else {
      let end = index;
      while (source[end] !== ',' && source[end] !== '}') end += 1;
      const item = source.slice(index, end);
      current?.push(item === 'NULL' ? null : element.read(item));
      index = end;
    }
  }
  return root;
}

const bytea = 17;

// Object ids of pg_type, fixed in PostgreSQL's catalog: type and array type.
const wires: Record<string, { oid: number; arrayOid: number; wire: Wire<unknown> }> = {
  boolean: { oid: 16, arrayOid: 1000, wire: plain((value) => value === 't') },
  bytea: { oid: bytea, arrayOid: 1001, wire: bytes },
  internalChar: { oid: 18, arrayOid: 1002, wire: text },
  name: { oid: 19, arrayOid: 1003, wire: text },
  int8: { oid: 20, arrayOid: 1016, wire: plain(readInt8) },
  int2: { oid: 21, arrayOid: 1005, wire: integer },
  int4: { oid: 23, arrayOid: 1007, wire: integer },
  text: { oid: 25, arrayOid: 1009, wire: text },
  objectId: { oid: 26, arrayOid: 1028, wire: integer },
  json: { oid: 114, arrayOid: 199, wire: json },
  float4: { oid: 700, arrayOid: 1021, wire: integer },
  float8: { oid: 701, arrayOid: 1022, wire: integer },
  char: { oid: 1042, arrayOid: 1014, wire: text },
  varchar: { oid: 1043, arrayOid: 1015, wire: text },
  date: { oid: 1082, arrayOid: 1182, wire: { write: writeDay, read: readDay } },
  timestamp: { oid: 1114, arrayOid: 1115, wire: text },
  timestamptz: { oid: 1184, arrayOid: 1185, wire: plain(readInstant) },
  numeric: { oid: 1700, arrayOid: 1231, wire: text },
  uuid: { oid: 2950, arrayOid: 2951, wire: text },
  jsonb: { oid: 3802, arrayOid: 3807, wire: json },
};

const arrayOids = new Set(Object.values(wires).map(({ arrayOid }) => arrayOid));

type Write = (value: unknown) => string;
type Read = (text: string) => unknown;

const writers = new Map<number, Write>();
const readers = new Map<number, Read>();
for (const { oid, arrayOid, wire } of Object.values(wires)) {
  writers.set(oid, (value) => wire.write(value));
  readers.set(oid, (source) => wire.read(source));
  writers.set(arrayOid, (value) => writeArray(value, wire));
  readers.set(arrayOid, (source) => readArray(source, wire));
}

/** Elements encoded per turn of the event loop. */
const atOnce = 2_000;

/** Encodes parameters by type. Yields during long arrays. */
export async function encodeAll(
  values: readonly unknown[],
  types: readonly number[],
): Promise<(string | Buffer | null)[]> {
  const texts: (string | Buffer | null)[] = [];
  for (const [index, value] of values.entries()) {
    const oid = types[index] ?? 0;
    const isLong = Array.isArray(value) && value.length > atOnce && arrayOids.has(oid);
    texts.push(isLong ? await encodeLong(value, oid) : encode(value, oid));
  }
  return texts;
}

async function encodeLong(value: readonly unknown[], oid: number): Promise<string> {
  const parts: string[] = [];
  for (let start = 0; start < value.length; start += atOnce) {
    // Without the part's braces.
    parts.push(String(encode(value.slice(start, start + atOnce), oid)).slice(1, -1));
    await othersTurn();
  }
  return `{${parts.join(',')}}`;
}

/** Encodes one parameter. Bytes pass unchanged. */
export function encode(value: unknown, oid: number): string | Buffer | null {
  if (value === null) return null;
  if (oid === bytea && value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  const write = writers.get(oid);
  if (write) return write(value);
  // Other catalog types and enums travel as text.
  return Array.isArray(value) ? writeArray(value, text) : String(value);
}

/** Returns the reader of a column's type. Default: text. */
export const readerOf = (oid: number): Read => readers.get(oid) ?? asText;
