import { listMoneyAlarms } from '../money/alarms/index.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { hasStamp, type SealKeys } from '../seals/index.ts';
import { stamped } from './evidences.ts';

const mostAlarms = 1_000;

/**
 * Returns the ids of open alarms about forged facts that now have a stamp of one of these keys. The
 * process that raised them lacked the key, unless someone set a changed row back. Looks at the
 * 1,000 oldest open alarms.
 */
export async function stampedAlarms(sql: Queryable, keys: SealKeys): Promise<number[]> {
  const open = await listMoneyAlarms(sql, { all: false, after: 0, limit: mostAlarms });
  const ids: number[] = [];
  for (const { id, fact } of open.filter(({ kind }) => kind.startsWith('forged_'))) {
    const [, kind, accountId = '', factId = ''] = /^(.+) (\w{8})-(\d+)$/.exec(fact) ?? [];
    const table = stamped.find((one) => one.kind === kind);
    if (!table) continue;
    const named = sql`select ${accountId}::text, ${Number(factId)}::bigint`;
    if (await hasStamp(sql, keys, table, named)) ids.push(id);
  }
  return ids;
}
