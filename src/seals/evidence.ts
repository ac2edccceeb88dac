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
   * version, type, data)` of an account that gives the columns of the key; `themselves`: the rows are
   * events. Or else the seal is made elsewhere, and `waiting` is a query of the keys `(account_id,
   * key)` that it has yet to come to.
   */
  touched: string | { themselves: true } | { waiting: string };
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

/** A condition on events: of transactions from one on, up to another, and not sealed as restored. */
export function since(sql: Queryable, from: number, before: number | null): Fragment {
  const until = before === null ? sql`` : sql`and xid < ${before}`;
  return sql`xid >= ${from} ${until} and ${notRestored(sql)}`;
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
  with touched as (
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

/** A query of the keys that wait for their seal, where those are made elsewhere; null: here. */
export const waitingFor = ({ touched }: Evidence): string | null =>
  typeof touched !== 'string' && 'waiting' in touched ? touched.waiting : null;

/**
 * An account's rows that events for which a condition holds are about, as `(key, text)`; not of
 * what is sealed elsewhere.
 */
export const touchedRows = (
  sql: Queryable,
  evidence: Evidence,
  accountId: string,
  condition: Fragment,
): Fragment =>
  typeof evidence.touched === 'string'
    ? rowsOf(sql, evidence, accountId, touchedBy(sql, evidence.touched, accountId, condition))
    : sql`${rowsOf(sql, evidence, accountId)} and ${condition}`;
