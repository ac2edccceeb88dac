import { midnightOf } from '../../kernel/dates.ts';
import { payoutsToCompare } from '../../money/settlements/index.ts';
import type { Acting } from '../../platform/base.ts';
import type { Connector } from '../connector.ts';
import type { NoticeParts } from '../facts.ts';
import { type Parts, tellOthers } from './differences.ts';
import { type DayReport, listless } from './report.ts';
import { comparePayout } from './settled-payouts.ts';
import { claim, keepPage } from './settlement-lines.ts';
import { compareUnsettled, lookBackDays } from './unsettled.ts';

/**
 * Stores the lines of an acquirer's payouts of a day, compares them with the recorded payments, and
 * finds charges that are overdue for payout.
 */
export async function compareSettlements(
  notices: NoticeParts,
  acting: Acting,
  connector: Connector,
  report: DayReport,
): Promise<void> {
  const { settlements } = connector.manifest() ?? {};
  if (!settlements) return;
  const name = connector.settings.name;
  const parts: Parts = { ...notices, acting, name, found: new Map() };
  const { day } = report;
  const span = { from: midnightOf(day), until: midnightOf(day.add({ days: 1 })) };
  const names = new Set<string>();
  const { noList } = listless(report);
  for await (const page of connector.lists.settlements(span, noList)) {
    for (const payout of await keepPage(parts, page, report)) names.add(payout);
  }
  const since = day.subtract({ days: lookBackDays });
  for (const payout of await claim(parts, since)) names.add(payout);
  const payouts = await payoutsToCompare(parts.sql, name, { names: [...names], since });
  for (const payout of payouts) {
    await comparePayout(parts, payout, report);
  }
  await compareUnsettled(parts, settlements.within_days, report);
  await tellOthers(parts, report);
}
