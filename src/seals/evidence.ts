import type { Queryable } from '../platform/postgres/connect.ts';
import { takesLookUps } from '../platform/postgres/distributed/engine.ts';
import { amongNamed } from '../platform/postgres/distributed/look-ups.ts';

export type Fragment = ReturnType<Queryable>;

/** The point after which every row must have a stamp. */
export interface StampsBegan {
  at: Temporal.Instant;
  /** Highest id of the rows written before. */
  lastId: number;
}

/** Rows whose `stamp` column proves that this service wrote them. */
export interface Stamped {
  /** Name in faults. A stamp is valid for its own kind only. */
  kind: string;
  /** Relation, as `t`, with `account_id` and `stamp`. */
  from: string;
  /** Expression that names a row. */
  name: string;
  /** Expressions over `t`, as the writer stamps them. */
  columns: readonly string[];
  /** Returns the condition for rows that must have a stamp: written or sealed since `began`. */
  due(sql: Queryable, accountId: string, began: StampsBegan): Fragment;
}

type KeyType = 'text' | 'bigint' | 'int' | 'smallint' | 'date';

/**
 * Rows of one kind, for the sealer. They never change without an event. Add new columns to `later`:
 * null there does not affect the digest, so earlier seals still match.
 */
export interface Evidence {
  /** Name in faults and seals. */
  kind: string;
  /** Relation, as `t`, with `account_id`. A table, or a query in parentheses. */
  from: string;
  /** Columns that identify a row of an account. */
  key: Record<string, KeyType>;
  /** Expressions over `t` that may change only with an event. */
  columns: readonly string[];
  later?: readonly string[];
  /**
   * Query for the rows that events affect: selects account and key columns from `touched
   * (account_id, id, entity, entity_id, version, type, data)`. `themselves`: the rows are events.
   * `waiting`: another sealer seals the rows, and this query returns its pending keys `(account_id,
   * key)`.
   */
  touched: string | { themselves: true } | { waiting: string };
  /** Rows never change once written, so a sealed row can be compared at any time. */
  settled?: true;
  /** Reports a row without a seal as inserted by SQL, if all seals of its account are read. */
  strict: boolean;
  /**
   * A kind that a release added. The first sealed events of an account also seal all of its older
   * rows. Until then a row without a seal is valid. `accounts`: except in the operator's books,
   * which had no such rows before.
   */
  joined?: true | 'accounts';
  /** Stamps of these rows, checked when they are sealed. Such rows have the key `id`. */
  stamped?: Stamped;
}

export const keyText = ({ key }: Evidence): string =>
  `concat_ws('|', ${Object.keys(key)
    .map((column) => `t.${column}`)
    .join(', ')})`;

const textOf = ({ columns, later = [] }: Evidence): string =>
  [
    `row(${columns.join(', ')})::text`,
    ...later.map((column) => `coalesce('+' || (${column})::text, '')`),
  ].join(' || ');

/** Restricts a query to some accounts, so that it reaches only their nodes. */
const among = (sql: Queryable, accountIds: readonly string[]): Fragment =>
  accountIds.length === 1 ? sql`= ${accountIds[0] ?? ''}` : sql`= any(${accountIds}::text[])`;

/** Selects rows of some accounts as `(account_id, key, text)`. */
export const rowsOf = (
  sql: Queryable,
  evidence: Evidence,
  accountIds: readonly string[],
): Fragment => sql`
  select t.account_id, ${sql.unsafe(keyText(evidence))} as key,
    ${sql.unsafe(textOf(evidence))} as text
  from ${sql.unsafe(evidence.from)} t where t.account_id ${among(sql, accountIds)}`;

/** Selects the rows that a query names by account and key. */
export const namedRows = (
  sql: Queryable,
  evidence: Evidence,
  accountIds: readonly string[],
  named: Fragment,
): Fragment => amongNamed(sql, rowsOf(sql, evidence, accountIds), Object.keys(evidence.key), named);

/** Computes the salted digest of a row `(key, text)`. */
export const digestOf = (sql: Queryable, salt: Fragment): Fragment => sql`
  sha256(${salt} || convert_to(key || ' ' || text, 'UTF8'))`;

/**
 * Selects events of transactions from `from` up to, but not including, `before`. Excludes those
 * sealed after a restore.
 */
export function since(sql: Queryable, from: number, before: number | null): Fragment {
  const until = before === null ? sql`` : sql`and xid < ${before}`;
  return sql`xid >= ${from} ${until} and ${notRestored(sql)}`;
}

/** Excludes events from before a restore, which were sealed when the restore was detected. */
export const notRestored = (sql: Queryable): Fragment => sql`
  id > (select coalesce(max(restored_id), 0) from seal_marks where account_id = '')`;

/** Selects the rows, by account and key, that matching events affect. */
export const touchedBy = (
  sql: Queryable,
  touched: string,
  accountIds: readonly string[],
  condition: Fragment,
): Fragment => sql`
  with touched as (${touching(sql, accountIds, condition)})
  ${sql.unsafe(touched)}`;

const touching = (
  sql: Queryable,
  accountIds: readonly string[],
  condition: Fragment,
): Fragment => sql`
    select account_id, id, entity, entity_id, version, type, data from (
      select account_id, id, entity, entity_id, version, type, data, xid from events
      where account_id ${among(sql, accountIds)}
      union all
      select account_id, id, entity, entity_id, 1, type, data, xid from operator_events
      where account_id ${among(sql, accountIds)}
    ) as event
    where ${condition}`;

/**
 * Returns the kinds of rows that matching events may affect. Most events affect few kinds, and
 * planning a statement for each of the others would take longer than running it. On a cluster,
 * returns all kinds.
 */
export async function touchedAmong(
  sql: Queryable,
  evidences: readonly Evidence[],
  accountIds: readonly string[],
  condition: Fragment,
): Promise<Evidence[]> {
  const looks = evidences.flatMap(({ touched }, no) =>
    typeof touched === 'string'
      ? [sql`select ${no}::int as no where exists (${sql.unsafe(touched)})`]
      : [],
  );
  if (looks.length === 0 || !takesLookUps(sql)) return [...evidences];
  const rows = await sql<{ no: number }[]>`
    with touched as materialized (${touching(sql, accountIds, condition)})
    ${looks.reduce((all, look) => sql`${all} union all ${look}`)}`;
  const found = new Set(rows.map(({ no }) => no));
  return evidences.filter(({ touched }, no) => typeof touched !== 'string' || found.has(no));
}

/** Returns the query of another sealer's pending keys, or null if rows are sealed here. */
export const waitingFor = ({ touched }: Evidence): string | null =>
  typeof touched !== 'string' && 'waiting' in touched ? touched.waiting : null;

/**
 * Selects the rows that matching events affect, as `(account_id, key, text)`. The rows must not be
 * those of another sealer (`waitingFor`).
 */
export const touchedRows = (
  sql: Queryable,
  evidence: Evidence,
  accountIds: readonly string[],
  condition: Fragment,
): Fragment =>
  typeof evidence.touched === 'string'
    ? namedRows(sql, evidence, accountIds, touchedBy(sql, evidence.touched, accountIds, condition))
    : sql`${rowsOf(sql, evidence, accountIds)} and ${condition}`;

/** Account id of the operator's books. A seal in its chain marks the point where stamps begin. */
export const operatorChain = '00000000';

/** Returns true if an account's rows without a seal are valid until the kind's first seal. */
export const isJoinedBy = ({ joined }: Evidence, accountId: string): boolean =>
  joined === true || (joined === 'accounts' && accountId !== operatorChain);
