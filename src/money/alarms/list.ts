import type { ListPage } from '../../platform/list-page.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { MoneyAlarmKind, MoneyAlarmRow } from './alarm.ts';
import { falselyClosed } from './closing.ts';

const isOpen = (sql: Queryable, reopened: readonly number[]) => sql`
  (closed_at is null or id = any(${[...reopened]}::bigint[]))`;

function columns(sql: Queryable, reopened: readonly number[]) {
  const ifClosed = (column: string) => sql`
    case when ${isOpen(sql, reopened)} then null else ${sql(column)} end as ${sql(column)}`;
  return sql`
    id, kind, fact, message, connector, account_id, request_id, attempt_id, result_id, suspense_id,
    amount, raised_at, ${ifClosed('closed_at')}, ${ifClosed('closed_by')}, ${ifClosed('note')}`;
}

/**
 * Returns a page of the open alarms, or of all, oldest first. An alarm about a forged row that this
 * service did not close counts as open.
 */
export async function listMoneyAlarms(
  sql: Queryable,
  { all, after, limit }: ListPage & { all: boolean },
): Promise<MoneyAlarmRow[]> {
  const ids = await falselyClosed(sql);
  return await sql<MoneyAlarmRow[]>`
    select ${columns(sql, ids)} from money_alarms
    where id > ${after} ${all ? sql`` : sql`and ${isOpen(sql, ids)}`} order by id limit ${limit}`;
}

export async function readMoneyAlarm(sql: Queryable, id: number): Promise<MoneyAlarmRow | null> {
  const [row = null] = await sql<MoneyAlarmRow[]>`
    select ${columns(sql, await falselyClosed(sql, id))} from money_alarms where id = ${id}`;
  return row;
}

export const countMoneyAlarms = async (
  sql: Queryable,
): Promise<{ kind: MoneyAlarmKind; count: number }[]> =>
  await sql<{ kind: MoneyAlarmKind; count: number }[]>`
    select kind, count(*)::int as count from money_alarms
    where ${isOpen(sql, await falselyClosed(sql))}
    group by kind order by kind`;
