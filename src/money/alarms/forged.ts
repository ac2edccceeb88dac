import type { Forged } from '../../seals/index.ts';
import type { MoneyAlarmKind } from './alarm.ts';
import { type RaisingParts, raiseMoneyAlarm } from './raise.ts';

const ofBooks: readonly string[] = ['journal', 'delta'];
const kindOf = (kind: string): MoneyAlarmKind =>
  ofBooks.includes(kind) ? 'forged_journal' : 'forged_fact';

export async function raiseForged(base: RaisingParts, facts: readonly Forged[]): Promise<void> {
  for (const { accountId, kind, id } of facts) {
    await raiseMoneyAlarm(base, {
      kind: kindOf(kind),
      fact: `${kind} ${accountId}-${id}`,
      message: `${kind} ${id} of account ${accountId} was not written by this service`,
      accountId,
    });
  }
}
