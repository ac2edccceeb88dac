import type { Base } from '../platform/base.ts';
import { type CreationOutcome, createOnce } from '../platform/idempotency.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { createRequests, type NewRequest } from '../requests/index.ts';
import type { DebitRow, DebitRun } from './debit.ts';

type Fragment = ReturnType<Queryable>;

/** A debit to be written, with its first run. */
export interface NewDebit extends NewRequest {
  row: DebitRow;
  run: DebitRun;
}

/** Inserts runs from parallel arrays, those whose debit is in the relation `from`. */
const insertRuns = (sql: Queryable, runs: DebitRun[], from: string): Fragment => sql`
  insert into debit_runs (account_id, request_id, no, kind, submit_on, run_on, amount, state,
    charged)
  select run.account_id, run.request_id, run.no, run.kind, run.submit_on, run.run_on, run.amount,
    'waiting', run.charged
  from unnest(
    ${runs.map((run) => run.account_id)}::text[], ${runs.map((run) => run.request_id)}::bigint[],
    ${runs.map((run) => run.no)}::smallint[], ${runs.map((run) => run.kind)}::text[],
    ${runs.map((run) => run.submit_on)}::date[], ${runs.map((run) => run.run_on)}::date[],
    ${runs.map((run) => run.amount)}::bigint[],
    ${runs.map((run) => run.charged ?? false)}::boolean[]
  ) as run (account_id, request_id, no, kind, submit_on, run_on, amount, charged)
  join ${sql(from)} made on made.account_id = run.account_id and made.id = run.request_id`;

/** Writes debits, their runs, events and stored answers in one statement. */
export async function insertDebits(
  { clocks }: Base,
  sql: Queryable,
  news: NewDebit[],
): Promise<(CreationOutcome | Error)[]> {
  return await createOnce(
    sql,
    news,
    clocks.wall.now(),
    (sorted, claims) => sql<{ id: number }[]>`
      with ${createRequests(sql, sorted, claims)},
      run as (${insertRuns(
        sql,
        sorted.map(({ run }) => run),
        'fresh',
      )})
      select id from fresh`,
  );
}
