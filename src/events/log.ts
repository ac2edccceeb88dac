import type { Queryable } from '../platform/postgres/connect.ts';
import { allOf } from '../platform/postgres/lists.ts';

// Reads the audit log: people's actions, and all changes to settings of accounts and the service.

type Fragment = ReturnType<Queryable>;

export interface LoggedEvent {
  account_id: string;
  id: number;
  entity: string;
  entity_id: string;
  type: string;
  at: Temporal.Instant;
  actor: string;
  data: Record<string, unknown>;
}

/** Null is unfiltered. */
export interface LogFilters {
  accountId: string | null;
  actor: string | null;
  type: string | null;
  from: Temporal.Instant | null;
  before: Temporal.Instant | null;
}

/** Cursor of the log, which is newest first. */
export interface LogPlace {
  at: Temporal.Instant;
  id: number;
}

export interface LogPage {
  behind: LogPlace | null;
  limit: number;
}

/**
 * Selects the log's events, with the exact condition of the partial indexes `events_log_…`. Of
 * requests and mandates, which programs create by the million, the log contains only people's
 * actions.
 */
export const logged = (sql: Queryable): Fragment => sql`(
  entity <> all (array['payment_request', 'debit_request', 'card_debit_request', 'qr',
    'static_qr', 'transfer_account', 'adhesion', 'card_adhesion'])
  or actor like 'user:%' or actor like 'operator:%')`;

const conditionsOf = (
  sql: Queryable,
  { actor, type, from, before }: LogFilters,
  behind: LogPlace | null,
): (Fragment | null)[] => [
  actor === null ? null : sql`actor = ${actor}`,
  type === null ? null : sql`type = ${type}`,
  from === null ? null : sql`at >= ${from}::timestamptz`,
  before === null ? null : sql`at < ${before}::timestamptz`,
  behind === null ? null : sql`(at, id) < (${behind.at}::timestamptz, ${behind.id}::bigint)`,
];

const columns = (sql: Queryable): Fragment => sql`
  account_id, id, entity, entity_id, type, at, actor, data`;

/** Returns a page of the log, newest first. */
export async function readLog(
  sql: Queryable,
  filters: LogFilters,
  { behind, limit }: LogPage,
): Promise<LoggedEvent[]> {
  const conditions = conditionsOf(sql, filters, behind);
  const { accountId } = filters;
  const ofAccount = accountId === null ? null : sql`account_id = ${accountId}`;
  return await sql<LoggedEvent[]>`
    select * from (
      (select ${columns(sql)} from events
        where ${allOf(sql, logged(sql), [ofAccount, ...conditions])}
        order by at desc, id desc limit ${limit})
      union all
      (select ${columns(sql)} from operator_events
        where ${allOf(sql, sql`true`, [ofAccount, ...conditions])}
        order by at desc, id desc limit ${limit})
    ) as log
    order by at desc, id desc limit ${limit}`;
}

/** Returns a page of one entity's events by any actor, newest first. */
export async function readEntityLog(
  sql: Queryable,
  { accountId, entity, entityId }: { accountId: string; entity: string; entityId: string },
  { behind, limit }: LogPage,
): Promise<LoggedEvent[]> {
  const ofEntity = sql`account_id = ${accountId} and entity = ${entity} and entity_id = ${entityId}`;
  const none = { accountId: null, actor: null, type: null, from: null, before: null };
  const conditions = conditionsOf(sql, none, behind);
  return await sql<LoggedEvent[]>`
    select ${columns(sql)} from events where ${allOf(sql, ofEntity, conditions)}
    order by at desc, id desc limit ${limit}`;
}
