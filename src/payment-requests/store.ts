import { writeEvents } from '../events/index.ts';
import { toJsonNumber } from '../kernel/money.ts';
import type { Base } from '../platform/base.ts';
import {
  type ClaimedCreation,
  type CreationOutcome,
  claimKeys,
  claimsOf,
  freshRows,
  inKeyOrder,
  outcomesOf,
} from '../platform/idempotency.ts';
import { insertRequests, newRequests } from '../requests/index.ts';
import type { PaymentRequestRow } from './details.ts';

/** A row with everything that is written together with it. */
export interface Creation extends ClaimedCreation {
  row: PaymentRequestRow;
  eventId: number;
  actor: string;
}

const eventDataOf = (row: PaymentRequestRow): string =>
  JSON.stringify({
    state: row.state,
    ...(row.reference !== null && { external_reference: row.reference }),
    amount: toJsonNumber(row.total1),
  });

async function insertSorted({ sql, clocks }: Base, sorted: Creation[]): Promise<Set<number>> {
  const rows = await sql<{ id: number }[]>`
    with new_request as materialized (
      ${newRequests(
        sql,
        sorted.map(({ row }) => row),
      )}
    ),
    ${claimKeys(sql, claimsOf(sorted), clocks.wall.now())},
    ${freshRows(sql, 'new_request')},
    created as (${insertRequests(sql, 'fresh')}),
    new_events as (
      select account_id, kind as entity, id::text as entity_id, version, written.event_id as id,
        kind || '.created' as type, created_at as at, written.actor, written.data
      from fresh join unnest(
        ${sorted.map(({ row }) => row.id)}::bigint[], ${sorted.map((one) => one.eventId)}::bigint[],
        ${sorted.map((one) => one.actor)}::text[],
        ${sorted.map(({ row }) => eventDataOf(row))}::text[]
      ) as written (id, event_id, actor, data) using (id)
    ),
    ${writeEvents(sql, 'new_events')}
    select id from fresh`;
  return new Set(rows.map((row) => row.id));
}

/**
 * Inserts requests, their events and their stored answers in one statement. Where the idempotency
 * key was taken nothing is written, and the answer stored under it is given again.
 */
export async function insertPaymentRequests(
  base: Base,
  creations: Creation[],
): Promise<(CreationOutcome | Error)[]> {
  const fresh = await insertSorted(base, inKeyOrder(creations));
  return await outcomesOf(base.sql, creations, fresh);
}
