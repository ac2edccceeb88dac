import type { Centavos } from '../../kernel/money.ts';
import { searchWordsOf } from '../../kernel/search-words.ts';
import type { ResultRow } from '../../money/collections/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { joinRequests, type NamedRequests, requestColumns } from '../../requests/index.ts';
import type { DebitRow, DebitRun } from '../debit.ts';
import { runSource, sourceRefOf } from './runs.ts';

/** The days on which an account's runs are debited, and the debits of one. */

/** A day with runs. */
export interface RunDay {
  day: Temporal.PlainDate;
  runs: number;
  amount: Centavos;
  /** Counts of runs not handed over yet, in process, and decided. */
  waiting: number;
  submitted: number;
  done: number;
  /** True if it has more than `mostCounted`; the counts are then missing. */
  more: boolean;
}

/** So many runs of a day are counted and added up. */
export const mostCounted = 10_000;

/** Runs of a day, at most one more than are counted. */
const someOf = (sql: Queryable, accountId: string, day: ReturnType<Queryable>) => sql`
  select state, amount from debit_runs
  where account_id = ${accountId} and run_on = ${day} limit ${mostCounted + 1}`;

const counted = (sql: Queryable, accountId: string, day: ReturnType<Queryable>) => sql`
  select count(*)::int as runs, coalesce(sum(amount), 0)::bigint as amount,
    (count(*) filter (where state = 'waiting'))::int as waiting,
    (count(*) filter (where state = 'submitted'))::int as submitted,
    (count(*) filter (where state = 'done'))::int as done
  from (${someOf(sql, accountId, day)}) as counted`;

/**
 * The latest days with runs before one, or of all; each found by the index. Stops at a number of
 * counted runs, or at the limit; the next page continues there.
 */
export async function readRunDays(
  sql: Queryable,
  accountId: string,
  { before, limit }: { before: Temporal.PlainDate | null; limit: number },
): Promise<{ days: RunDay[]; more: boolean }> {
  const dayBefore = (day: ReturnType<Queryable>) => sql`
    select run_on from debit_runs
    where account_id = ${accountId} and run_on < ${day} order by run_on desc limit 1`;
  const rows = await sql<RunDay[]>`
    with recursive days as (
      select first.run_on, 1 as no, of_day.*, of_day.runs as counted
      from (${dayBefore(sql`coalesce(${before}::date, 'infinity')`)}) as first
      cross join lateral (${counted(sql, accountId, sql`first.run_on`)}) as of_day
      union all
      select earlier.run_on, days.no + 1, of_day.*, days.counted + of_day.runs
      from days
      cross join lateral (${dayBefore(sql`days.run_on`)}) as earlier
      cross join lateral (${counted(sql, accountId, sql`earlier.run_on`)}) as of_day
      where days.no < ${limit} and days.counted < ${mostCounted}
    )
    select run_on as day, runs, amount, waiting, submitted, done, runs > ${mostCounted} as more
    from days order by run_on desc`;
  const last = rows.at(-1);
  const next = last && (await sql`${dayBefore(sql`${last.day}::date`)}`);
  return { days: rows, more: (next?.length ?? 0) > 0 };
}

/** A day's debits by state, with their total. */
export interface DayTotal {
  state: DebitRow['state'];
  debits: number;
  amount: Centavos;
}

/** True if a day has more runs than `most`. */
async function hasMore(
  sql: Queryable,
  { accountId, day }: { accountId: string; day: Temporal.PlainDate },
  than: number,
): Promise<boolean> {
  const rows = await sql`
    select 1 from debit_runs where account_id = ${accountId} and run_on = ${day}::date
    offset ${than} limit 1`;
  return rows.length > 0;
}

/** Null if the day has more runs than are counted. */
export async function readDayTotals(
  sql: Queryable,
  accountId: string,
  day: Temporal.PlainDate,
): Promise<DayTotal[] | null> {
  if (await hasMore(sql, { accountId, day }, mostCounted)) return null;
  return await sql<DayTotal[]>`
    select r.state, count(*)::int as debits, sum(d.amount)::bigint as amount
    from debit_runs d ${joinRequests(sql, 'd', 'request_id')}
    where d.account_id = ${accountId} and d.run_on = ${day}::date group by r.state`;
}

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

/** Days with at most so many runs are searched by words. */
const mostCompared = 2_000;

export const isShortDay = async (
  sql: Queryable,
  of: { accountId: string; day: Temporal.PlainDate },
): Promise<boolean> => !(await hasMore(sql, of, mostCompared));

/** True if a request `r` has a run on a day: for searches by words. */
export const debitedOn = (
  sql: Queryable,
  { accountId, day }: { accountId: string; day: Temporal.PlainDate },
): NamedRequests => ({
  ids: ({ before, most }) => sql`
    select distinct request_id from debit_runs
    where account_id = ${accountId} and run_on = ${day}::date and request_id < ${before ?? Number.MAX_SAFE_INTEGER}
    order by request_id desc limit ${most}`,
  has: sql`exists (
    select from debit_runs d
    where d.account_id = r.account_id and d.request_id = r.id and d.run_on = ${day}::date)`,
});

const matches = (sql: Queryable, text: string): ReturnType<Queryable> => sql`
  words_of('', r.id || ' ' || r.payer || ' ' || r.description || ' ' || coalesce(r.reference, ''))
    @@ ${searchWordsOf(text)
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

/** A run, for its debit's page. */
export interface RunShown
  extends Pick<DebitRun, 'no' | 'submit_on' | 'run_on' | 'amount' | 'state'> {
  request_id: number;
  /** The bank's interim code, or that of a first run with a second one. */
  code: string | null;
  attempt_id: number | null;
  /** The file with the run; null if none. */
  file_id: number | null;
}

/** The runs of some debits, the first before the second. */
export const readRunsOf = (
  sql: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<RunShown[]> => sql<RunShown[]>`
  select request_id, no, submit_on, run_on, amount, state, code, attempt_id, file_id
  from debit_runs
  where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
  order by request_id, no`;

/** Finds the recorded end of a run among the results of its debit; null if there is none yet. */
export const endOfRun = (
  { request_id: requestId, no, attempt_id: attemptId }: RunShown,
  results: readonly ResultRow[],
): ResultRow | null =>
  results.find(
    ({ source, source_ref: ref }) =>
      (source === runSource && ref === sourceRefOf(requestId, no)) ||
      (source === 'attempt' && attemptId !== null && ref === String(attemptId)),
  ) ?? null;
