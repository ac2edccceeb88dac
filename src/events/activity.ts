import type { Queryable } from '../platform/postgres/connect.ts';
import { allOf } from '../platform/postgres/lists.ts';
import { type LoggedEvent, type LogPage, type LogPlace, logged } from './log.ts';

// The activity log of one account, for its owners.

type Fragment = ReturnType<Queryable>;

/**
 * Selects the audit log's events, and API keys' changes to existing requests and mandates, with the
 * exact condition of the partial index `events_activity_of_account`.
 */
const active = (sql: Queryable): Fragment => sql`(${logged(sql)}
  or (actor like 'key:%' and type = any (array['payment_request.expired',
    'payment_request.refund_requested', 'debit_request.canceled', 'debit_request.refund_requested',
    'card_debit_request.canceled', 'card_debit_request.refund_requested', 'qr.edited', 'qr.deleted',
    'qr.refund_requested', 'adhesion.canceled', 'card_adhesion.canceled'])))`;

/** An author of listed actions. The service includes networks, connectors and payers. */
export type ActivityAuthor =
  | { kind: 'user' | 'key'; id: number }
  | { kind: 'operator' }
  | { kind: 'service' };

export interface ActivityFilters {
  accountId: string;
  /** The account's people. Any other user acts as the operator. */
  people: readonly number[];
  /** Event types to show. */
  types: readonly string[];
  /** Null is unfiltered. */
  author: ActivityAuthor | null;
  from: Temporal.Instant | null;
  before: Temporal.Instant | null;
}

export interface ActivityEvent extends LoggedEvent {
  by_operator: boolean;
}

export interface FoundActivity {
  events: ActivityEvent[];
  /** Cursor of older events, which may not match. Null at the end. */
  next: LogPlace | null;
}

/**
 * Maximum number of events that a page reads to find matches, so that a filter with few matches
 * does not read the whole log.
 */
const mostScanned = 5_000;

/** Selects a page's part of the log, newest first. */
const scanned = (
  sql: Queryable,
  { accountId, people, from, before }: ActivityFilters,
  behind: LogPlace | null,
): Fragment => sql`
  select account_id, id, entity, entity_id, type, at, actor, data,
    actor like 'operator:%' or (actor like 'user:%'
      and actor <> all (${people.map((id) => `user:${id}`)}::text[])) as by_operator
  from events
  where ${allOf(sql, sql`account_id = ${accountId} and ${active(sql)}`, [
    from === null ? null : sql`at >= ${from}::timestamptz`,
    before === null ? null : sql`at < ${before}::timestamptz`,
    behind === null ? null : sql`(at, id) < (${behind.at}::timestamptz, ${behind.id}::bigint)`,
  ])}
  order by at desc, id desc limit ${mostScanned}`;

function byAuthor(sql: Queryable, author: ActivityAuthor): Fragment {
  switch (author.kind) {
    case 'user':
      return sql`actor = ${`user:${author.id}`} and not by_operator`;
    case 'key':
      return sql`actor like ${`key:%:${author.id}`}`;
    case 'operator':
      return sql`by_operator`;
    case 'service':
      return sql`not by_operator and actor not like 'user:%' and actor not like 'key:%'`;
  }
}

/**
 * Selects events that concern the account's owners: no settings of connectors, no proposals of
 * corrections, and no actions of operators on other proposals.
 */
const ofOwners = (sql: Queryable): Fragment => sql`
  case entity
    when 'account' then data->>'connector' is null
    when 'proposal' then not by_operator and data->>'kind' <> 'correction'
    else true
  end`;

/**
 * Returns an account's activity, newest first: a full page, or only the matches among the next
 * 5,000 events.
 */
export async function readActivity(
  sql: Queryable,
  filters: ActivityFilters,
  { behind, limit }: LogPage,
): Promise<FoundActivity> {
  const { types, author } = filters;
  const part = scanned(sql, filters, behind);
  const rows = await sql<ActivityEvent[]>`
    select * from (${part}) as scanned
    where ${allOf(sql, sql`type = any(${[...types]}::text[]) and ${ofOwners(sql)}`, [
      author === null ? null : byAuthor(sql, author),
    ])}
    order by at desc, id desc limit ${limit + 1}`;
  const events = rows.slice(0, limit);
  const last = events.at(-1);
  if (rows.length > limit && last) return { events, next: last };
  const [end] = await sql<LogPlace[]>`
    select at, id from (${part}) as scanned
    order by at desc, id desc offset ${mostScanned - 1} limit 1`;
  return { events, next: end ?? null };
}
