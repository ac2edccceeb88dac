import { type Actor, actorText } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import {
  eventOf,
  lockRequests,
  noteOnRequests,
  type RequestKey,
  readRequests,
} from '../../requests/index.ts';
import { isPaymentRequest } from '../details.ts';

/**
 * Why an account no longer sends requests and reminders to an address. A bounced one gets no
 * receipts either.
 */
export type StopReason = 'unsubscribed' | 'bounced';

/** Puts an address in lower case, because mail servers ignore case. */
export const addressOf = (email: string): string => email.toLowerCase();

/** Returns which of the addresses are stopped, with the reasons. */
export async function stopsOf(
  sql: Queryable,
  accountId: string,
  emails: readonly string[],
): Promise<Map<string, StopReason>> {
  const rows = await sql<{ address: string; reason: StopReason }[]>`
    select address, reason from payer_mail_stops
    where account_id = ${accountId} and address = any(${emails.map(addressOf)}::text[])`;
  return new Map(rows.map(({ address, reason }) => [address, reason]));
}

export type StopCounts = Record<StopReason, number>;

export async function countStops(sql: Queryable, accountId: string): Promise<StopCounts> {
  const rows = await sql<{ reason: StopReason; count: number }[]>`
    select reason, count(*)::int as count from payer_mail_stops where account_id = ${accountId}
    group by reason`;
  const countOf = (reason: StopReason) => rows.find((row) => row.reason === reason)?.count ?? 0;
  return { unsubscribed: countOf('unsubscribed'), bounced: countOf('bounced') };
}

export interface MailNote {
  key: RequestKey;
  happening: 'resend_mail' | 'unsubscribe' | 'resubscribe';
  eventId: number;
  at: Temporal.Instant;
  actor: Actor;
  data?: Record<string, unknown>;
}

/** Records an event about a request's emails without changing its state. */
export async function noteOnRequest(
  tx: Queryable,
  { key, happening, eventId, at, actor, data = {} }: MailNote,
): Promise<void> {
  await tx`
    with named as (select ${key.accountId}::text as account_id, ${key.id}::bigint as request_id),
    ${lockRequests(tx, 'named', [key.accountId])},
    fact as (
      select account_id, request_id, 'payment_request' as kind, 1 as no, false as is_money,
        null::text as move_to, null::text as move_from, null::text as comment,
        ${eventId}::bigint as event_id, ${eventOf('payment_request', happening)}::text as what,
        ${at}::timestamptz as at, ${actorText(actor)}::text as actor,
        ${JSON.stringify(data)}::text as data
      from held_requests
    ),
    ${noteOnRequests(tx, 'fact', [key.accountId])}
    select 1 from moved_requests`;
}

/** Returns the recipient of an email about a request, or null if there is none. */
async function addresseeOf(sql: Queryable, key: RequestKey): Promise<string | null> {
  const [row] = await readRequests(sql, [key]);
  return row && isPaymentRequest(row) ? (row.details.payer_email ?? null) : null;
}

export interface StopVerbs {
  /** Returns the request's address and whether it is stopped, or null if there is no address. */
  find(key: RequestKey): Promise<{ email: string; stopped: boolean } | null>;
  /** Stops requests and reminders to the request's address. Safe to repeat. */
  stop(key: RequestKey, actor: Actor): Promise<void>;
  /** Resumes requests and reminders to the request's address, even after a bounce. */
  resume(key: RequestKey, actor: Actor): Promise<void>;
}

/**
 * Builds the verbs of unsubscriptions. Each unsubscription covers an address in all requests of an
 * account.
 */
export function stopVerbs({ sql, clocks, recordIds }: Base): StopVerbs {
  const change = async (
    key: RequestKey,
    actor: Actor,
    happening: 'unsubscribe' | 'resubscribe',
    write: (
      tx: Queryable,
      stop: { address: string; at: Temporal.Instant },
    ) => PromiseLike<readonly unknown[]>,
  ): Promise<void> => {
    const email = await addresseeOf(sql, key);
    if (email === null) return;
    const eventId = await recordIds.next();
    await sql.begin(async (tx) => {
      const at = clocks.business.now();
      const changed = await write(tx, { address: addressOf(email), at });
      if (changed.length === 0) return;
      await noteOnRequest(tx, { key, happening, eventId, at, actor });
    });
  };
  return {
    async find(key) {
      const email = await addresseeOf(sql, key);
      if (email === null) return null;
      const stops = await stopsOf(sql, key.accountId, [email]);
      return { email, stopped: stops.has(addressOf(email)) };
    },
    stop: (key, actor) =>
      change(
        key,
        actor,
        'unsubscribe',
        (tx, { address, at }) => tx`
          insert into payer_mail_stops as s (account_id, address, reason, at, request_id)
          values (${key.accountId}, ${address}, 'unsubscribed', ${at}::timestamptz, ${key.id})
          on conflict (account_id, address) do update
            set reason = 'unsubscribed', at = excluded.at, request_id = excluded.request_id
            where s.reason <> 'unsubscribed'
          returning address`,
      ),
    resume: (key, actor) =>
      change(
        key,
        actor,
        'resubscribe',
        (tx, { address }) => tx`
          delete from payer_mail_stops
          where account_id = ${key.accountId} and address = ${address} returning address`,
      ),
  };
}
