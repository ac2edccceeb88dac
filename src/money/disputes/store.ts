import type { Actor } from '../../platform/actor.ts';
import { actorText } from '../../platform/actor.ts';
import type { StillNeeded } from '../../platform/person.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { eventOf, noteOnRequests, type RequestKind } from '../../requests/index.ts';
import { type DisputeRow, undecidedStates } from './dispute.ts';

export interface DisputeEvent {
  id: number;
  kind: RequestKind;
  at: Temporal.Instant;
  actor: Actor;
  data: Record<string, unknown>;
}

/**
 * Stores a dispute's state, with an event on its request. The request's own state stays the same.
 */
export async function writeDispute(
  sql: Queryable,
  row: DisputeRow,
  event: DisputeEvent,
): Promise<void> {
  await sql`
    with stored as (
      insert into disputes (account_id, id, request_id, attempt_id, connector, name, state,
        revision, amount, taken, reason, evidence_due_at, opened_at, changed_at)
      values (${row.account_id}, ${row.id}, ${row.request_id}, ${row.attempt_id},
        ${row.connector}, ${row.name}, ${row.state}, ${row.revision}, ${row.amount},
        ${row.taken}, ${row.reason}, ${row.evidence_due_at}::timestamptz,
        ${row.opened_at}::timestamptz, ${row.changed_at}::timestamptz)
      on conflict (account_id, connector, name) do update set state = excluded.state,
        revision = excluded.revision, amount = excluded.amount, taken = excluded.taken,
        reason = excluded.reason, evidence_due_at = excluded.evidence_due_at,
        changed_at = excluded.changed_at,
        -- Warn at once about an earlier deadline, even if today's warning was sent.
        warned_at = case when excluded.evidence_due_at < disputes.evidence_due_at then null
          else disputes.warned_at end
    ),
    fact as (
      select ${row.account_id}::text as account_id, ${row.request_id}::bigint as request_id,
        ${event.kind}::text as kind, 1 as no, false as is_money, null::text as move_to,
        null::text as move_from, null::text as comment, ${event.id}::bigint as event_id,
        ${eventOf(event.kind, 'dispute')}::text as what, ${event.at}::timestamptz as at,
        ${actorText(event.actor)}::text as actor, ${JSON.stringify(event.data)}::text as data
    ),
    ${noteOnRequests(sql, 'fact', [row.account_id])}
    select 1`;
}

/** Returns undecided disputes of requests. */
export async function disputesNeeded(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<StillNeeded[]> {
  const rows = await tx<{ id: number }[]>`
    select id from disputes
    where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
      and state = any(${[...undecidedStates]}::text[])
    order by id`;
  return rows.map(({ id }) => ({ what: 'dispute', id, why: 'it is not decided' }));
}
