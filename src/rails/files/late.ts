import { compareDays } from '../../kernel/dates.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { lastFiles } from './store.ts';

/** After so many days without a file the operator must ask for it. */
const daysWithoutFile = 4;

export type LateFile = Awaited<ReturnType<typeof lastFiles>>[number];

/** Networks and banks that brought files before and have not for some days. */
export async function lateFiles(sql: Queryable, today: Temporal.PlainDate): Promise<LateFile[]> {
  const before = today.subtract({ days: daysWithoutFile });
  const all = await lastFiles(sql);
  return all.filter(({ file_date }) => compareDays(file_date, before) < 0);
}
