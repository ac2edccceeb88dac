import { dayOf } from '../../kernel/dates.ts';
import { type Actor, actorText } from '../../platform/actor.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { eventOf, noteOnRequests, type RequestKind } from '../../requests/index.ts';
import { putAside } from '../collections/index.ts';
import { arrayText, type Entry, postJournals, stampJournals } from '../ledger/index.ts';
import { stampedRefunds } from './evidence.ts';
import type { RefundRow } from './refund.ts';

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
 * Builds CTEs that reserve a refund's money on its payment and in the ledger, and record an event
 * on the request, whose state stays the same. Requires locks on the request and its results.
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
