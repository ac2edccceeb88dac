import { type Actor, actorText, payer } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { eventOf, lockRequests, noteOnRequests, type RequestKey } from '../../requests/index.ts';

/**
 * Maximum number of opened requests that a process remembers, so that further visits cost nothing.
 */
const mostKnown = 20_000;

export type NoteOpened = (key: RequestKey) => Promise<void>;

/** Records the first opening of each request, with an event without data about the visitor. */
export function noteOpened({ sql, clocks, recordIds }: Base, actor: Actor = payer): NoteOpened {
  const known = new Set<string>();
  return async ({ accountId, id }) => {
    const name = `${accountId} ${id}`;
    if (known.has(name)) return;
    const eventId = await recordIds.next();
    const at = clocks.business.now();
    await sql`
      with opening as (
        insert into request_openings (account_id, request_id, at)
        values (${accountId}, ${id}, ${at}::timestamptz) on conflict do nothing
        returning account_id, request_id
      ),
      ${lockRequests(sql, 'opening', [accountId])},
      fact as (
        select account_id, request_id, 'payment_request' as kind, 1 as no, false as is_money,
          null::text as move_to, null::text as move_from, null::text as comment,
          ${eventId}::bigint as event_id, ${eventOf('payment_request', 'open')}::text as what,
          ${at}::timestamptz as at, ${actorText(actor)}::text as actor, '{}'::text as data
        from held_requests
      ),
      ${noteOnRequests(sql, 'fact', [accountId])}
      select 1 from moved_requests`;
    if (known.size >= mostKnown) known.clear();
    known.add(name);
  };
}
