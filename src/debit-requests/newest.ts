import { type ResultRow, withResults } from '../money/collections/index.ts';
import type { Base } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { findRequestsByWords, noFilters, requestsOfMandate } from '../requests/index.ts';
import type { DebitKind, DebitRow } from './debit.ts';
import { debitedOn, debitsOfDay, isShortDay, type RunView, readRunsOf } from './runs/days.ts';

export interface DebitQuery {
  accountId: string;
  kinds: readonly DebitKind[];
  /** Parts of words of payer, reference and description, or an entire id. '' matches all. */
  text: string;
  state: DebitRow['state'] | null;
  /** The day of a run. */
  day: Temporal.PlainDate | null;
  /** Only ids below this. Null starts at the newest. */
  before: number | null;
  limit: number;
}

export interface DebitView {
  row: DebitRow;
  results: ResultRow[];
  runs: RunView[];
}

async function findRows(
  { sql, clocks }: Pick<Base, 'sql' | 'clocks'>,
  { kinds, day, text, state, ...sought }: DebitQuery,
): Promise<DebitRow[]> {
  const { accountId } = sought;
  if (day !== null && (text.trim() === '' || (await isShortDay(sql, { accountId, day })))) {
    return await debitsOfDay(sql, { ...sought, kinds, state, text, day });
  }
  const named = day && { named: debitedOn(sql, { accountId, day }) };
  const filters = { ...noFilters, state };
  const today = clocks.business.today();
  const found = await Promise.all(
    kinds.map((kind) =>
      findRequestsByWords<DebitRow>(sql, { ...sought, ...named, kind, text, filters, today }),
    ),
  );
  // Both kinds draw ids from one sequence, so ids order them.
  return found
    .flat()
    .toSorted((a, b) => b.id - a.id)
    .slice(0, sought.limit);
}

export async function withRuns(sql: Queryable, rows: DebitRow[]): Promise<DebitView[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const [found, runs] = await Promise.all([
    withResults(sql, rows),
    readRunsOf(
      sql,
      first.account_id,
      rows.map(({ id }) => id),
    ),
  ]);
  return found.map(({ row, results }) => ({
    row,
    results,
    runs: runs.filter((run) => run.request_id === row.id),
  }));
}

/** Finds an account's debits by words and filters, or those of a day, newest first. */
export const findDebitsByWords = async (
  base: Pick<Base, 'sql' | 'clocks'>,
  sought: DebitQuery,
): Promise<DebitView[]> => await withRuns(base.sql, await findRows(base, sought));

export const debitsOnMandate = async (
  sql: Queryable,
  mandate: { accountId: string; kind: DebitKind; id: number },
  limit: number,
): Promise<DebitView[]> =>
  await withRuns(sql, await requestsOfMandate<DebitRow>(sql, mandate, limit));
