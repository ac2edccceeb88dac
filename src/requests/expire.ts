import { dayOf, midnightOf } from '../kernel/dates.ts';
import { accountSweep, type Share } from '../platform/account-sweep.ts';
import { system } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { withinReach } from '../platform/postgres/owners.ts';
import type { Sweep } from '../platform/sweeps.ts';
import { moveAll } from './move-all.ts';
import type { RequestKind } from './states.ts';

/** What is pending of the kind, written out: QRs and the others have an index each. */
const pendingOf = (sql: Queryable, kind: RequestKind) =>
  sql`state = 'pending' and ${sql.unsafe(kind === 'qr' ? "kind = 'qr'" : `kind <> 'qr' and kind = '${kind}'`)}`;

/** The last due day of the kind's request that expires next, as a query of one row. */
export const nextToExpire = (sql: Queryable, kind: RequestKind) => sql<
  { due: Temporal.PlainDate | null }[]
>`
  select min(last_due) as due from requests where ${pendingOf(sql, kind)} ${withinReach(sql)}`;

/**
 * After its last due day a pending request expires. Verbs know that by the clock already; the sweep
 * stores it and leaves the event. A charge that is approved after that still makes it paid.
 */
export function expirySweep({ sql, recordIds }: Base, kind: RequestKind, name: string): Sweep {
  const due = (today: Temporal.PlainDate) =>
    sql`${pendingOf(sql, kind)} and last_due < ${today}::date`;

  const expireIn = ({ accountId, now, most, ids }: Share): Promise<number> =>
    sql.begin(async (tx) => {
      const rows = await tx<{ id: number }[]>`
        select id from requests where account_id = ${accountId} and ${due(dayOf(now))}
        order by id limit ${most} for update skip locked`;
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
      select account_id, count(*)::int as due from requests
      where ${due(dayOf(now))} ${withinReach(sql)} group by account_id limit 1000`,
    sweep: expireIn,
  });
}
