import type { Queryable } from '../platform/postgres/connect.ts';
import { takesLookUps } from '../platform/postgres/distributed/engine.ts';
import { amongNamed } from '../platform/postgres/distributed/look-ups.ts';

/** A part of a statement. */
export type Fragment = ReturnType<Queryable>;

/** The time since which every row must have a stamp: nothing was sealed earlier. */
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

/** Types of key columns. */
type KeyType = 'text' | 'bigint' | 'int' | 'smallint' | 'date';

/**
 * A noun's rows for the sealer: historical rows, which change together with an event or never. A
 * later column goes into `later`: null leaves no mark, so earlier seals still match.
 */
export interface Evidence {
  /** Their name in faults and seals. */
  kind: string;
  /** The relation, called `t`, with `account_id`; a table, or a query in brackets. */
  from: string;
  /** The columns that name a row of an account. */
  key: Record<string, KeyType>;
  /** Expressions over `t` that may change only with an event. */
  columns: readonly string[];
  later?: readonly string[];
  /**
   * The keys that events are about: a query over `touched (account_id, id, entity, entity_id,
   * version, type, data)` that returns the account and the key's columns; `themselves`: the rows
   * are events. Or else another sealer seals them, and `waiting` is a query of its pending keys
   * `(account_id, key)`.
   */
  touched: string | { themselves: true } | { waiting: string };
  /** Once written a row never changes, so a sealed one is compared at any time. */
  settled?: true;
  /** Reports a row without a seal as inserted by SQL, if its account's seals are available. */
  strict: boolean;
  /**
   * The first sealed events of an account bring all of its rows along, so a kind that a release adds
   * covers the rows of before. Until then a row without a seal is no fault.
   */
  joined?: true;
  /** Stamps of such rows, checked when they are sealed. Their key is `id`. */
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

/** Restricts to one account, so that only its node is asked. */
const among = (sql: Queryable, accountIds: readonly string[]): Fragment =>
  accountIds.length === 1 ? sql`= ${accountIds[0] ?? ''}` : sql`= any(${accountIds}::text[])`;

/** Rows of some accounts as `(account_id, key, text)`. */
export const rowsOf = (
  sql: Queryable,
  evidence: Evidence,
  accountIds: readonly string[],
): Fragment => sql`
  select t.account_id, ${sql.unsafe(keyText(evidence))} as key,
    ${sql.unsafe(textOf(evidence))} as text
  from ${sql.unsafe(evidence.from)} t where t.account_id ${among(sql, accountIds)}`;

/** Of these rows those that a query names by account and key. */
export const namedRows = (
  sql: Queryable,
  evidence: Evidence,
  accountIds: readonly string[],
  named: Fragment,
): Fragment => amongNamed(sql, rowsOf(sql, evidence, accountIds), Object.keys(evidence.key), named);

/** The digest of a row `(key, text)`, salted. */
export const digestOf = (sql: Queryable, salt: Fragment): Fragment => sql`
  sha256(${salt} || convert_to(key || ' ' || text, 'UTF8'))`;

/** A condition on events: of transactions from one on, up to another, and not sealed as restored. */
export function since(sql: Queryable, from: number, before: number | null): Fragment {
  const until = before === null ? sql`` : sql`and xid < ${before}`;
  return sql`xid >= ${from} ${until} and ${notRestored(sql)}`;
}

/** Excludes events from before a restore, which were sealed when it was noticed. */
export const notRestored = (sql: Queryable): Fragment => sql`
  id > (select coalesce(max(restored_id), 0) from seal_marks where account_id = '')`;

/** The rows, by account and key, that events for which a condition holds are about. */
export const touchedBy = (
  sql: Queryable,
  touched: string,
  accountIds: readonly string[],
  condition: Fragment,
): Fragment => sql`
  with touched as (${touching(sql, accountIds, condition)})
  ${sql.unsafe(touched)}`;

/** Events of some accounts for which a condition holds. */
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
 * Of these kinds of rows those that events for which a condition holds may be about. Most events are
 * about few kinds, and a statement for each of the others takes longer to plan than to run.
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

/** A query of the pending keys of another sealer; null if rows are sealed here. */
export const waitingFor = ({ touched }: Evidence): string | null =>
  typeof touched !== 'string' && 'waiting' in touched ? touched.waiting : null;

/**
 * Rows of some accounts that selected events are about, as `(account_id, key, text)`; without those
 * of other sealers.
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
