import { createHash } from 'node:crypto';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { partsOf } from '../kernel/lists.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { keyless, type SealKeys, withoutKeys } from './keys.ts';

/**
 * A stamp is an HMAC of a row by the process that writes it. The database never sees its key
 * unencrypted, so a row inserted by SQL has no valid stamp.
 */

export type Field = string | number | null;

const stampBytes = 16;

type KeysOf = () => Promise<SealKeys>;

/** Loaders of keys, by the object that all connections and transactions of a pool share. */
const writers = new WeakMap<Queryable['layout'], KeysOf>();

/** Sets the keys that stamp writes through these connections. Loads them with the first stamp. */
export function stampWith(sql: Queryable, keysOf: KeysOf): void {
  let keys: Promise<SealKeys> | null = null;
  writers.set(sql.layout, () => {
    keys ??= keysOf().catch((error: unknown) => {
      // Retry with the next stamp.
      keys = null;
      throw error;
    });
    return keys;
  });
}

/** Returns the keys that stamp writes through these connections. Default: `withoutKeys`. */
export const stampKeys = async (sql: Queryable): Promise<SealKeys> =>
  (await writers.get(sql.layout)?.()) ?? withoutKeys;

/** Prefixes each field with its length, so that different rows never have the same text. */
const textOf = (fields: readonly Field[]): string =>
  fields
    .map((field) => (field === null ? '~' : `${Buffer.byteLength(String(field))}:${field}`))
    .join('');

/** Returns the SQL expression of the text that `textOf` builds. */
export const stampedText = (columns: readonly string[]): string =>
  columns
    .map((column) => `coalesce(octet_length((${column})::text) || ':' || (${column})::text, '~')`)
    .join(' || ');

/** Returns the SQL expression of a stamp's time, in milliseconds. */
export const momentText = (column: string): string => `trunc(extract(epoch from ${column}) * 1000)`;

const macOf = (keys: SealKeys, keyId: string, kind: string, digest: Buffer): Buffer | null =>
  keys
    .mac(keyId, 'stamp', Buffer.concat([Buffer.from(`${kind}\0`), digest]))
    ?.subarray(0, stampBytes) ?? null;

/** Stamps rows that are about to be written through `sql`. */
export async function stampRows(
  sql: Queryable,
  kind: string,
  rows: readonly (readonly Field[])[],
): Promise<Buffer[]> {
  if (rows.length === 0) return [];
  const keys = await stampKeys(sql);
  return rows.map((fields) => {
    const digest = createHash('sha256').update(textOf(fields)).digest();
    const stamp = macOf(keys, keys.current, kind, digest);
    if (stamp === null) throw new Error('the current key of seals is missing');
    return stamp;
  });
}

export async function stampRow(
  sql: Queryable,
  kind: string,
  fields: readonly Field[],
): Promise<Buffer> {
  const [stamp = Buffer.alloc(0)] = await stampRows(sql, kind, [fields]);
  return stamp;
}

/**
 * Returns true for a stamp by one of our keys. Without configured keys, accepts stamps by the
 * `keyless` key, which anyone can make.
 */
export function isStamped(
  keys: SealKeys,
  kind: string,
  { digest, stamp }: { digest: Buffer; stamp: Buffer },
): boolean {
  const known = keys.ids.filter((id) => id !== keyless || keys.current === keyless);
  return known.some((id) => macOf(keys, id, kind, digest)?.equals(stamp) ?? false);
}

/** Rows per turn of the event loop, a few milliseconds of work. */
const rowsPerTurn = 200;

/**
 * Returns the rows with a wrong stamp, or without one although it is due. Lets other work run in
 * between, because thousands of rows may wait for the sealer.
 */
export async function withoutStamp<
  Row extends { digest: Buffer; stamp: Buffer | null; due: boolean },
>(keys: SealKeys, kind: string, rows: readonly Row[]): Promise<Row[]> {
  const found: Row[] = [];
  for (const [no, part] of partsOf(rows, rowsPerTurn).entries()) {
    if (no > 0) await othersTurn();
    found.push(
      ...part.filter(({ digest, stamp, due }) =>
        stamp === null ? due : !isStamped(keys, kind, { digest, stamp }),
      ),
    );
  }
  return found;
}
