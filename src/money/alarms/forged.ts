import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { raiseMoneyAlarm } from './raise.ts';

const kind = 'forged_journal';

/** Raises an alarm for each journal that no process of the service wrote. */
export async function raiseForged(
  base: Pick<Base, 'sql' | 'clocks' | 'recordIds' | 'log'>,
  journals: readonly { accountId: string; id: number }[],
): Promise<void> {
  for (const { accountId, id } of journals) {
    await raiseMoneyAlarm(base, {
      kind,
      fact: `journal ${accountId}-${id}`,
      message: `journal ${id} of account ${accountId} was not written by this service`,
      accountId,
    });
  }
}

/** True if an alarm about a forged journal of an account is open. */
export async function hasForged(sql: Queryable, accountId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from money_alarms
    where kind = ${kind} and account_id = ${accountId} and closed_at is null limit 1`;
  return rows.length > 0;
}
