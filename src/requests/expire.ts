import { writeEvents } from '../events/index.ts';
import { dayOf, midnightOf } from '../kernel/dates.ts';
import type { Base } from '../platform/base.ts';
import { type Sweep, sweepAccounts } from '../platform/sweeps.ts';
import { type RequestKind, transitionOf } from './states.ts';

/**
 * After its last due day a pending request expires. Verbs know that by the clock already; the sweep
 * stores it and leaves the event. A charge that is approved after that still makes it paid.
 */
export function expirySweep({ sql, recordIds }: Base, kind: RequestKind, name: string): Sweep {
  const expiry = transitionOf(kind, 'expire');
  if (!expiry) throw new Error(`a ${kind} never expires`);
  const { from, to } = expiry;
  const due = (today: Temporal.PlainDate) => sql`
    kind = ${kind} and state = 'pending' and last_due < ${today}::date`;

  const expireIn = async (
    accountId: string,
    most: number,
    now: Temporal.Instant,
  ): Promise<number> => {
    // Before rows are held: who waits for those may have all the connections that ids come by.
    const ids = await recordIds.take(most);
    return await sql.begin(async (tx) => {
      const rows = await tx<{ id: number }[]>`
        select id from requests where account_id = ${accountId} and ${due(dayOf(now))}
        order by id limit ${most} for update skip locked`;
      if (rows.length === 0) return 0;
      const eventIds = ids.slice(0, rows.length);
      await tx`
        with expired as (
          update requests r set state = ${to}, version = r.version + 1
          from unnest(${rows.map((row) => row.id)}::bigint[], ${eventIds}::bigint[])
            as due (id, event_id)
          where r.account_id = ${accountId} and r.id = due.id and r.state = any(${[...from]}::text[])
          returning r.account_id, r.kind, r.id, r.code, r.version, r.reference, due.event_id
        ),
        new_events as (
          select account_id, kind as entity,
            case when kind = 'qr' then code else id::text end as entity_id, version, event_id as id,
            kind || '.expired' as type, ${now}::timestamptz as at, 'system' as actor,
            json_strip_nulls(json_build_object('state', ${to}::text, 'external_reference',
              reference))::text as data
          from expired
        ),
        ${writeEvents(tx, 'new_events')}
        select 1`;
      return rows.length;
    });
  };

  return {
    name,
    async nextDue() {
      const [row] = await sql<{ due: Temporal.PlainDate | null }[]>`
        select min(last_due) as due from requests
        where state = 'pending' and kind = ${kind}`;
      return row?.due ? midnightOf(row.due.add({ days: 1 })) : null;
    },
    async run(now) {
      const accounts = await sql<{ account_id: string; due: number }[]>`
        select account_id, count(*)::int as due from requests where ${due(dayOf(now))}
        group by account_id limit 1000`;
      return await sweepAccounts(accounts, (accountId, most) => expireIn(accountId, most, now));
    },
  };
}
