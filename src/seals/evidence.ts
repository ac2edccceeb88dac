import type { Queryable } from '../platform/postgres/connect.ts';

/** A part of a statement. */
export type Fragment = ReturnType<Queryable>;

/** Types of columns that keys are made of. */
type KeyType = 'text' | 'bigint' | 'int' | 'smallint' | 'date';

/**
 * What a noun lays open to the sealer: rows that history is made of, which change together with an
 * event or never. A column that is added later stands in `later`: null leaves no mark, so seals from
 * before still match.
 */
export interface Evidence {
  /** What the rows are, in faults and seals. */
  kind: string;
  /** The relation, called `t`, with `account_id`; a table, or a query in brackets. */
  from: string;
  /** The columns that name a row of an account. */
  key: Record<string, KeyType>;
  /** Expressions over `t` that may not change unless an event says so. */
  columns: readonly string[];
  later?: readonly string[];
  /**
   * The keys that events are about: a query over `touched (account_id, id, entity, entity_id,
   * version, type, data)` of an account that gives the columns of the key. Or else the seal is made
   * elsewhere, and `waiting` is a query of the keys `(account_id, key)` that it has yet to come to.
   */
  touched: string | { waiting: string };
  /** Once written a row never changes, so a sealed one is compared at any time. */
  settled?: true;
  /** A row that has no seal, with its account's seals at hand, was slipped in. */
  strict: boolean;
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

/** An account's rows as `(key, text)`; only those whose keys a query gives, if there is one. */
export function rowsOf(
  sql: Queryable,
  evidence: Evidence,
  accountId: string,
  only: Fragment | null = null,
): Fragment {
  const columns = Object.keys(evidence.key).map((column) => `t.${column}`);
  const within = only === null ? sql`` : sql`and (${sql.unsafe(columns.join(', '))}) in (${only})`;
  return sql`
    select ${sql.unsafe(keyText(evidence))} as key, ${sql.unsafe(textOf(evidence))} as text
    from ${sql.unsafe(evidence.from)} t where t.account_id = ${accountId} ${within}`;
}

/** The digest of a row `(key, text)`, salted. */
export const digestOf = (sql: Queryable, salt: Fragment): Fragment => sql`
  sha256(${salt} || convert_to(key || ' ' || text, 'UTF8'))`;

/** The keys of rows that events from some transaction on are about, up to another. */
export function touchedSince(
  sql: Queryable,
  touched: string,
  accountId: string,
  from: number,
  before: number | null,
): Fragment {
  const until = before === null ? sql`` : sql`and xid < ${before}`;
  return touchedBy(sql, touched, accountId, sql`xid >= ${from} ${until} and ${notRestored(sql)}`);
}

/** Not of before the database was restored elsewhere: those were sealed as it was noticed. */
export const notRestored = (sql: Queryable): Fragment => sql`
  id > (select coalesce(max(restored_id), 0) from seal_marks where account_id = '')`;

/** The keys of rows that events for which a condition holds are about. */
export const touchedBy = (
  sql: Queryable,
  touched: string,
  accountId: string,
  condition: Fragment,
): Fragment => sql`
  with touched as materialized (
    select account_id, id, entity, entity_id, version, type, data from (
      select account_id, id, entity, entity_id, version, type, data, xid from events
      where account_id = ${accountId}
      union all
      select account_id, id, entity, entity_id, 1, type, data, xid from operator_events
      where account_id = ${accountId}
    ) as event
    where ${condition}
  )
  ${sql.unsafe(touched)}`;
