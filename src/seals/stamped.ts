import { wallClock } from '../platform/clocks.ts';
import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import { type Evidence, type Fragment, waitingFor } from './evidence.ts';
import type { SealKeys } from './keys.ts';
import { holdChains, type Sealer } from './seal.ts';
import { isStamped, stampedText } from './stamps.ts';

/** The moment since which every row has a stamp; earlier rows have none. */
export interface StampsBegan {
  at: Temporal.Instant;
  /** No record that was written before has a higher id. */
  lastId: number;
}

/** Rows that carry the stamp of their writer in a column `stamp`. */
export interface Stamped {
  /** Their name in faults. A stamp is valid for its own kind only. */
  kind: string;
  /** The relation, called `t`, with `account_id` and `stamp`. */
  from: string;
  /** An expression that names a row. */
  name: string;
  /** Expressions over `t`, as the writer stamps them. */
  columns: readonly string[];
  /** The rows that came after a moment: of these, one without a stamp is a fault. */
  due(sql: Queryable, accountId: string, began: StampsBegan): Fragment;
}

/** The chain of the operator's books holds the beginning of all. */
const operatorChain = '00000000';
const kind = 'stamps';

/** Processes of the previous release may run for this long during an upgrade. */
const besides = { hours: 24 };

const begun = new WeakSet<Sealer>();

/** True before anything was posted: of what is sealed elsewhere nothing is sealed, nor waits. */
const nothingPosted = (sql: Queryable, evidences: readonly Evidence[]): Fragment => {
  const elsewhere = evidences.filter((one) => waitingFor(one) !== null);
  const parts = elsewhere.map(
    (one) => sql`not exists (select from seals where kind = ${one.kind})
      and not exists (${sql.unsafe(waitingFor(one) ?? '')})`,
  );
  return parts.reduce((all, part) => sql`${all} and ${part}`, sql`true`);
};

/** Seals that stamps begin, once for a database. */
export async function beginStamps(
  sql: Sql,
  sealer: Sealer,
  evidences: readonly Evidence[],
): Promise<void> {
  if (begun.has(sealer)) return;
  await sql.begin(async (tx) => {
    const chains = await holdChains(tx, sealer, [operatorChain]);
    if ((await readBegan(tx)) !== null) return;
    const [last] = await tx<{ id: number; fresh: boolean }[]>`
      select last_value as id, ${nothingPosted(tx, evidences)} as fresh from record_ids`;
    const key = `${last?.fresh ? 'new' : 'old'}|${last?.id ?? 0}`;
    const row = tx`select ${operatorChain}::text as account_id, ${key}::text as key, '' as text`;
    await chains.seal(kind, row);
  });
  begun.add(sealer);
}

/** The moment since which stamps are due; null before that was sealed. */
export async function readBegan(sql: Queryable): Promise<StampsBegan | null> {
  const [row] = await sql<{ keys: string[]; at: Temporal.Instant }[]>`
    select s.keys, l.sealed_at as at from seals s join seal_links l using (account_id, no)
    where s.account_id = ${operatorChain} and s.kind = ${kind} order by s.no limit 1`;
  const [what, lastId] = row?.keys[0]?.split('|') ?? [];
  if (!row || lastId === undefined) return null;
  const at = what === 'new' ? row.at : row.at.add(besides);
  return { at, lastId: Number(lastId) };
}

interface Read {
  name: string;
  digest: Buffer;
  stamp: Buffer | null;
}

const rowsAtOnce = 2_000;
const mostNamed = 100;

/** Rows of an account with the digest that their stamps are made of. */
const stampsOf = (
  sql: Queryable,
  { from, name, columns }: Pick<Stamped, 'from' | 'name' | 'columns'>,
  accountId: string,
  where: Fragment,
) => sql<Read[]>`
  select (${sql.unsafe(name)})::text as name, t.stamp,
    sha256(convert_to(${sql.unsafe(stampedText(columns))}, 'UTF8')) as digest
  from ${sql.unsafe(from)} t where t.account_id = ${accountId} and ${where}`;

/**
 * Names the rows of an account whose stamp is missing, or is not the one that a process makes;
 * `since`: only of what was written or sealed after that moment.
 */
export async function checkStamps(
  sql: Queryable,
  keys: SealKeys,
  accountId: string,
  stamped: Stamped,
  since: Temporal.Instant | null = null,
): Promise<string[]> {
  const began = await readBegan(sql);
  const isDue = began !== null && Temporal.Instant.compare(wallClock.now(), began.at) >= 0;
  const without = isDue
    ? sql`or (t.stamp is null and ${stamped.due(sql, accountId, began)})`
    : sql``;
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
