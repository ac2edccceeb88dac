import { dayOf, midnightOf } from '../kernel/dates.ts';
import { accountSweep, type Share } from '../platform/account-sweep.ts';
import { system } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { withinReach } from '../platform/postgres/distributed/owners.ts';
import type { Sweep } from '../platform/sweeps.ts';
import { moveAll } from './move-all.ts';
import type { RequestKind } from './states.ts';

/** Selects pending rows of a kind by a literal condition, because the index is partial. */
const pendingOf = (sql: Queryable, kind: RequestKind) =>
  sql`s.state = 'pending' and s.kind = ${sql.unsafe(`'${kind}'`)}`;

/** Builds a one-row query of the earliest last due day among a kind's pending requests. */
export const nextToExpire = (sql: Queryable, kind: RequestKind) => sql<
  { due: Temporal.PlainDate | null }[]
>`
  select min(s.last_due) as due from request_states s where ${pendingOf(sql, kind)} ${withinReach(sql)}`;

/**
 * Expires pending requests after their last due day. Verbs already decide by the clock, so the
 * sweep only stores the state and records the event. A charge that is approved later still pays the
 * request.
 */
export function expirySweep({ sql, recordIds }: Base, kind: RequestKind, name: string): Sweep {
  const due = (today: Temporal.PlainDate) =>
    sql`${pendingOf(sql, kind)} and s.last_due < ${today}::date`;

  const expireIn = ({ accountId, now, most, ids }: Share): Promise<number> =>
    sql.begin(async (tx) => {
      const rows = await tx<{ id: number }[]>`
        select r.id from request_states s join requests r using (account_id, id)
        where s.account_id = ${accountId} and r.account_id = ${accountId} and ${due(dayOf(now))}
          and r.state = 'pending'
        order by r.id limit ${most} for update of r skip locked`;
      if (rows.length === 0) return 0;
      const expired = { accountId, ids: rows.map(({ id }) => id), eventIds: ids };
      await moveAll(tx, { ...expired, kind, move: 'expire', at: now, actor: system });
      return rows.length;
    });

  return accountSweep(recordIds, {
    name,
    async nextDue() {
      const [row] = await nextToExpire(sql, kind);
      return row?.due ? midnightOf(row.due.add({ days: 1 })) : null;
    },
    accounts: (now) => sql<{ account_id: string; due: number }[]>`
      select s.account_id, count(*)::int as due from request_states s
      where ${due(dayOf(now))} ${withinReach(sql)} group by s.account_id limit 1000`,
    sweep: expireIn,
  });
}
