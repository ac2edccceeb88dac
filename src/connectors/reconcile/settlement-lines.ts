import { parseIsoDay } from '../../kernel/dates.ts';
import { centavos } from '../../kernel/money.ts';
import {
  changedSince,
  keepSettlements,
  type ListedLine,
  unclaimedLines,
} from '../../money/settlements/index.ts';
import { Refusal } from '../../platform/errors.ts';
import type { ListedSettlements } from '../lists.ts';
import { attemptIn } from '../order.ts';
import { differ, type Parts } from './differences.ts';
import { type DayReport, note } from './report.ts';

type Theirs = ListedSettlements[number];

/** Returns the charge of a line, or null if unknown. */
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
    // The record of this payment is forged, which raised an alarm, so continue with the other
    // lines.
    if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
    onForged(error.message);
    return null;
  }
}

/** Returns a line with its charge, or null if its payout has no day, which is a finding. */
async function lineOf(parts: Parts, theirs: Theirs, report: DayReport): Promise<ListedLine | null> {
  const { id, payout, kind, attempt = null, trx = null, is_part: isPart = false } = theirs;
  const paidOn = parseIsoDay(payout.paid_on);
  if (!paidOn) {
    const what = `settlement line ${id} belongs to payout ${payout.id}, whose day does not exist: ${payout.paid_on}`;
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

/**
 * Stores a page of lines, and reports those that changed. Returns the names of the payouts to
 * compare.
 */
export async function keepPage(parts: Parts, page: ListedSettlements, report: DayReport) {
  const { sql, acting, name } = parts;
  const lines: ListedLine[] = [];
  for (const theirs of page) {
    const line = await lineOf(parts, theirs, report);
    if (line) lines.push(line);
  }
  const touched = await keepSettlements(acting, name, lines);
  const changed = await changedSince(sql, name, lines);
  for (const line of changed.lines) {
    const what = `settlement line ${line} changed since it was listed before`;
    await differ(parts, report, { code: 'line changed', fact: `line ${line} changed`, what });
  }
  for (const payout of changed.payouts) {
    const what = `payout ${payout} has another day or amount than before`;
    const fact = `payout ${payout} changed`;
    await differ(parts, report, { code: 'payout changed', fact, what });
  }
  report.settlements += lines.length;
  return [...touched, ...lines.map(({ payout }) => payout.name)];
}

/** Searches again for charges that were unknown when they were settled. Returns their payouts. */
export async function claim(parts: Parts, since: Temporal.PlainDate) {
  const claimed: ListedLine[] = [];
  for (const line of await unclaimedLines(parts.sql, parts.name, since)) {
    // Forged records were reported when the lines were listed.
    const key = await keyOf(parts, line, () => undefined);
    if (!key) continue;
    claimed.push({ ...line, account_id: key.accountId, attempt_id: key.attemptId });
  }
  return await keepSettlements(parts.acting, parts.name, claimed);
}
