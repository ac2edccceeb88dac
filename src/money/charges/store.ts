import type { Queryable, Sql } from '../../platform/postgres/connect.ts';
import { withinReach } from '../../platform/postgres/distributed/owners.ts';
import type { RequestKey } from '../../requests/index.ts';
import type { ChannelCode, PayerAction } from '../channels/index.ts';
import { type ResultDetails, resultFrom } from '../collections/index.ts';
import type { AttemptRow } from './attempt.ts';
import { stampReference } from './stamp.ts';

type Key = Pick<AttemptRow, 'account_id' | 'id'>;

export const attemptColumns = (sql: Queryable) => sql`
  account_id, id, request_id, channel, connector, amount, started_at, unheard_at, details,
  reference, (action->>'until')::timestamptz as action_until`;

/**
 * Returns the requests that have an undecided attempt. Lock them in an earlier statement, so that
 * no attempt can begin in between.
 */
export async function openAttemptsOf(
  sql: Queryable,
  accountId: string,
  requestIds: number[],
): Promise<Set<number>> {
  const rows = await sql<{ request_id: number }[]>`
    select request_id from attempts
    where account_id = ${accountId} and request_id = any(${requestIds}::bigint[])
      and state <> 'done'`;
  return new Set(rows.map((row) => row.request_id));
}

export async function countOpenAttempts(sql: Queryable, accountId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from attempts
    where account_id = ${accountId} and state <> 'done'`;
  return row?.count ?? 0;
}

/** Returns when the oldest undecided charge began, or null if there is none. */
export async function oldestOpenAttempt(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ at: Temporal.Instant | null }[]>`
    select min(started_at) as at from attempts where state <> 'done'`;
  return row?.at ?? null;
}

export interface Referenced {
  request_id: number;
  is_open: boolean;
  /** Null if the charge is undecided, or ended without a result. */
  result_id: number | null;
  type: 'collected' | 'rejected' | null;
  details: ResultDetails | null;
}

export async function findReferenced(
  sql: Queryable,
  accountId: string,
  reference: string,
): Promise<Referenced | null> {
  const [row] = await sql<Referenced[]>`
    select a.request_id, a.state <> 'done' as is_open, result.id as result_id, result.type,
      result.details
    from attempts a
    left join ${resultFrom(sql, { of: 'a', sources: ['attempt'], ref: sql`a.id::text` })}
    where a.account_id = ${accountId} and a.reference = ${reference}`;
  return row ?? null;
}

export interface TriedRow {
  /**
   * When the amount was authorized, and the planned end. Null if charged in one step, or refused.
   */
  authorized_at: Temporal.Instant | null;
  ordered: 'capture' | 'void' | null;
  id: number;
  /** Display name of the instrument, such as `Visa`. */
  label: string;
  amount: AttemptRow['amount'];
  started_at: Temporal.Instant;
  actor: string;
  connector: string;
  state: 'started' | 'unknown' | 'done';
}

/** Reads the ended charges with the given ids, and the request's undecided ones, oldest first. */
export async function attemptsOn(
  sql: Queryable,
  { accountId, id }: RequestKey,
  ids: readonly number[],
): Promise<TriedRow[]> {
  const triedColumns = sql`
    a.id, a.details->>'label' as label, a.amount, a.started_at, a.details->>'actor' as actor,
    a.connector, a.state, h.authorized_at, h.ordered`;
  const from = sql`
    attempts a left join card_holds h on h.account_id = a.account_id and h.attempt_id = a.id`;
  return await sql<TriedRow[]>`
    select ${triedColumns} from ${from}
    where a.account_id = ${accountId} and a.id = any(${[...ids]}::bigint[]) and a.state = 'done'
    union all
    select ${triedColumns} from ${from}
    where a.account_id = ${accountId} and a.request_id = ${id} and a.state <> 'done'
    order by started_at, id`;
}

/** Reads an attempt in any state. Returns null if there is none. */
export async function readAttempt(
  sql: Queryable,
  { account_id, id }: Key,
): Promise<(AttemptRow & { open: boolean }) | null> {
  const [row = null] = await sql<(AttemptRow & { open: boolean })[]>`
    select ${attemptColumns(sql)}, state <> 'done' as open from attempts
    where account_id = ${account_id} and id = ${id}`;
  return row;
}

/** Returns attempts due for inquiry, longest waiting first. */
export const dueAttempts = (sql: Queryable, now: Temporal.Instant, most: number) =>
  sql<AttemptRow[]>`
    select ${attemptColumns(sql)} from attempts
    where state <> 'done' and ask_at <= ${now}::timestamptz ${withinReach(sql)} order by ask_at limit ${most}`;

/** Returns how an attempt ended, or null while it is open. */
export async function readEnd(
  sql: Queryable,
  { account_id, id }: Key,
): Promise<'paid' | 'closed' | null> {
  const [row] = await sql<{ is_paid: boolean | null }[]>`
    select bool_or(result.type = 'collected') as is_paid from attempts a
    left join ${resultFrom(sql, { of: 'a', sources: ['attempt'], ref: sql`any (array[a.id::text, a.id || ' approved'])` })}
    where a.account_id = ${account_id} and a.id = ${id} and a.state = 'done'
    group by a.id`;
  return row ? (row.is_paid ? 'paid' : 'closed') : null;
}

/** Returns when the next inquiry is due, or null if no attempt is open. */
export async function nextAsking(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ due: Temporal.Instant | null }[]>`
    select min(ask_at) as due from attempts where state <> 'done' ${withinReach(sql)}`;
  return row?.due ?? null;
}

export async function waitUntil(
  sql: Queryable,
  { account_id, id }: Key,
  moment: Temporal.Instant,
  { unheardAt = null }: { unheardAt?: Temporal.Instant | null } = {},
): Promise<void> {
  await sql`
    update attempts set state = 'unknown', ask_at = ${moment}::timestamptz,
      unheard_at = coalesce(unheard_at, ${unheardAt}::timestamptz)
    where account_id = ${account_id} and id = ${id} and state <> 'done'`;
}

interface StoredAction extends Omit<PayerAction, 'until'> {
  until: string;
}

export async function waitForPayer(
  sql: Queryable,
  { account_id, id }: Key,
  action: PayerAction,
  askAt: Temporal.Instant,
): Promise<void> {
  const stored: StoredAction = { ...action, until: action.until.toString() };
  await sql`
    update attempts set state = 'unknown', ask_at = ${askAt}::timestamptz,
      action = ${JSON.stringify(stored)}::text::json
    where account_id = ${account_id} and id = ${id} and state <> 'done'`;
}

export const endAction = (sql: Queryable, { account_id, id }: Key) => sql`
  update attempts set action = null
  where account_id = ${account_id} and id = ${id} and state <> 'done' and action is not null`;

export interface OpenAttempt {
  id: number;
  connector: string;
  channel: ChannelCode;
  action: PayerAction | null;
}

/** Returns a request's open attempt with the payer's next step, or null if there is none. */
export async function readOpen(
  sql: Queryable,
  accountId: string,
  requestId: number,
): Promise<OpenAttempt | null> {
  const [row] = await sql<(Omit<OpenAttempt, 'action'> & { action: StoredAction | null })[]>`
    select id, connector, channel, action from attempts
    where account_id = ${accountId} and request_id = ${requestId} and state <> 'done'
    order by id desc limit 1`;
  if (!row) return null;
  const { action } = row;
  return { ...row, action: action && { ...action, until: Temporal.Instant.from(action.until) } };
}

/** Postpones an attempt that is still due after an inquiry, so that it does not block others. */
export async function postpone(
  sql: Queryable,
  { account_id, id }: Key,
  { now, until }: { now: Temporal.Instant; until: Temporal.Instant },
): Promise<void> {
  await sql`
    update attempts set ask_at = ${until}::timestamptz
    where account_id = ${account_id} and id = ${id} and state <> 'done'
      and ask_at <= ${now}::timestamptz`;
}

/** Closes an attempt that charged nothing and leaves no result. */
export async function closeAttempt(sql: Sql, { account_id, id }: Key): Promise<void> {
  await sql`
    update attempts set state = 'done'
    where account_id = ${account_id} and id = ${id} and state <> 'done'`;
}

/**
 * Records which attempt has an acquirer's charge id. Returns false if another attempt has it, so
 * that the answer is about that one.
 */
export async function claimReference(
  sql: Queryable,
  { account_id, id, connector }: AttemptRow,
  reference: string,
): Promise<boolean> {
  const stamp = await stampReference(sql, reference, { account_id, id, connector });
  await sql`
    insert into charge_references (connector, reference, account_id, attempt_id, stamp)
    values (${connector}, ${reference}, ${account_id}, ${id}, ${stamp})
    on conflict (connector, reference) do nothing`;
  const [row] = await sql<{ mine: boolean }[]>`
    select account_id = ${account_id} and attempt_id = ${id} as mine from charge_references
    where connector = ${connector} and reference = ${reference}`;
  return row?.mine ?? false;
}
