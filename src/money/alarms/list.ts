import type { ListPage } from '../../platform/list-page.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { MoneyAlarmKind, MoneyAlarmRow } from './alarm.ts';

const columns = (sql: Queryable) => sql`
  id, kind, fact, message, connector, account_id, request_id, attempt_id, result_id, suspense_id,
  amount, raised_at, closed_at, closed_by, note`;

/** Lists open alarms, or all of them, oldest first. */
export const listMoneyAlarms = (
  sql: Queryable,
  { all, after, limit }: ListPage & { all: boolean },
): Promise<MoneyAlarmRow[]> => sql<MoneyAlarmRow[]>`
  select ${columns(sql)} from money_alarms
  where id > ${after} ${all ? sql`` : sql`and closed_at is null`} order by id limit ${limit}`;

export async function readMoneyAlarm(sql: Queryable, id: number): Promise<MoneyAlarmRow | null> {
  const [row = null] = await sql<MoneyAlarmRow[]>`
    select ${columns(sql)} from money_alarms where id = ${id}`;
  return row;
}

export const countMoneyAlarms = (
  sql: Queryable,
): Promise<{ kind: MoneyAlarmKind; count: number }[]> =>
  sql<{ kind: MoneyAlarmKind; count: number }[]>`
    select kind, count(*)::int as count from money_alarms where closed_at is null
    group by kind order by kind`;
