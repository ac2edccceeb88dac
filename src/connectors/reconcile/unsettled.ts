import { midnightOf } from '../../kernel/dates.ts';
import { centavos, decimalText } from '../../kernel/money.ts';
import { type ListedCharge, listedBetween } from '../../money/charges/index.ts';
import { chargeKey, overdueOf, owedOf, settledSums } from '../../money/settlements/index.ts';
import { attemptText } from '../order.ts';
import { differ, type Parts } from './differences.ts';
import type { DayReport } from './report.ts';
import { firstSettled } from './store.ts';

/** Days back to check for overdue charges and payouts, in case a run was missed. */
export const lookBackDays = 31;

/**
 * Sums what the acquirer still owes for the charges of some weeks. Overdue ones become findings and
 * raise alarms.
 */
export async function compareUnsettled(
  parts: Parts,
  withinDays: number,
  report: DayReport,
): Promise<void> {
  const { sql, name } = parts;
  const owed = { charges: 0, amount: 0 };
  const first = (await firstSettled(sql, name)) ?? report.day;
  const early = report.day.subtract({ days: withinDays + lookBackDays });
  const overdue = midnightOf(report.day.subtract({ days: withinDays - 1 }));
  const from = midnightOf(Temporal.PlainDate.compare(first, early) > 0 ? first : early);
  const until = midnightOf(report.day.add({ days: 1 }));
  let after: ListedCharge | null = null;
  do {
    const page: ListedCharge[] = await listedBetween(sql, name, { from, until, after });
    const keys = page.map((one) => ({ accountId: one.account_id, attemptId: one.id }));
    const sums = await settledSums(sql, name, keys);
    for (const charge of page) {
      if (!charge.collected) continue;
      const key = { accountId: charge.account_id, attemptId: charge.id };
      const settled = sums.get(chargeKey(key)) ?? { sale: 0, back: 0, returned: 0 };
      const owes = owedOf(charge.collected, settled);
      owed.amount += owes;
      if (owes !== 0) owed.charges += 1;
      const left = overdueOf(charge.collected, settled);
      const isOverdue = Temporal.Instant.compare(charge.started_at, overdue) < 0;
      if (left <= 0 || !isOverdue) continue;
      const what = `charge ${attemptText(key)} of request ${charge.request_id}: ${decimalText(centavos(left))} pesos were not paid out within ${withinDays} days`;
      await differ(parts, report, {
        code: 'unsettled',
        fact: `unsettled ${attemptText(key)}`,
        what,
        amount: left,
        charge,
      });
    }
    after = page.at(-1) ?? null;
  } while (after !== null);
  report.unsettled = owed;
}
