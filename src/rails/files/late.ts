import { compareDays } from '../../kernel/dates.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { lastFiles } from './store.ts';

/** Days without a file after which the operator should ask the sender. */
const daysWithoutFile = 4;

export type LateFile = Awaited<ReturnType<typeof lastFiles>>[number];

/** Returns networks and banks whose files are overdue. */
export async function lateFiles(sql: Queryable, today: Temporal.PlainDate): Promise<LateFile[]> {
  const before = today.subtract({ days: daysWithoutFile });
  const all = await lastFiles(sql);
  return all.filter(({ file_date }) => compareDays(file_date, before) < 0);
}
