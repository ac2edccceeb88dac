import type { Actor } from '../../platform/actor.ts';
import { actorText } from '../../platform/actor.ts';
import { erasedText, type StillNeeded } from '../../platform/person.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { textsOf } from '../../platform/postgres/texts.ts';
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

/** Returns the undecided disputes of these requests. */
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

/** Erases the reasons of these requests' disputes. Returns the disputes' ids by request. */
export async function eraseDisputes(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await tx<{ id: number; request_id: number }[]>`
    update disputes set reason = case when reason is not null then ${erasedText} end
    where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
    returning id, request_id`;
  const byRequest = Map.groupBy(rows, (row) => row.request_id);
  return new Map([...byRequest].map(([id, some]) => [id, some.map((row) => row.id)]));
}

/** Exports disputes of requests as JSON rows. */
export const exportDisputes = (
  sql: Queryable,
  accountId: string,
  requestIds: readonly number[],
): AsyncGenerator<string> =>
  textsOf(sql<{ text: string }[]>`
    select row_to_json(shown)::text as text from (
      select id, request_id, connector, name, state, amount, taken, reason, opened_at, changed_at
      from disputes
      where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
      order by id
    ) as shown`);
