import { formatDay } from '../kernel/dates.ts';
import type { Queryable } from '../platform/postgres/connect.ts';

/** Returns up to 100 unresolved differences of an account, for the audit. */
export async function checkReconciled(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ connector: string; day: Temporal.PlainDate; what: string }[]>`
    select connector, day, what from reconciliation_findings where account_id = ${accountId}
    order by day, connector, no limit 100`;
  return rows.map(({ connector, day, what }) => `${formatDay(day)} with ${connector}: ${what}`);
}
