import { eventTypes } from '../../src/events/index.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { reserveIds } from './store.ts';

/** Registers an address for every event, as POST /webhook stores it. */
export async function registerWebhook(sql: Sql, accountId: string, url: string): Promise<void> {
  const id = await reserveIds(sql, 'record_ids', 1);
  await sql`
    insert into webhooks (account_id, id, url, event_types, created_at)
    values (${accountId}, ${id}, ${url}, ${eventTypes.map((type) => type.id)}::smallint[],
      ${wallClock.now()}::timestamptz)`;
}

/**
 * Writes payment events, each for its own entity with the event's id, in one commit with the
 * outbox, like a collection. Returns the first of the consecutive ids.
 */
export async function writePaidEvents(sql: Sql, accountId: string, count: number): Promise<number> {
  const first = await reserveIds(sql, 'record_ids', count);
  await sql`
    with written as (
      insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
      select ${accountId}, 'payment_request', (${first}::bigint + n)::text, 2,
        ${first}::bigint + n, 'payment_request.paid', ${wallClock.now()}::timestamptz, 'system',
        json_build_object('state', 'paid', 'external_reference', 'contract-' || n,
          'request_result_id', ${first}::bigint + n, 'amount', 1430.5)
      from generate_series(0, ${count - 1}::int) as n
      returning account_id, id, entity, entity_id, version
    )
    insert into outbox (account_id, event_id, entity, entity_id, version)
    select account_id, id, entity, entity_id, version from written`;
  return first;
}
