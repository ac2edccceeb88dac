import { parseJson } from '../../kernel/json.ts';

/** How a PostgreSQL type is written as text and read back. */
interface Wire<T> {
  write(value: unknown): string;
  read(text: string): T;
}

/** int8 is read as a number; one that binary64 cannot hold is an error, not a near miss. */
function readInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`The database returned the integer ${text}, which a number cannot hold.`);
  }
  return value;
}

/** PostgreSQL writes `2026-11-21 12:49:28.123456+00`; ISO 8601 wants a `T`. */
function readInstant(text: string): Temporal.Instant {
  return Temporal.Instant.from(text.replace(' ', 'T'));
}

/**
 * The driver loses step with the server when a writer throws while statements are in flight, so
 * what cannot be JSON is sent as text that the server refuses with an error naming the reason.
 */
function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '!not a JSON value';
  } catch (error) {
    return `!not a JSON value: ${error instanceof Error ? error.message : 'unknown reason'}`;
  }
}

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

function quoted(element: string): string {
  return `"${element.replace(/[\\"]/g, '\\$&')}"`;
}

function writeArray(value: unknown, element: Wire<unknown>): string {
  if (!Array.isArray(value)) return String(value);
  const parts = value.map((item: unknown) => {
    if (item === null) return 'NULL';
    // A nested array is another dimension, except where the element itself may be an array.
    if (Array.isArray(item) && element !== json) return writeArray(item, element);
    return quoted(element.write(item));
  });
  return `{${parts.join(',')}}`;
}

/** Reads one quoted element that starts at `start`; answers its text and where it ends. */
function readQuoted(source: string, start: number): { text: string; end: number } {
  let result = '';
  let at = start + 1;
  while (at < source.length && source[at] !== '"') {
    if (source[at] === '\\') at += 1;
    result += source[at];
    at += 1;
  }
  return { text: result, end: at + 1 };
}

/** Reads PostgreSQL's array text (`{1,NULL,"a \"b\""}`, nested for more dimensions). */
function readArray<T>(source: string, element: Wire<T>): unknown[] {
  const root: unknown[] = [];
  const open: unknown[][] = [];
  // Arrays whose first index is not 1 begin with their bounds: `[0:1]={…}`.
  let at = source.startsWith('[') ? source.indexOf('=') + 1 : 0;
  while (at < source.length) {
    const current = open.at(-1);
    const char = source[at];
    if (char === '{') {
      const inner = current === undefined ? root : [];
      current?.push(inner);
      open.push(inner);
      at += 1;
    } else if (char === '}') {
      open.pop();
      at += 1;
    } else if (char === ',') {
      at += 1;
    } else if (char === '"') {
      const { text: item, end } = readQuoted(source, at);
      current?.push(element.read(item));
      at = end;
    } else {
      let end = at;
      while (source[end] !== ',' && source[end] !== '}') end += 1;
      const item = source.slice(at, end);
      current?.push(item === 'NULL' ? null : element.read(item));
      at = end;
    }
  }
  return root;
}

// The numbers are object ids of pg_type, fixed in PostgreSQL's catalog: [type, its array type].
const wires: Record<string, { oid: number; arrayOid: number; wire: Wire<unknown> }> = {
  boolean: { oid: 16, arrayOid: 1000, wire: plain((value) => value === 't') },
  bytea: { oid: 17, arrayOid: 1001, wire: bytes },
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
  date: { oid: 1082, arrayOid: 1182, wire: plain((value) => Temporal.PlainDate.from(value)) },
  timestamp: { oid: 1114, arrayOid: 1115, wire: text },
  timestamptz: { oid: 1184, arrayOid: 1185, wire: plain(readInstant) },
  numeric: { oid: 1700, arrayOid: 1231, wire: text },
  uuid: { oid: 2950, arrayOid: 2951, wire: text },
  jsonb: { oid: 3802, arrayOid: 3807, wire: json },
};

interface DriverType {
  to: number;
  from: number[];
  serialize: (value: unknown) => string;
  parse: (text: string) => unknown;
}

/**
 * Types for postgres.js that replace its own. Its array reader turns NULL into the text "NULL" or
 * NaN, its array writer mangles JSON elements that have a member `type`, and its date types go
 * through the legacy Date with milliseconds.
 */
export function driverTypes(): Record<string, DriverType> {
  const types: Record<string, DriverType> = {};
  for (const [name, { oid, arrayOid, wire }] of Object.entries(wires)) {
    // The suffix keeps clear of names that a function has of itself, such as `name`.
    types[`${name}Type`] = {
      to: oid,
      from: [oid],
      serialize: (value) => wire.write(value),
      parse: (source) => wire.read(source),
    };
    types[`${name}ArrayType`] = {
      to: arrayOid,
      from: [arrayOid],
      serialize: (value) => writeArray(value, wire),
      parse: (source) => readArray(source, wire),
    };
  }
  return types;
}
