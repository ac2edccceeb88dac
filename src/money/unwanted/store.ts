import { returnsLateApprovals } from '../../accounts/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { withinReach } from '../../platform/postgres/owners.ts';

/**
 * Why an approval goes back to its payer: found when its attempt was closed; found when its request
 * had been paid otherwise; of a card that its request excludes.
 */
export type Reason = 'late' | 'paid_otherwise' | 'excluded';

/** `kept`: it stays recorded, as it is wanted after all or could not be given back. */
type State = 'noted' | 'returning' | 'returned' | 'kept';

export interface NotedRow {
  account_id: string;
  attempt_id: number;
  request_id: number;
  why: Reason | null;
  state: State;
}

export type NotedKey = Pick<NotedRow, 'account_id' | 'attempt_id'>;

const columns = (sql: Queryable) => sql`account_id, attempt_id, request_id, why, state`;

/**
 * Notes an approval that may go back: of what a request excludes, or of a debit, always, else where
 * its account wants it so. False: it does not go back.
 */
export async function note(
  sql: Queryable,
  { account_id, attempt_id, request_id, why }: Omit<NotedRow, 'state'>,
  { lookAt, always }: { lookAt: Temporal.Instant; always: boolean },
): Promise<boolean> {
  const rows = await sql`
    insert into unwanted_approvals (account_id, attempt_id, request_id, why, look_at)
    select ${account_id}::text, ${attempt_id}::bigint, ${request_id}::bigint, ${why}::text,
      ${lookAt}::timestamptz
    where ${always || why === 'excluded'}::boolean or ${returnsLateApprovals(sql, account_id)}
    on conflict (account_id, attempt_id) do update set request_id = excluded.request_id
    returning 1`;
  return rows.length > 0;
}

/** What is noted of a request's approvals; with the request held, nobody else decides of them. */
export const readNoted = (
  sql: Queryable,
  { account_id, request_id }: Pick<NotedRow, 'account_id' | 'request_id'>,
): Promise<NotedRow[]> => sql<NotedRow[]>`
  select ${columns(sql)} from unwanted_approvals
  where account_id = ${account_id} and request_id = ${request_id}`;

/** What is to be looked at now. */
export const readDue = (sql: Queryable, now: Temporal.Instant): Promise<NotedRow[]> =>
  sql<NotedRow[]>`
    select ${columns(sql)} from unwanted_approvals
    where look_at <= ${now}::timestamptz ${withinReach(sql)}
    order by look_at limit 100`;

export async function nextLook(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ due: Temporal.Instant | null }[]>`
    select min(look_at) as due from unwanted_approvals
    where look_at is not null ${withinReach(sql)}`;
  return row?.due ?? null;
}

/** Looks at it again then, unless it ended meanwhile. */
export const lookAgain = (
  sql: Queryable,
  { account_id, attempt_id }: NotedKey,
  at: Temporal.Instant,
) => sql`
  update unwanted_approvals set look_at = ${at}::timestamptz
  where account_id = ${account_id} and attempt_id = ${attempt_id} and look_at is not null`;

export const goesBack = (sql: Queryable, { account_id, attempt_id }: NotedKey, why: Reason) => sql`
  update unwanted_approvals set state = 'returning', why = ${why}
  where account_id = ${account_id} and attempt_id = ${attempt_id} and state = 'noted'`;

export const end = (
  sql: Queryable,
  { account_id, attempt_id }: NotedKey,
  state: 'returned' | 'kept',
) => sql`
  update unwanted_approvals set state = ${state}, look_at = null
  where account_id = ${account_id} and attempt_id = ${attempt_id}
    and state in ('noted', 'returning')`;
