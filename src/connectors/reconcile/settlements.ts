import { midnightOf } from '../../kernel/dates.ts';
import { centavos, decimalText } from '../../kernel/money.ts';
import { type ListedCharge, listedBetween } from '../../money/charges/index.ts';
import {
  addLine,
  changedSince,
  chargeKey,
  emptyComparison,
  faultText,
  type Judged,
  judgedPages,
  judgeLines,
  keepComparison,
  keepSettlements,
  type ListedLine,
  overdueOf,
  owedOf,
  type PayoutRow,
  payoutsToCompare,
  settledSums,
  unclaimedLines,
} from '../../money/settlements/index.ts';
import type { Acting } from '../../platform/base.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Connector } from '../connector.ts';
import type { NoticeParts } from '../facts.ts';
import type { ListedSettlements } from '../lists.ts';
import { heedNotice } from '../notices.ts';
import { attemptIn, attemptText } from '../order.ts';
import { differ, type Parts, tellOthers } from './differences.ts';
import { listless, note, type Reconciled } from './report.ts';
import { firstSettled } from './store.ts';

type Theirs = ListedSettlements[number];

/** Overdue charges and payouts of so many days ago are looked at again: a morning may be missed. */
const lookBackDays = 31;

function dayIn(text: string): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch {
    return null;
  }
}

/** Which charge a line is of; null: none that the service knows. */
async function keyOf(
  { attempts, name }: Parts,
  { attempt, trx }: Pick<ListedLine, 'attempt' | 'trx'>,
  onForged: (message: string) => void,
) {
  const named = attempt === null ? null : attemptIn(attempt);
  if (named || trx === null) return named;
  try {
    return await attempts.network.find({ connector: name, trx });
  } catch (error) {
    // What is noted of this payment is forged: that has an alarm, and the other lines go on.
    if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
    onForged(error.message);
    return null;
  }
}

/** Returns null if its payout is of no day: such a line is a finding. */
async function lineOf(
  parts: Parts,
  theirs: Theirs,
  report: Reconciled,
): Promise<ListedLine | null> {
  const { id, payout, kind, attempt = null, trx = null, is_part: isPart = false } = theirs;
  const paidOn = dayIn(payout.paid_on);
  if (!paidOn) {
    const what = `settlement line ${id} is of payout ${payout.id} of no day: ${payout.paid_on}`;
    await differ(parts, report, { code: 'day', fact: `line ${id} day`, what, amount: theirs.net });
    return null;
  }
  const key = await keyOf(parts, { attempt, trx }, (message) =>
    note(report.findings, null, `settlement line ${id}: ${message}`),
  );
  return {
    name: id,
    payout: { name: payout.id, paidOn, net: centavos(payout.net) },
    kind,
    attempt,
    trx,
    account_id: key?.accountId ?? null,
    attempt_id: key?.attemptId ?? null,
    is_part: isPart,
    gross: centavos(theirs.gross),
    fee: centavos(theirs.fee),
    net: centavos(theirs.net),
  };
}

/** Keeps a page of lines. Returns the names of the payouts to compare. */
async function keepPage(parts: Parts, page: ListedSettlements, report: Reconciled) {
  const { sql, acting, name } = parts;
  const lines: ListedLine[] = [];
  for (const theirs of page) {
    const line = await lineOf(parts, theirs, report);
    if (line) lines.push(line);
  }
  const touched = await keepSettlements(acting, name, lines);
  const changed = await changedSince(sql, name, lines);
  for (const line of changed.lines) {
    const what = `settlement line ${line} is listed otherwise than before`;
    await differ(parts, report, { code: 'line changed', fact: `line ${line} changed`, what });
  }
  for (const payout of changed.payouts) {
    const what = `payout ${payout} is listed with another day or amount than before`;
    const fact = `payout ${payout} changed`;
    await differ(parts, report, { code: 'payout changed', fact, what });
  }
  report.settlements += lines.length;
  return [...touched, ...lines.map(({ payout }) => payout.name)];
}

/** Looks again for charges that were not known when they were settled. Returns their payouts. */
async function claim(parts: Parts, since: Temporal.PlainDate) {
  const claimed: ListedLine[] = [];
  for (const line of await unclaimedLines(parts.sql, parts.name, since)) {
    // Forged ones were found when they were listed.
    const key = await keyOf(parts, line, () => undefined);
    if (!key) continue;
    claimed.push({ ...line, account_id: key.accountId, attempt_id: key.attemptId });
  }
  return await keepSettlements(parts.acting, parts.name, claimed);
}

/**
 * Asks what became of a charge that was settled and is not recorded, and compares again. Returns
 * null if that cannot be learned now.
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
    // Otherwise it was answered, and stays a finding.
    return error.kind === 'unavailable' ? null : judged;
  }
  const [after = judged] = await judgeLines(parts.sql, parts.name, [line]);
  return after;
}

/** Compares a line of a payout. Returns null if what became of its charge cannot be learned now. */
async function compareLine(
  parts: Parts,
  payout: PayoutRow,
  one: Judged,
  report: Reconciled,
): Promise<Judged | null> {
  const judged = await mended(parts, one);
  const { line, charge, judgement } = judged ?? one;
  const of = line.attempt ?? line.trx;
  const place = `payout ${payout.name}, line ${line.name}`;
  const whole = of === null ? place : `${place} of ${of}`;
  if (judged === null) {
    const what = `${whole}: what became of the charge is not known now. It is asked for whenever a day is compared`;
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

async function comparePayout(parts: Parts, payout: PayoutRow, report: Reconciled): Promise<void> {
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
    const what = `payout ${payout.name} is of ${decimalText(payout.net)} pesos, and its lines come to ${decimalText(sums.listed)}`;
    const fact = `payout ${payout.name}`;
    await differ(parts, report, { code: 'payout', fact, what, amount: payout.net });
  }
  if (isCompared) await keepComparison(parts.acting, payout.id, sums);
}

/** What the acquirer owes of the charges of some weeks; those past their time raise an alarm. */
async function compareUnsettled(
  parts: Parts,
  withinDays: number,
  report: Reconciled,
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

/**
 * Stores the lines of what a connector's acquirer paid out on a day, compares them with the payments
 * that the books have in their clearing accounts, and finds charges that were never paid out.
 */
export async function compareSettlements(
  notices: NoticeParts,
  acting: Acting,
  connector: Connector,
  report: Reconciled,
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
