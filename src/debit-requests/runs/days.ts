import type { Centavos } from '../../kernel/money.ts';
import { wordsOf } from '../../kernel/words.ts';
import type { ResultRow } from '../../money/collections/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { joinRequests, requestColumns } from '../../requests/index.ts';
import type { DebitRow, DebitRun } from '../debit.ts';
import { runSource, sourceRefOf } from './runs.ts';

/** The days on which an account's runs are debited, and the debits of one. */

/** A day with runs. */
export interface RunDay {
  day: Temporal.PlainDate;
  runs: number;
  amount: Centavos;
  /** How many were not handed over yet, wait for an answer, and are decided. */
  waiting: number;
  submitted: number;
  done: number;
}

/** The latest days with runs before one, or of all; each found by the index. */
export const readRunDays = (
  sql: Queryable,
  accountId: string,
  { before, limit }: { before: Temporal.PlainDate | null; limit: number },
): Promise<RunDay[]> => sql<RunDay[]>`
  with recursive days as (
    (select run_on, 1 as no from debit_runs
      where account_id = ${accountId} and run_on < coalesce(${before}::date, 'infinity')
      order by run_on desc limit 1)
    union all
    select earlier.run_on, days.no + 1 from days cross join lateral (
      select run_on from debit_runs
      where account_id = ${accountId} and run_on < days.run_on order by run_on desc limit 1
    ) as earlier
    where days.no < ${limit}
  )
  select days.run_on as day, of_day.* from days cross join lateral (
    select count(*)::int as runs, sum(amount)::bigint as amount,
      (count(*) filter (where state = 'waiting'))::int as waiting,
      (count(*) filter (where state = 'submitted'))::int as submitted,
      (count(*) filter (where state = 'done'))::int as done
    from debit_runs where account_id = ${accountId} and run_on = days.run_on
  ) as of_day
  order by days.run_on desc limit ${limit}`;

/** How many debits of a day stand how, and what was asked for. */
export interface DayTotal {
  state: DebitRow['state'];
  debits: number;
  amount: Centavos;
}

export const readDayTotals = (
  sql: Queryable,
  accountId: string,
  day: Temporal.PlainDate,
): Promise<DayTotal[]> => sql<DayTotal[]>`
  select r.state, count(*)::int as debits, sum(d.amount)::bigint as amount
  from debit_runs d ${joinRequests(sql, 'd', 'request_id')}
  where d.account_id = ${accountId} and d.run_on = ${day}::date group by r.state`;

/** Debits of a day, the newest first. */
export interface DaySought {
  accountId: string;
  day: Temporal.PlainDate;
  kinds: readonly DebitRow['kind'][];
  state: DebitRow['state'] | null;
  /** Beginnings of words of payer, reference and description, or its id. */
  text: string;
  before: number | null;
  limit: number;
}

/** Of one day there are few enough to look at the words of each. */
const matches = (sql: Queryable, text: string): ReturnType<Queryable> => sql`
  words_of('', r.id || ' ' || r.payer || ' ' || r.description || ' ' || coalesce(r.reference, ''))
    @@ ${wordsOf(text)
      .map((word) => `'${word}':*`)
      .join(' & ')}::tsquery`;

export const debitsOfDay = (
  sql: Queryable,
  { accountId, day, kinds, state, text, before, limit }: DaySought,
): Promise<DebitRow[]> => sql<DebitRow[]>`
  select ${requestColumns(sql)} from (
    select distinct account_id, request_id from debit_runs
    where account_id = ${accountId} and run_on = ${day}::date and kind = any(${[...kinds]}::text[])
      and request_id < ${before ?? Number.MAX_SAFE_INTEGER}
  ) as d ${joinRequests(sql, 'd', 'request_id')}
  where ${state === null ? sql`true` : sql`r.state = ${state}`}
    and ${text.trim() === '' ? sql`true` : matches(sql, text)}
  order by r.id desc limit ${limit}`;

/** A run as its debit's page tells it. */
export interface RunShown
  extends Pick<DebitRun, 'no' | 'submit_on' | 'run_on' | 'amount' | 'state'> {
  request_id: number;
  /** What the bank said of it that was not the last word, or of a first run that goes on. */
  code: string | null;
  attempt_id: number | null;
}

/** The runs of some debits, the first before the second. */
export const readRunsOf = (
  sql: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<RunShown[]> => sql<RunShown[]>`
  select request_id, no, submit_on, run_on, amount, state, code, attempt_id from debit_runs
  where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
  order by request_id, no`;

/** What is recorded of a run's end, among the results of its debit; null: nothing yet. */
export const endOfRun = (
  { request_id: requestId, no, attempt_id: attemptId }: RunShown,
  results: readonly ResultRow[],
): ResultRow | null =>
  results.find(
    ({ source, source_ref: ref }) =>
      (source === runSource && ref === sourceRefOf(requestId, no)) ||
      (source === 'attempt' && attemptId !== null && ref === String(attemptId)),
  ) ?? null;
