import { maskCardNumbers } from '../../kernel/card-text.ts';
import type { PaymentFact, RecordFacts } from '../../money/collections/index.ts';
import type { Suspend, SuspenseReason, UnmatchedMoney } from '../../money/suspense/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { findRequests, type RequestRow } from '../../requests/index.ts';
import type { Placed } from '../files/content.ts';
import type { InboundRail, RailPayment } from '../files/format.ts';
import { keepLines, type RailFile, type RailLine } from '../files/store.ts';
import { type Match, match, requestIdIn } from './match.ts';

export interface Books {
  record: RecordFacts;
  suspend: Suspend;
}

/** A line's outcome and the request that it pays, if any. */
export interface DecidedLine extends RailLine {
  request: RequestRow | null;
}

const decided = (fileId: number, payment: Placed<RailPayment>, found: Match): DecidedLine => ({
  file_id: fileId,
  line: payment.line,
  outcome: found.request ? 'collected' : 'suspense',
  remarks: found.remarks,
  account_id: found.request?.account_id ?? null,
  request_id: found.request?.id ?? null,
  // An unknown code may be a card number that a payer typed.
  code: found.request ? payment.code.text : maskCardNumbers(payment.code.text),
  amount: payment.amount,
  paid_at: payment.paidAt,
  reject_code: null,
  note: null,
  request: found.request,
});

/** Matches payments with requests by code. Writes nothing. */
export async function readPayments(
  sql: Queryable,
  fileId: number,
  payments: Placed<RailPayment>[],
  beingPaid: ReadonlySet<number>,
): Promise<{ lines: DecidedLine[]; requests: ReadonlyMap<number, RequestRow> }> {
  const ids = payments.map(({ code }) => requestIdIn(code)).filter((id) => id !== null);
  const rows = await findRequests(sql, [...new Set(ids)]);
  const requests = new Map(rows.map((row) => [row.id, row]));
  const paidBefore = new Set(beingPaid);
  const lines = payments.map((payment) => {
    const found = match(payment, requests, paidBefore);
    if (found.request) paidBefore.add(found.request.id);
    return decided(fileId, payment, found);
  });
  return { lines, requests };
}

/**
 * Decides the outcome of payments and stores it. `beingPaid` are requests whose payments are still
 * being written. After a crash the stored decisions hold, because payments booked since then may
 * have changed the requests.
 */
export async function decideLines(
  sql: Queryable,
  file: RailFile,
  payments: Placed<RailPayment>[],
  beingPaid: ReadonlySet<number>,
): Promise<DecidedLine[]> {
  const { lines, requests } = await readPayments(sql, file.id, payments, beingPaid);
  const before = new Map((await keepLines(sql, lines)).map((line) => [line.line, line]));
  return lines.map((line) => {
    const stored = before.get(line.line);
    if (!stored) return line;
    const request = requests.get(stored.request_id ?? 0) ?? null;
    if (stored.outcome === 'collected' && !request) throw new Error('a matched request is gone');
    return { ...stored, request };
  });
}

const sourceOf = ({ name }: InboundRail, { file_id, line }: RailLine) => ({
  source: `rail ${name}`,
  sourceRef: `${file_id}:${line}`,
});

const factOf = (rail: InboundRail, line: DecidedLine, request: RequestRow): PaymentFact => ({
  request,
  type: 'collected',
  channel: rail.channel,
  label: rail.label,
  amount: line.amount,
  paidAt: line.paid_at,
  ...sourceOf(rail, line),
  actor: { kind: 'rail', name: rail.name },
  attemptId: null,
  details: {},
});

const unmatchedOf = (rail: InboundRail, line: DecidedLine): UnmatchedMoney => ({
  reason: line.remarks[0] as SuspenseReason,
  channel: rail.channel,
  label: rail.label,
  code: line.code,
  amount: line.amount,
  paidAt: line.paid_at,
  ...sourceOf(rail, line),
});

/** Records matched payments and puts the rest into suspense. Idempotent. */
export async function bookLines(
  { record, suspend }: Books,
  rail: InboundRail,
  lines: DecidedLine[],
): Promise<void> {
  const facts: PaymentFact[] = [];
  const unmatched: UnmatchedMoney[] = [];
  for (const line of lines) {
    if (line.request) facts.push(factOf(rail, line, line.request));
    else unmatched.push(unmatchedOf(rail, line));
  }
  if (facts.length > 0) await record(facts);
  if (unmatched.length > 0) await suspend(unmatched);
}
