import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Forged } from '../../seals/index.ts';
import type { MoneyAlarmKind } from './alarm.ts';
import { raiseMoneyAlarm } from './raise.ts';

const ofBooks: readonly string[] = ['journal', 'delta'];
const kindOf = (kind: string): MoneyAlarmKind =>
  ofBooks.includes(kind) ? 'forged_journal' : 'forged_fact';

/** Raises an alarm for each fact that no process of the service wrote. */
export async function raiseForged(
  base: Pick<Base, 'sql' | 'clocks' | 'recordIds' | 'log'>,
  facts: readonly Forged[],
): Promise<void> {
  for (const { accountId, kind, id } of facts) {
    await raiseMoneyAlarm(base, {
      kind: kindOf(kind),
      fact: `${kind} ${accountId}-${id}`,
      message: `${kind} ${id} of account ${accountId} was not written by this service`,
      accountId,
    });
  }
}

/** Returns true if an alarm about a forged fact of an account is open. */
export async function hasForged(sql: Queryable, accountId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from money_alarms
    where kind in ('forged_journal', 'forged_fact') and account_id = ${accountId}
      and closed_at is null limit 1`;
  return rows.length > 0;
}
