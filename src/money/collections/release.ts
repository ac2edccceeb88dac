import { appendEvents } from '../../events/index.ts';
import { compareDays, dayOf, midnightOf } from '../../kernel/dates.ts';
import { itemAt } from '../../kernel/lists.ts';
import type { Centavos } from '../../kernel/money.ts';
import { accountSweep, type Share } from '../../platform/account-sweep.ts';
import { system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { withinReach } from '../../platform/postgres/distributed/owners.ts';
import type { Sweep } from '../../platform/sweeps.ts';
import {
  arrayText,
  entry,
  ledgerAccounts,
  posting,
  postJournals,
  stampJournals,
} from '../ledger/index.ts';

interface Due {
  id: number;
  request_id: number;
  unreleased: Centavos;
  available_on: Temporal.PlainDate;
}

/** The entity of events about late releases. */
export const lateRelease = 'late_release';

/**
 * Returns true if a release is more than a day late. The day of grace covers results reported in a
 * day's last moment.
 */
const isLate = ({ available_on }: Due, today: Temporal.PlainDate): boolean =>
  compareDays(available_on.add({ days: 1 }), today) < 0;

/** Records late releases, so that audits know that no sweep ran on the due day. */
async function noteLate(
  tx: Queryable,
  late: readonly Due[],
  { accountId, id, now }: { accountId: string; id: number; now: Temporal.Instant },
): Promise<void> {
  if (late.length === 0) return;
  await appendEvents(tx, [
    {
      accountId,
      entity: lateRelease,
      entityId: String(id),
      version: 1,
      id,
      type: `${lateRelease}.noted`,
      at: now,
      actor: system,
      data: {
        reason: 'no sweep ran on the day',
        results: late.map((row) => ({ id: row.id, available_on: row.available_on.toString() })),
      },
    },
  ]);
}

/**
 * Releases collections on `available_on`: moves their unavailable rest to the available balance.
 */
export function releaseSweep({ sql, clocks, recordIds }: Base): Sweep {
  const releaseIn = async ({ accountId, now: begun, most, ids }: Share): Promise<number> =>
    await posting(sql, async (tx) => {
      // A run may last past midnight, and the repeat after a closed day needs the new one.
      const read = clocks.business.now();
      const now = Temporal.Instant.compare(read, begun) > 0 ? read : begun;
      const today = dayOf(now);
      const due = await tx<Due[]>`
        select id, request_id, unreleased, available_on from results
        where account_id = ${accountId} and type = 'collected' and released_on is null
          and available_on <= ${today}::date
        order by available_on, id limit ${most} for update skip locked`;
      if (due.length === 0) return 0;
      const journalIds = ids.slice(0, due.length);
      const entries = due.map(({ unreleased }) =>
        entry([
          [ledgerAccounts.holderUnavailable, unreleased],
          [ledgerAccounts.holderAvailable, -unreleased],
        ]),
      );
      const stamps = await stampJournals(
        tx,
        due.map((row, index) => ({
          accountId,
          id: itemAt(journalIds, index),
          kind: 'release',
          resultId: row.id,
          requestId: row.request_id,
          cause: null,
          at: now,
          entry: itemAt(entries, index),
        })),
      );
      await tx`
        with released as (
          update results set released_on = ${today}::date, unreleased = 0
          where account_id = ${accountId} and id = any(${due.map((row) => row.id)}::bigint[])
        ),
        new_journals as (
          select ${accountId}::text as account_id, id, 'release' as kind, result_id, request_id,
            null::text as cause, ${now}::timestamptz as at, ${today}::date as on_date, accounts, amounts,
            stamp
          from unnest(
            ${journalIds}::bigint[], ${due.map((row) => row.id)}::bigint[],
            ${due.map((row) => row.request_id)}::bigint[],
            ${entries.map((one) => arrayText(one.accounts))}::text[],
            ${entries.map((one) => arrayText(one.amounts))}::text[], ${stamps}::bytea[]
          ) as journal (id, result_id, request_id, accounts, amounts, stamp)
        ),
        ${postJournals(tx, 'new_journals')}
        select 1`;
      const late = due.filter((row) => isLate(row, today));
      // The event takes the first journal's id: record ids are unique across tables, and releases
      // write no other event.
      await noteLate(tx, late, { accountId, id: itemAt(journalIds, 0), now });
      return due.length;
    });

  return accountSweep(recordIds, {
    name: 'collections made available',
    async nextDue() {
      const [row] = await sql<{ due: Temporal.PlainDate | null }[]>`
        select min(available_on) as due from results
        where type = 'collected' and released_on is null ${withinReach(sql)}`;
      return row?.due ? midnightOf(row.due) : null;
    },
    accounts: (now) => sql<{ account_id: string; due: number }[]>`
      select account_id, count(*)::int as due from results
      where type = 'collected' and released_on is null and available_on <= ${dayOf(now)}::date
        ${withinReach(sql)} group by account_id limit 1000`,
    sweep: releaseIn,
  });
}
