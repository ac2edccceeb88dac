import { decimalText } from '../../kernel/money.ts';
import {
  addLine,
  emptyComparison,
  faultText,
  type Judged,
  judgedPages,
  judgeLines,
  keepComparison,
  type PayoutRow,
} from '../../money/settlements/index.ts';
import { Refusal } from '../../platform/errors.ts';
import { heedNotice } from '../notices.ts';
import { attemptText } from '../order.ts';
import { differ, type Parts } from './differences.ts';
import { type DayReport, note } from './report.ts';

/**
 * Inquires about a settled but unrecorded charge, and compares again. Returns null if the answer is
 * unavailable now.
 */
async function mended(parts: Parts, judged: Judged): Promise<Judged | null> {
  const { line, judgement } = judged;
  const isUnrecorded = 'fault' in judgement && judgement.fault.code === 'unrecorded';
  if (!isUnrecorded || line.kind !== 'sale') return judged;
  const { account_id: accountId, attempt_id: attemptId } = line;
  if (accountId === null || attemptId === null) return judged;
  try {
    const attempt = attemptText({ accountId, attemptId });
    await heedNotice(parts, parts.name, { type: 'charge.changed', attempt });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // There was an answer, so the finding stays.
    return error.kind === 'unavailable' ? null : judged;
  }
  const [after = judged] = await judgeLines(parts.sql, parts.name, [line]);
  return after;
}

/** Compares a line of a payout. Returns null if its charge's outcome is unavailable now. */
async function compareLine(
  parts: Parts,
  payout: PayoutRow,
  one: Judged,
  report: DayReport,
): Promise<Judged | null> {
  const judged = await mended(parts, one);
  const { line, charge, judgement } = judged ?? one;
  const of = line.attempt ?? line.trx;
  const place = `payout ${payout.name}, line ${line.name}`;
  const whole = of === null ? place : `${place} of ${of}`;
  if (judged === null) {
    const what = `${whole}: the outcome of the charge is unknown. The next comparison queries it again`;
    note(report.findings, line.account_id, what);
    return null;
  }
  if (one !== judged && judgement.is === 'matched') {
    note(report.recorded, line.account_id, `${place}: the payment was not recorded`);
  }
  if ('fault' in judgement) {
    const { code } = judgement.fault;
    const what = `${whole}: it ${faultText(judgement.fault)}`;
    const fact = `line ${line.name} ${code}`;
    await differ(parts, report, { code, fact, what, amount: line.gross, charge });
  }
  return judged;
}

/** Compares a payout's sums with its lines, and each line with the books. */
export async function comparePayout(
  parts: Parts,
  payout: PayoutRow,
  report: DayReport,
): Promise<void> {
  let sums = emptyComparison();
  let isCompared = true;
  for await (const page of judgedPages(parts.sql, payout)) {
    for (const one of page) {
      const judged = await compareLine(parts, payout, one, report);
      if (judged === null) isCompared = false;
      sums = addLine(sums, judged ?? one);
    }
  }
  if (sums.listed !== payout.net) {
    const what = `payout ${payout.name} is ${decimalText(payout.net)} pesos, but its lines sum to ${decimalText(sums.listed)}`;
    const fact = `payout ${payout.name}`;
    await differ(parts, report, { code: 'payout', fact, what, amount: payout.net });
  }
  if (isCompared) await keepComparison(parts.acting, payout.id, sums);
}
