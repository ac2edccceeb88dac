import { compareDays } from '../../kernel/dates.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { lastFiles } from './store.ts';

/** The operator must ask for a file after this many days without one. */
const daysWithoutFile = 4;

export type LateFile = Awaited<ReturnType<typeof lastFiles>>[number];

/** Returns the networks and banks that used to send files but have not for some days. */
export async function lateFiles(sql: Queryable, today: Temporal.PlainDate): Promise<LateFile[]> {
  const before = today.subtract({ days: daysWithoutFile });
  const all = await lastFiles(sql);
  return all.filter(({ file_date }) => compareDays(file_date, before) < 0);
}
