import { writeEvents } from '../../events/index.ts';
import { dayOf, midnightOf } from '../../kernel/dates.ts';
import type { RecordFacts } from '../../money/collections/index.ts';
import type { Base } from '../../platform/base.ts';
import { type Sweep, sweepAccounts } from '../../platform/sweeps.ts';
import { transitions } from '../../requests/index.ts';
import { abandonRuns } from './abandon.ts';

// Both kinds have one life.
const { from, to } = transitions.debit_request.submit;

/**
 * On the day of its hand-over a run is submitted and its debit is in process: from then on the bank
 * or processor decides. A run whose debit was canceled ends here, and so does one whose mandate is
 * gone.
 */
export function submissionSweep(base: Base, recordFacts: RecordFacts): Sweep {
  const { sql, recordIds } = base;
  const abandon = abandonRuns(base, recordFacts);

  const submitIn = async (
    accountId: string,
    most: number,
    now: Temporal.Instant,
  ): Promise<number> => {
    // Before rows are held: who waits for those may have all the connections that ids come by.
    const ids = await recordIds.take(most);
    const today = dayOf(now);
    const [row] = await sql<{ moved: number }[]>`
      with due as materialized (
        select request_id, no, row_number() over (order by request_id) as place
        from (
          select request_id, no from debit_runs
          where account_id = ${accountId} and state = 'waiting' and submit_on <= ${today}::date
          order by request_id limit ${most} for update skip locked
        ) as taken
      ),
      held as materialized (
        -- In order: the end of a mandate holds several debits too.
        select r.id, due.place from requests r join due on r.id = due.request_id
        where r.account_id = ${accountId} order by r.id for update of r
      ),
      moved as (
        update requests r set state = ${to}, version = r.version + 1
        from held
        where r.account_id = ${accountId} and r.id = held.id
          and r.state = any(${[...from, to]}::text[])
        returning r.account_id, r.kind, r.id, r.version, r.reference, held.place
      ),
      run as (
        update debit_runs d
        set state = case when moved.id is null then 'done' else 'submitted' end
        from due left join moved on moved.id = due.request_id
        where d.account_id = ${accountId} and d.request_id = due.request_id and d.no = due.no
      ),
      new_events as (
        select account_id, kind as entity, id::text as entity_id, version,
          (${ids}::bigint[])[place] as id, kind || '.submitted' as type,
          ${now}::timestamptz as at, 'system' as actor,
          json_strip_nulls(json_build_object('state', ${to}::text, 'external_reference',
            reference))::text as data
        from moved
      ),
      ${writeEvents(sql, 'new_events')}
      select count(*)::int as moved from due`;
    return row?.moved ?? 0;
  };

  return {
    name: 'debits submitted',
    async nextDue() {
      const [row] = await sql<{ due: Temporal.PlainDate | null }[]>`
        select min(submit_on) as due from debit_runs where state = 'waiting'`;
      return row?.due ? midnightOf(row.due) : null;
    },
    async run(now) {
      const abandoned = await abandon(now);
      const accounts = await sql<{ account_id: string; due: number }[]>`
        select account_id, count(*)::int as due from debit_runs
        where state = 'waiting' and submit_on <= ${dayOf(now)}::date
        group by account_id limit 1000`;
      const moved = await sweepAccounts(accounts, (accountId, most) =>
        submitIn(accountId, most, now),
      );
      return abandoned + moved;
    },
  };
}
