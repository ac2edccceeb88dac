import { midnightOf } from '../../kernel/dates.ts';
import type { Acting } from '../../platform/base.ts';
import { refusal } from '../codes.ts';
import type { Connector } from '../connector.ts';
import type { NoticeParts } from '../facts.ts';
import { attemptText } from '../order.ts';
import { createChargeComparison } from './charges.ts';
import { type DayReport, listless, newReport } from './report.ts';
import { compareSettlements } from './settlements.ts';
import { keepReconciled } from './store.ts';
import { createTransferComparison } from './transfers.ts';

export type { DayReport as Reconciled, Finding } from './report.ts';

/** A charge at midnight may be on different days here and at its acquirer. */
const margin = { hours: 1 };

async function compareCharges(
  parts: NoticeParts,
  connector: Connector,
  report: DayReport,
): Promise<void> {
  const { day } = report;
  const span = { from: midnightOf(day), until: midnightOf(day.add({ days: 1 })) };
  const wide = { from: span.from.subtract(margin), until: span.until.add(margin) };
  const { compareOne, compareMissing } = createChargeComparison(parts, connector);
  const seen = new Set<string>();
  const { accounts, noList } = listless(report);
  for await (const page of connector.lists.charges(wide, noList)) {
    for (const theirs of page) {
      const key = await compareOne(theirs, report);
      if (key) seen.add(attemptText(key));
    }
  }
  const settles = Math.max(
    ...(connector.manifest()?.channels ?? []).map((one) => one.settles_within_s),
  );
  const young = parts.business.now().subtract({ seconds: settles });
  await compareMissing({ seen, unlisted: accounts }, { ...span, young }, report);
}

async function compareTransfers(
  parts: NoticeParts,
  connector: Connector,
  report: DayReport,
): Promise<void> {
  if (!connector.manifest()?.notices.includes('transfer.received')) return;
  const { day } = report;
  const span = { from: midnightOf(day), until: midnightOf(day.add({ days: 1 })) };
  const wide = { from: span.from.subtract(margin), until: span.until.add(margin) };
  const { compareOne, compareMissing, refOf } = createTransferComparison(
    parts,
    connector.settings.name,
  );
  const seen = new Set<string>();
  const { accounts, noList } = listless(report);
  for await (const page of connector.lists.transfers(wide, noList)) {
    for (const theirs of page) {
      await compareOne(theirs, report);
      seen.add(refOf(theirs.id));
    }
  }
  await compareMissing({ seen, unlisted: accounts }, span, report);
}

/**
 * Compares a day's charges, transfers and payouts with a connector's lists. Inquires about charges
 * that we lack, and records them. Other differences, and accounts whose list is unavailable, become
 * findings, which the audit reports until the day is compared again. Throws 503 without storing the
 * comparison if the manifest or a list of the connector itself is unavailable.
 */
export async function reconcile(
  parts: NoticeParts,
  acting: Acting,
  connector: Connector,
  day: Temporal.PlainDate,
): Promise<DayReport> {
  const news = await connector.refresh();
  const { name } = connector.settings;
  if (!news.isValid) throw refusal('connector.no_answer', { connector: name, why: news.fault });
  const report = newReport(name, day);
  await compareCharges(parts, connector, report);
  await compareTransfers(parts, connector, report);
  await compareSettlements(parts, acting, connector, report);
  await keepReconciled(acting, report);
  return report;
}
