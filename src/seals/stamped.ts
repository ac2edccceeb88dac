import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import { amongNamed } from '../platform/postgres/distributed/look-ups.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import { type Fragment, operatorChain, type Stamped, type StampsBegan } from './evidence.ts';
import type { SealKeys } from './keys.ts';
import { type Forged, holdChains, type Sealer } from './seal.ts';
import {
  type Field,
  isStamped,
  momentText,
  stampedText,
  stampKeys,
  stampRows,
  withoutStamp,
} from './stamps.ts';

interface FactRow {
  account_id: string;
  id: number;
}

/**
 * Rows of facts about money. Their stamps are verified when they are sealed and before money
 * leaves.
 */
export interface StampedFacts<Row extends FactRow> extends Stamped {
  stamps(sql: Queryable, rows: readonly Row[]): Promise<Buffer[]>;
}

/** Describes stamps over columns that never change, and `writtenAt`, the time of writing. */
export function stampedFacts<Row extends FactRow>(
  kind: string,
  table: string,
  columns: readonly (keyof Row & string)[],
  writtenAt: keyof Row & string,
): StampedFacts<Row> {
  const all = ['account_id', 'id', ...columns] as const;
  return {
    kind,
    from: table,
    name: 't.id',
    columns: [...all.map((column) => `t.${column}`), momentText(`t.${writtenAt}`)],
    due: (sql, _accountId, { at: moment, lastId }) => sql`
      t.id > ${lastId}::bigint and ${sql.unsafe(`t.${writtenAt}`)} > ${moment}::timestamptz`,
    stamps: (sql, rows) =>
      stampRows(
        sql,
        kind,
        rows.map((row) => [
          ...all.map((column) => row[column] as Field),
          (row[writtenAt] as Temporal.Instant).epochMilliseconds,
        ]),
      ),
  };
}

const kind = 'stamps';

const begun = new WeakSet<Sealer>();

/** Seals the position from which rows must have stamps, once per database. */
export async function beginStamps(sql: Sql, sealer: Sealer): Promise<void> {
  if (begun.has(sealer)) return;
  await sql.begin(async (tx) => {
    const chains = await holdChains(tx, sealer, [operatorChain]);
    if ((await readBegan(tx)) !== null) return;
    const row = tx`
      select ${operatorChain}::text as account_id, last_value::text as key, '' as text
      from record_ids`;
    await chains.seal(kind, row);
  });
  begun.add(sealer);
}

/** Returns the point from which rows must have stamps, or null until that point is sealed. */
export async function readBegan(sql: Queryable): Promise<StampsBegan | null> {
  const [row] = await sql<{ keys: string[]; at: Temporal.Instant }[]>`
    select s.keys, l.sealed_at as at from seals s join seal_links l using (account_id, no)
    where s.account_id = ${operatorChain} and s.kind = ${kind} order by s.no limit 1`;
  return row ? { at: row.at, lastId: Number(row.keys[0]) } : null;
}

interface Read {
  name: string;
  digest: Buffer;
  stamp: Buffer | null;
}

const rowsAtOnce = 2_000;
const mostNamed = 100;

/** Selects the stamp of a row `t` and the digest that it covers. */
export const stampColumns = (sql: Queryable, { columns }: Pick<Stamped, 'columns'>): Fragment =>
  sql`t.stamp, sha256(convert_to(${sql.unsafe(stampedText(columns))}, 'UTF8')) as digest`;

const stampsOf = (
  sql: Queryable,
  { from, name, columns }: Pick<Stamped, 'from' | 'name' | 'columns'>,
  accountId: string,
  where: Fragment,
) => sql<Read[]>`
  select (${sql.unsafe(name)})::text as name, ${stampColumns(sql, { columns })}
  from ${sql.unsafe(from)} t where t.account_id = ${accountId} and ${where}`;

/** Reads the stamps of the facts that a query names by account and id. */
function readNamed(sql: Queryable, fact: Stamped, due: Fragment, named: Fragment) {
  const facts = sql`
    select t.account_id, t.id, (${due})::boolean as due, ${stampColumns(sql, fact)}
    from ${sql.unsafe(fact.from)} t where true`;
  return sql<
    { account_id: string; id: number; digest: Buffer; stamp: Buffer | null; due: boolean }[]
  >`
    ${amongNamed(sql, facts, ['id'], named)}`;
}

/** Returns true if a named fact exists with a valid stamp of these keys. */
export async function hasStamp(
  sql: Queryable,
  keys: SealKeys,
  fact: Stamped,
  named: Fragment,
): Promise<boolean> {
  const rows = await readNamed(sql, fact, sql`false`, named);
  return rows.some(
    ({ digest, stamp }) => stamp !== null && isStamped(keys, fact.kind, { digest, stamp }),
  );
}

/**
 * Returns facts that no process of the service wrote, among those that a query names by account and
 * id.
 */
export async function forgedFacts(
  sql: Queryable,
  keys: SealKeys,
  fact: Stamped,
  named: Fragment,
): Promise<Forged[]> {
  const { kind } = fact;
  const began = await readBegan(sql);
  const due = began === null ? sql`false` : fact.due(sql, '', began);
  const rows = await readNamed(sql, fact, due, named);
  const forged = await withoutStamp(keys, kind, rows);
  return forged.map(({ account_id: accountId, id }) => ({ accountId, kind, id }));
}

/** Returns forged facts among those in memory, verified with the keys of `sql`'s pool. */
export const forgedAmongFacts = async (
  sql: Queryable,
  fact: Stamped,
  facts: readonly { account_id: string; id: number }[],
): Promise<Forged[]> =>
  await forgedFacts(
    sql,
    await stampKeys(sql),
    fact,
    sql`
      select * from ${recordset(sql, 'key (account_id text, id bigint)', facts)}`,
  );

/**
 * Returns true if no process of the service wrote a row read with `stampColumns`. `where` finds the
 * row again, to check whether it must have a stamp.
 */
export async function isForged(
  sql: Queryable,
  fact: Stamped,
  { stamp, digest }: { stamp: Buffer | null; digest: Buffer },
  where: Fragment,
): Promise<boolean> {
  if (stamp !== null) return !isStamped(await stampKeys(sql), fact.kind, { digest, stamp });
  const began = await readBegan(sql);
  if (began === null) return false;
  const rows = await sql`
    select 1 from ${sql.unsafe(fact.from)} t where ${where} and ${fact.due(sql, '', began)}`;
  return rows.length > 0;
}

/**
 * Lists up to 100 of an account's rows with a missing or wrong stamp. `since` limits this to rows
 * written or sealed later.
 */
export async function checkStamps(
  sql: Queryable,
  keys: SealKeys,
  accountId: string,
  stamped: Stamped,
  since: Temporal.Instant | null = null,
): Promise<string[]> {
  const began = await readBegan(sql);
  const without =
    began === null ? sql`` : sql`or (t.stamp is null and ${stamped.due(sql, accountId, began)})`;
  const recent =
    since === null ? sql`` : sql`and ${stamped.due(sql, accountId, { at: since, lastId: 0 })}`;
  const read = stampsOf(sql, stamped, accountId, sql`(t.stamp is not null ${without}) ${recent}`);
  const faults: string[] = [];
  for await (const rows of read.cursor(rowsAtOnce)) {
    for (const { name, digest, stamp } of rows) {
      if (stamp !== null && isStamped(keys, stamped.kind, { digest, stamp })) continue;
      faults.push(`${stamped.kind} ${name} was not written by this service`);
      if (faults.length === mostNamed) return faults;
    }
  }
  return faults;
}
