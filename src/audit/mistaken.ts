import { listMoneyAlarms } from '../money/alarms/index.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { forgedFacts, type SealKeys } from '../seals/index.ts';
import { stamped } from './evidences.ts';

const mostAlarms = 1_000;

/**
 * Returns open alarms about allegedly forged facts that one of these keys stamped, because the
 * sealing process lacked the key.
 */
export async function mistakenAlarms(sql: Queryable, keys: SealKeys): Promise<number[]> {
  const open = await listMoneyAlarms(sql, { all: false, after: 0, limit: mostAlarms });
  const mistaken: number[] = [];
  for (const { id, fact } of open.filter(({ kind }) => kind.startsWith('forged_'))) {
    const [, kind, accountId = '', factId = ''] = /^(.+) (\w{8})-(\d+)$/.exec(fact) ?? [];
    const table = stamped.find((one) => one.kind === kind);
    if (!table) continue;
    const named = sql`select ${accountId}::text, ${Number(factId)}::bigint`;
    if ((await forgedFacts(sql, keys, table, named)).length === 0) mistaken.push(id);
  }
  return mistaken;
}
