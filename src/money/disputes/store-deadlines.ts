import type { Queryable } from '../../platform/postgres/connect.ts';
import { withinReach } from '../../platform/postgres/distributed/owners.ts';
import { localDay } from '../../platform/postgres/local-time.ts';
import type { DisputeRow } from './dispute.ts';

const daysBefore = 3;

/** Computes the start of the day that is `days` before the last day for evidence. */
const morning = (sql: Queryable, days: number) => sql`
  (${localDay(sql, sql`(evidence_due_at - interval '1 microsecond')`)} - ${days}::int)::timestamp
    at time zone interval '-03:00'`;

/** Computes when to send a dispute's next reminder. Returns null if none remains. */
const warnAt = (sql: Queryable) => sql`
  case
    when warned_at is null or warned_at < ${morning(sql, daysBefore)}
      then ${morning(sql, daysBefore)}
    when warned_at < ${morning(sql, 0)} then ${morning(sql, 0)}
  end`;

/** Selects undecided disputes with a deadline, phrased as in their partial index. */
const waiting = (sql: Queryable) => sql`
  state in ('opened', 'evidence_due') and evidence_due_at is not null`;

export async function nextToWarn(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ due: Temporal.Instant | null }[]>`
    select min(${warnAt(sql)}) as due from disputes where ${waiting(sql)} ${withinReach(sql)}`;
  return row?.due ?? null;
}

/** Returns a page of accounts with due warnings, by id. */
export const accountsToWarn = (
  sql: Queryable,
  now: Temporal.Instant,
  { after, limit }: { after: string; limit: number },
) =>
  sql<{ account_id: string }[]>`
    select distinct account_id from disputes
    where account_id > ${after} and ${waiting(sql)} and ${warnAt(sql)} <= ${now}::timestamptz
      ${withinReach(sql)}
    order by account_id limit ${limit}`;

type Warned = Pick<DisputeRow, 'request_id' | 'amount'> & {
  evidence_due_at: Temporal.Instant;
};

/**
 * Marks up to 1,000 of an account's disputes with due warnings as warned, including those past
 * their deadline. Returns them, earliest deadline first.
 */
export async function noteWarned(
  tx: Queryable,
  accountId: string,
  now: Temporal.Instant,
): Promise<Warned[]> {
  return await tx<Warned[]>`
    with due as (
      select id from disputes
      where account_id = ${accountId} and ${waiting(tx)} and ${warnAt(tx)} <= ${now}::timestamptz
      order by id limit 1000 for update skip locked
    ),
    noted as (
      update disputes set warned_at = ${now}::timestamptz
      where account_id = ${accountId} and id in (select id from due)
      returning id, request_id, amount, evidence_due_at
    )
    select request_id, amount, evidence_due_at from noted
    order by evidence_due_at, id`;
}

export interface EvidenceDue {
  count: number;
  first: Temporal.Instant | null;
}

/**
 * Counts disputes open for evidence, and finds their first deadline. A null `accountId` covers all
 * accounts.
 */
export async function countEvidenceDue(
  sql: Queryable,
  accountId: string | null,
  now: Temporal.Instant,
): Promise<EvidenceDue> {
  const [row] = await sql<EvidenceDue[]>`
    select count(*)::int as count, min(evidence_due_at) as first from disputes
    where ${waiting(sql)} and evidence_due_at > ${now}::timestamptz
      ${accountId === null ? sql`` : sql`and account_id = ${accountId}`}`;
  return row ?? { count: 0, first: null };
}
