import { dayOf, midnightOf } from '../../kernel/dates.ts';
import type { RecordFacts } from '../../money/collections/index.ts';
import { accountSweep, type Share } from '../../platform/account-sweep.ts';
import { system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { withinReach } from '../../platform/postgres/distributed/owners.ts';
import type { Sweep } from '../../platform/sweeps.ts';
import { moveRequests, stepTerms } from '../../requests/index.ts';
import { abandonRuns } from './abandon.ts';

/**
 * Submits a run on its day and puts its debit in process. From then on the bank or processor
 * decides. Ends runs whose debit is already decided or canceled, and second runs whose mandate
 * ended.
 */
export function submissionSweep(base: Base, recordFacts: RecordFacts): Sweep {
  const { sql, recordIds } = base;
  const abandon = abandonRuns(base, recordFacts);

  const submitIn = async ({ accountId, now, most, ids }: Share): Promise<number> => {
    const today = dayOf(now);
    // One transition serves both kinds.
    const terms = { kind: 'debit_request', move: 'submit', at: now, actor: system } as const;
    const [row] = await sql<{ due: number }[]>`
      with due as materialized (
        select ${accountId}::text as account_id, request_id, no, kind,
          (${ids}::bigint[])[row_number() over (order by request_id)] as event_id,
          null::text as data, ${stepTerms(sql, terms)}
        from (
          select request_id, no, kind from debit_runs
          where account_id = ${accountId} and state = 'waiting' and submit_on <= ${today}::date
          order by request_id limit ${most} for update skip locked
        ) as taken
      ),
      ${moveRequests(sql, 'due', [accountId])},
      run as (
        update debit_runs d
        set state = case when moved.request_id is null then 'done' else 'submitted' end
        from due left join moved_requests moved using (request_id)
        where d.account_id = ${accountId} and d.request_id = due.request_id and d.no = due.no
      )
      select count(*)::int as due from due`;
    return row?.due ?? 0;
  };

  const submissions = accountSweep(recordIds, {
    name: 'debits submitted',
    async nextDue() {
      const [row] = await sql<{ due: Temporal.PlainDate | null }[]>`
        select min(submit_on) as due from debit_runs where state = 'waiting' ${withinReach(sql)}`;
      return row?.due ? midnightOf(row.due) : null;
    },
    accounts: (now) => sql<{ account_id: string; due: number }[]>`
      select account_id, count(*)::int as due from debit_runs
      where state = 'waiting' and submit_on <= ${dayOf(now)}::date ${withinReach(sql)}
      group by account_id limit 1000`,
    sweep: submitIn,
  });
  return {
    ...submissions,
    run: async (now) => (await abandon(now)) + (await submissions.run(now)),
  };
}
