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
  owedOf,
  type PayoutRow,
  payoutsNamed,
  settledSums,
} from '../../money/settlements/index.ts';
import type { Acting } from '../../platform/base.ts';
import { Refusal, unavailable } from '../../platform/errors.ts';
import type { Connector } from '../connector.ts';
import type { NoticeParts } from '../facts.ts';
import type { ListedSettlements } from '../lists.ts';
import { heedNotice } from '../notices.ts';
import { attemptIn, attemptText } from '../order.ts';
import { listless, note, type Reconciled } from './report.ts';
import { firstSettled } from './store.ts';

type Theirs = ListedSettlements[number];

/** Charges that became overdue so many days ago are looked at again: a morning may be missed. */
const lookBackDays = 31;

interface Parts extends NoticeParts {
  acting: Acting;
  name: string;
}

function dayIn(text: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch {
    throw unavailable(`The list of settlements has a payout of no day: ${text}.`);
  }
}

async function lineOf({ attempts, name: connector }: Parts, theirs: Theirs): Promise<ListedLine> {
  const { id, payout, kind, attempt = null, trx = null, is_part: isPart = false } = theirs;
  const key =
    (attempt !== null ? attemptIn(attempt) : null) ??
    (trx !== null ? await attempts.network.find({ connector, trx }) : null);
  return {
    name: id,
    payout: {
      name: payout.id,
      paidOn: dayIn(payout.paid_on),
      net: centavos(payout.net),
    },
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

/** Raises an alarm about what an acquirer settled, once for each fact, and reports it. */
async function differ(
  { raise, name: connector }: Parts,
  report: Reconciled,
  found: { fact: string; what: string; amount?: number; charge?: ListedCharge | null },
): Promise<void> {
  const { fact, what, amount, charge } = found;
  await raise({
    kind: 'settlement',
    fact: `${connector} ${fact}`,
    message: `${connector}: ${what}.`,
    connector,
    ...(amount !== undefined && { amount: centavos(amount) }),
    ...(charge && {
      accountId: charge.account_id,
      requestId: charge.request_id,
      attemptId: charge.id,
    }),
  });
  note(report.findings, charge?.account_id ?? null, what);
}

/** Keeps a page of lines. Returns the names of its payouts. */
async function keepPage(parts: Parts, page: ListedSettlements, report: Reconciled) {
  const { sql, acting, name } = parts;
  const lines: ListedLine[] = [];
  for (const theirs of page) lines.push(await lineOf(parts, theirs));
  await keepSettlements(acting, name, lines);
  const changed = await changedSince(sql, name, lines);
  for (const line of changed.lines) {
    const what = `settlement line ${line} is listed otherwise than before`;
    await differ(parts, report, { fact: `line ${line} changed`, what });
  }
  for (const payout of changed.payouts) {
    const what = `payout ${payout} is listed with another day or amount than before`;
    await differ(parts, report, { fact: `payout ${payout} changed`, what });
  }
  report.settlements += lines.length;
  return lines.map(({ payout }) => payout.name);
}

/** Asks what became of a charge that was settled and is not recorded, and compares again. */
async function mended(parts: Parts, judged: Judged): Promise<Judged> {
  const { line, judgement } = judged;
  const isUnrecorded = 'fault' in judgement && judgement.fault.code === 'unrecorded';
  if (!isUnrecorded || line.kind !== 'sale') return judged;
  const { account_id: accountId, attempt_id: attemptId } = line;
  if (accountId === null || attemptId === null) return judged;
  try {
    const attempt = attemptText({ accountId, attemptId });
    await heedNotice(parts, parts.name, { type: 'charge.changed', attempt });
  } catch (error) {
    // It stays a finding.
    if (!(error instanceof Refusal)) throw error;
    return judged;
  }
  const [after = judged] = await judgeLines(parts.sql, parts.name, [line]);
  return after;
}

async function comparePayout(parts: Parts, payout: PayoutRow, report: Reconciled): Promise<void> {
  let sums = emptyComparison();
  for await (const page of judgedPages(parts.sql, payout)) {
    for (const one of page) {
      const judged = await mended(parts, one);
      sums = addLine(sums, judged);
      const { line, charge, judgement } = judged;
      if (one !== judged && judgement.is === 'matched') {
        const what = `payout ${payout.name}, line ${line.name}: the payment was not recorded`;
        note(report.recorded, line.account_id, what);
      }
      if (!('fault' in judgement)) continue;
      const of = line.attempt ?? line.trx;
      const place = `payout ${payout.name}, line ${line.name}${of === null ? '' : ` of ${of}`}`;
      const what = `${place}: it ${faultText(judgement.fault)}`;
      await differ(parts, report, { fact: `line ${line.name}`, what, amount: line.gross, charge });
    }
  }
  if (sums.listed !== payout.net) {
    const what = `payout ${payout.name} is of ${decimalText(payout.net)} pesos, and its lines come to ${decimalText(sums.listed)}`;
    await differ(parts, report, { fact: `payout ${payout.name}`, what, amount: payout.net });
  }
  await keepComparison(parts.acting, payout.id, sums);
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
      const left = owedOf(charge.collected, settled);
      owed.amount += left;
      if (left !== 0) owed.charges += 1;
      const isOverdue = Temporal.Instant.compare(charge.started_at, overdue) < 0;
      if (left <= 0 || !isOverdue) continue;
      const what = `charge ${attemptText(key)} of request ${charge.request_id}: ${decimalText(centavos(left))} pesos were not paid out within ${withinDays} days`;
      await differ(parts, report, {
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
  const parts: Parts = { ...notices, acting, name: connector.settings.name };
  const { day } = report;
  const span = { from: midnightOf(day), until: midnightOf(day.add({ days: 1 })) };
  const names = new Set<string>();
  const { noList } = listless(report);
  for await (const page of connector.lists.settlements(span, noList)) {
    for (const name of await keepPage(parts, page, report)) names.add(name);
  }
  for (const payout of await payoutsNamed(parts.sql, parts.name, [...names])) {
    await comparePayout(parts, payout, report);
  }
  await compareUnsettled(parts, settlements.within_days, report);
}
