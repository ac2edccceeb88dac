import type { Base } from '../platform/base.ts';
import type { CreationOutcome } from '../platform/idempotency.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import { type Creation, createRequests } from '../requests/index.ts';
import type { DebitRow, DebitRun } from './debit.ts';

type Fragment = ReturnType<Queryable>;

export interface NewDebit extends Creation {
  rows: readonly [DebitRow];
  run: DebitRun;
}

/** Inserts the first runs in the statement that creates the debits. */
const insertRuns = (sql: Queryable, runs: readonly DebitRun[]): Fragment => sql`
  insert into debit_runs (account_id, request_id, no, kind, submit_on, run_on, amount, state,
    charged)
  select run.account_id, run.request_id, run.no, run.kind, run.submit_on, run.run_on, run.amount,
    'waiting', run.charged
  from ${recordset(
    sql,
    `run (account_id text, request_id bigint, no smallint, kind text, submit_on date, run_on date,
      amount bigint, charged boolean)`,
    runs.map((run) => ({ ...run, charged: run.charged ?? false })),
  )}
  join fresh on fresh.account_id = run.account_id and fresh.id = run.request_id`;

/** Writes debits, their runs, events and stored answers in one statement. */
export const insertDebits = (
  { clocks }: Base,
  sql: Queryable,
  news: NewDebit[],
): Promise<(CreationOutcome | Error)[]> =>
  createRequests(sql, news, clocks.wall.now(), (sorted) => {
    const runs = sorted.map(({ run }) => run);
    return sql`run as (${insertRuns(sql, runs)})`;
  });
