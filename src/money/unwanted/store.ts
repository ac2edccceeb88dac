import { returnsLateApprovals } from '../../accounts/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { withinReach } from '../../platform/postgres/distributed/owners.ts';
import { isForged, type Stamped, stampColumns, stampRow } from '../../seals/index.ts';

/**
 * Reason to return an approval: its attempt was closed, its request was paid in another way, or its
 * request excludes the card.
 */
export type Reason = 'late' | 'paid_otherwise' | 'excluded';

/** `kept`: stays recorded, because it was needed after all or could not be returned. */
type State = 'noted' | 'returning' | 'returned' | 'kept';

export interface NotedRow {
  account_id: string;
  attempt_id: number;
  request_id: number;
  why: Reason | null;
  state: State;
}

interface ReadRow extends NotedRow {
  stamp: Buffer | null;
  digest: Buffer;
}

export type NotedKey = Pick<NotedRow, 'account_id' | 'attempt_id'>;

/** Stamps decisions on unwanted approvals. */
export const stampedUnwantedApprovals: Stamped = {
  kind: 'unwanted approval',
  // Adds an `id`, by which alarms name rows.
  from: '(select *, attempt_id as id from unwanted_approvals)',
  name: 't.attempt_id',
  columns: ['t.account_id', 't.attempt_id', 't.request_id', 't.why', 't.state'],
  due: (sql, _accountId, { lastId }) => sql`t.attempt_id > ${lastId}::bigint`,
};

const stampNoted = (sql: Queryable, row: NotedRow): Promise<Buffer> =>
  stampRow(sql, stampedUnwantedApprovals.kind, [
    row.account_id,
    row.attempt_id,
    row.request_id,
    row.why,
    row.state,
  ]);

const columns = (sql: Queryable) => sql`account_id, attempt_id, request_id, why, state`;

/**
 * Records an approval that may have to be returned: always for an excluded card or a debit, else if
 * the account's settings say so. Returns false if the payment stays.
 */
export async function note(
  sql: Queryable,
  { account_id, attempt_id, request_id, why }: Omit<NotedRow, 'state'>,
  { lookAt, always }: { lookAt: Temporal.Instant; always: boolean },
): Promise<boolean> {
  const stamp = await stampNoted(sql, { account_id, attempt_id, request_id, why, state: 'noted' });
  const rows = await sql`
    insert into unwanted_approvals (account_id, attempt_id, request_id, why, look_at, stamp)
    select ${account_id}::text, ${attempt_id}::bigint, ${request_id}::bigint, ${why}::text,
      ${lookAt}::timestamptz, ${stamp}::bytea
    where ${always || why === 'excluded'}::boolean or ${returnsLateApprovals(sql, account_id)}
    on conflict (account_id, attempt_id) do update set request_id = excluded.request_id
    returning attempt_id`;
  return rows.length > 0;
}

/**
 * Reads a noted approval. Lock its request first, so that no other process decides. Returns null if
 * it is not noted.
 */
export async function readNoted(
  sql: Queryable,
  { account_id, attempt_id }: NotedKey,
): Promise<ReadRow | null> {
  const [row = null] = await sql<ReadRow[]>`
    select ${columns(sql)}, ${stampColumns(sql, stampedUnwantedApprovals)} from unwanted_approvals t
    where account_id = ${account_id} and attempt_id = ${attempt_id}`;
  return row;
}

/** Returns the attempts of a request whose approvals are returned. */
export async function readReturned(
  sql: Queryable,
  { account_id, request_id }: Pick<NotedRow, 'account_id' | 'request_id'>,
): Promise<number[]> {
  const rows = await sql<{ attempt_id: number }[]>`
    select attempt_id from unwanted_approvals
    where account_id = ${account_id} and request_id = ${request_id} and why is not null`;
  return rows.map((row) => row.attempt_id);
}

export const isForgedNote = (sql: Queryable, row: ReadRow): Promise<boolean> =>
  isForged(
    sql,
    stampedUnwantedApprovals,
    row,
    sql`t.account_id = ${row.account_id} and t.attempt_id = ${row.attempt_id}`,
  );

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

/** Schedules the next check of an approval, unless it was returned or kept. */
export const lookAgain = (
  sql: Queryable,
  { account_id, attempt_id }: NotedKey,
  at: Temporal.Instant,
) => sql`
  update unwanted_approvals set look_at = ${at}::timestamptz
  where account_id = ${account_id} and attempt_id = ${attempt_id} and look_at is not null`;

export async function goesBack(sql: Queryable, row: NotedRow, why: Reason): Promise<void> {
  const stamp = await stampNoted(sql, { ...row, why, state: 'returning' });
  await sql`
    update unwanted_approvals set state = 'returning', why = ${why}, stamp = ${stamp}
    where account_id = ${row.account_id} and attempt_id = ${row.attempt_id} and state = 'noted'`;
}

export async function end(
  sql: Queryable,
  row: NotedRow,
  state: 'returned' | 'kept',
): Promise<void> {
  const stamp = await stampNoted(sql, { ...row, state });
  await sql`
    update unwanted_approvals set state = ${state}, look_at = null, stamp = ${stamp}
    where account_id = ${row.account_id} and attempt_id = ${row.attempt_id}
      and state in ('noted', 'returning')`;
}
