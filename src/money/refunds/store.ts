import { dayOf } from '../../kernel/dates.ts';
import { type Centavos, zero } from '../../kernel/money.ts';
import { type Actor, actorText } from '../../platform/actor.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { withinReach } from '../../platform/postgres/distributed/owners.ts';
import {
  eventOf,
  noteOnRequests,
  type RequestKey,
  type RequestKind,
} from '../../requests/index.ts';
import { forgedAmongFacts } from '../../seals/index.ts';
import { putAside } from '../collections/index.ts';
import { arrayText, type Entry, postJournals, stampJournals } from '../ledger/index.ts';
import { refusal } from './codes.ts';
import { stampedRefunds } from './evidence.ts';
import type { RefundKey, RefundRow } from './refund.ts';

const columns = (sql: Queryable) => sql`
  account_id, id, request_id, result_id, reference, amount, state, way, cbu, held,
  held_unavailable, refunded_before, requested_at, ask_at, ended_at, comment, asked_by`;

export async function findRefund(
  sql: Queryable,
  { accountId, id }: RefundKey,
): Promise<RefundRow | null> {
  const [row] = await sql<RefundRow[]>`
    select ${columns(sql)} from refunds where account_id = ${accountId} and id = ${id}`;
  return row ?? null;
}

export async function findByReference(
  sql: Queryable,
  { accountId }: RequestKey,
  reference: string,
): Promise<RefundRow | null> {
  const [row] = await sql<RefundRow[]>`
    select ${columns(sql)} from refunds
    where account_id = ${accountId} and reference = ${reference}`;
  return row ?? null;
}

export const readRefunds = (sql: Queryable, { accountId, id }: RequestKey): Promise<RefundRow[]> =>
  sql<RefundRow[]>`
    select ${columns(sql)} from refunds
    where account_id = ${accountId} and request_id = ${id} order by id limit 1000`;

/**
 * Returns the amount of a payment that users have requested to refund in the portal. Omits failed
 * refunds.
 */
export async function requestedByPeople(
  sql: Queryable,
  { accountId, id }: RequestKey,
  resultId: number,
): Promise<Centavos> {
  const [row] = await sql<{ asked: Centavos }[]>`
    select coalesce(sum(amount), 0)::bigint as asked from refunds
    where account_id = ${accountId} and request_id = ${id} and result_id = ${resultId}
      and asked_by is not null and state <> 'failed'`;
  return row?.asked ?? zero;
}

export async function countOpenRefunds(sql: Queryable, accountId: string): Promise<number> {
  const [row] = await sql<{ open: number }[]>`
    select count(*)::int as open from refunds
    where account_id = ${accountId} and state = 'requested'`;
  return row?.open ?? 0;
}

/** Throws if no process of the service wrote a refund, or it was changed. */
export async function refuseForged(sql: Queryable, rows: readonly RefundRow[]): Promise<void> {
  const [forged] = await forgedAmongFacts(sql, stampedRefunds, rows);
  if (!forged) return;
  throw refusal('refund.forged', { id: forged.id, account: forged.accountId });
}

/**
 * Reads transfers that the operator must make, for one account or all. Throws 409 if one is forged.
 */
export async function readTransfers(
  sql: Queryable,
  accountId: string | null,
  limit: number,
): Promise<RefundRow[]> {
  const rows = await sql<RefundRow[]>`
    select ${columns(sql)} from refunds
    where state = 'requested' and way = 'transfer'
      and account_id = coalesce(${accountId}::text, account_id)
    order by account_id, id limit ${limit}`;
  await refuseForged(sql, rows);
  return rows;
}

/** Returns refunds due for an inquiry. */
export const readDue = (sql: Queryable, now: Temporal.Instant): Promise<RefundRow[]> =>
  sql<RefundRow[]>`
    select ${columns(sql)} from refunds where ask_at <= ${now}::timestamptz ${withinReach(sql)}
    order by ask_at limit 100`;

export async function nextAsked(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ due: Temporal.Instant | null }[]>`
    select min(ask_at) as due from refunds where ask_at is not null ${withinReach(sql)}`;
  return row?.due ?? null;
}

/** Sets the next inquiry, unless the refund has ended. */
export const askAgain = (
  sql: Queryable,
  { account_id, id }: Pick<RefundRow, 'account_id' | 'id'>,
  at: Temporal.Instant,
) => sql`
  update refunds set ask_at = ${at}::timestamptz
  where account_id = ${account_id} and id = ${id} and state = 'requested'`;

export interface RefundEvent {
  id: number;
  kind: RequestKind;
  what: 'ask_refund' | 'fail_refund';
  at: Temporal.Instant;
  actor: Actor;
  data: Record<string, unknown>;
}

/** Movements of a requested or failed refund. Positive amounts reserve, negative ones restore. */
export interface Aside {
  journalId: number;
  kind: 'refund_hold' | 'refund_undone';
  amount: number;
  unavailable: number;
  entry: Entry;
}

/**
 * Builds CTEs that reserve a refund's money on its payment and in the ledger, with an event on the
 * request, whose state stays. Requires locks of the request and its results.
 */
const setAside = (
  sql: Queryable,
  row: RefundRow,
  { stamp, ...aside }: Aside & { stamp: Buffer | null },
  event: RefundEvent,
) => sql`
  moved_aside as (
    select ${row.account_id}::text as account_id, ${row.result_id}::bigint as result_id,
      ${aside.amount}::bigint as amount, ${aside.unavailable}::bigint as unavailable
  ),
  aside as (${putAside(sql, 'moved_aside')}),
  fact as (
    select ${row.account_id}::text as account_id, ${row.request_id}::bigint as request_id,
      ${event.kind}::text as kind, 1 as no, false as is_money, null::text as move_to,
      null::text as move_from, null::text as comment, ${event.id}::bigint as event_id,
      ${eventOf(event.kind, event.what)}::text as what, ${event.at}::timestamptz as at,
      ${actorText(event.actor)}::text as actor, ${JSON.stringify(event.data)}::text as data
  ),
  ${noteOnRequests(sql, 'fact', [row.account_id])},
  new_journals as (
    select ${row.account_id}::text as account_id, ${aside.journalId}::bigint as id,
      ${aside.kind}::text as kind, ${row.result_id}::bigint as result_id,
      ${row.request_id}::bigint as request_id, null::text as cause,
      ${event.at}::timestamptz as at, ${dayOf(event.at)}::date as on_date,
      ${arrayText(aside.entry.accounts)}::text as accounts,
      ${arrayText(aside.entry.amounts)}::text as amounts, ${stamp}::bytea as stamp
  ),
  ${postJournals(sql, 'new_journals')}`;

/** Stamps the journal of a reservation. */
async function stampAside(
  sql: Queryable,
  row: RefundRow,
  aside: Aside,
  { at }: RefundEvent,
): Promise<Aside & { stamp: Buffer | null }> {
  const [stamp = null] = await stampJournals(sql, [
    {
      accountId: row.account_id,
      id: aside.journalId,
      kind: aside.kind,
      resultId: row.result_id,
      requestId: row.request_id,
      cause: null,
      at,
      entry: aside.entry,
    },
  ]);
  return { ...aside, stamp };
}

export async function insertRefund(
  sql: Queryable,
  row: RefundRow,
  aside: Aside,
  event: RefundEvent,
): Promise<void> {
  const stamped = await stampAside(sql, row, aside, event);
  const [stamp = null] = await stampedRefunds.stamps(sql, [row]);
  await sql`
    with asked as (
      insert into refunds (account_id, id, request_id, result_id, reference, amount, state, way,
        cbu, held, held_unavailable, refunded_before, requested_at, ask_at, asked_by, stamp)
      values (${row.account_id}, ${row.id}, ${row.request_id}, ${row.result_id}, ${row.reference},
        ${row.amount}, ${row.state}, ${row.way}, ${row.cbu}, ${row.held}, ${row.held_unavailable},
        ${row.refunded_before}, ${row.requested_at}::timestamptz, ${row.ask_at}::timestamptz,
        ${row.asked_by}, ${stamp})
    ),
    ${setAside(sql, row, stamped, event)}
    select 1`;
}

/** Restores the amount that a failed refund had reserved. */
export async function giveBackAside(
  sql: Queryable,
  row: RefundRow,
  aside: Aside,
  event: RefundEvent,
): Promise<void> {
  const stamped = await stampAside(sql, row, aside, event);
  await sql`with ${setAside(sql, row, stamped, event)} select 1`;
}

export interface Ending {
  state: 'done' | 'failed';
  at: Temporal.Instant;
  comment: string;
}

/** Ends a refund. Returns false if it had already ended. */
export async function endRow(
  sql: Queryable,
  { account_id, id }: RefundRow,
  { state, at, comment }: Ending,
): Promise<boolean> {
  const rows = await sql`
    update refunds set state = ${state}, ended_at = ${at}::timestamptz, ask_at = null,
      comment = ${comment}
    where account_id = ${account_id} and id = ${id} and state = 'requested' returning 1`;
  return rows.length > 0;
}
