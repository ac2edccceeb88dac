import type { Centavos } from '../../kernel/money.ts';
import { isInside, searchWordsOf } from '../../kernel/search-words.ts';
import type { ResultRow } from '../../money/collections/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { joinRequests, type NamedRequests, requestColumns } from '../../requests/index.ts';
import type { DebitRow, DebitRun } from '../debit.ts';
import { runSource, sourceRefOf } from './runs.ts';

/** A day with runs of an account. */
export interface RunDay {
  day: Temporal.PlainDate;
  runs: number;
  amount: Centavos;
  /** Counts of runs: unsubmitted, in process, decided. */
  waiting: number;
  submitted: number;
  done: number;
  /** True above `mostCounted` runs, in which case the counts cover only some of them. */
  more: boolean;
}

/** Maximum number of a day's runs to count and total. */
export const mostCounted = 10_000;

/** Selects a day's runs, at most one above the maximum. */
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
 * Reads the latest days with runs, each found by the index. Stops at a number of counted runs or at
 * the limit. The next page continues there.
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

export interface DayTotal {
  state: DebitRow['state'];
  debits: number;
  amount: Centavos;
}

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

/** Reads a day's totals, or null if the day has too many runs to count. */
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

export interface DayQuery {
  accountId: string;
  day: Temporal.PlainDate;
  kinds: readonly DebitRow['kind'][];
  state: DebitRow['state'] | null;
  /** Parts of words of payer, reference and description, or an entire id. */
  text: string;
  before: number | null;
  limit: number;
}

/** Days with more runs are not searched by words. */
const mostCompared = 2_000;

export const isShortDay = async (
  sql: Queryable,
  of: { accountId: string; day: Temporal.PlainDate },
): Promise<boolean> => !(await hasMore(sql, of, mostCompared));

/**
 * Builds queries about debits with a run on a day: a page of ids, newest first, and a test of a
 * request `r`.
 */
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

/** Tests each part against the texts: inside of words, or at their beginning if it is short. */
const matches = (sql: Queryable, text: string): ReturnType<Queryable> => {
  const texts = sql`r.payer || ' ' || r.description || ' ' || coalesce(r.reference, '')`;
  const begins = (part: string) => sql`
    words_of('', r.id || ' ' || ${texts}) @@ ${`'${part}':*`}::tsquery`;
  const tests = searchWordsOf(text).map((part) =>
    isInside(part)
      ? sql`(position(${part} in folded(${texts})) > 0 or ${begins(part)})`
      : begins(part),
  );
  return tests.reduce((all, test) => sql`${all} and ${test}`, sql`true`);
};

export const debitsOfDay = (
  sql: Queryable,
  { accountId, day, kinds, state, text, before, limit }: DayQuery,
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
export interface RunView
  extends Pick<DebitRun, 'no' | 'submit_on' | 'run_on' | 'amount' | 'state'> {
  request_id: number;
  /** The bank's interim code, or the refusal code of a first run that a second one follows. */
  code: string | null;
  attempt_id: number | null;
  file_id: number | null;
}

/** Reads the runs of debits, first before second. */
export const readRunsOf = (
  sql: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<RunView[]> => sql<RunView[]>`
  select request_id, no, submit_on, run_on, amount, state, code, attempt_id, file_id
  from debit_runs
  where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
  order by request_id, no`;

/** Returns the result that ended a run, or null if it has not ended. */
export const endOfRun = (
  { request_id: requestId, no, attempt_id: attemptId }: RunView,
  results: readonly ResultRow[],
): ResultRow | null =>
  results.find(
    ({ source, source_ref: ref }) =>
      (source === runSource && ref === sourceRefOf(requestId, no)) ||
      (source === 'attempt' && attemptId !== null && ref === String(attemptId)),
  ) ?? null;
