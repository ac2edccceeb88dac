import { type Centavos, centavos, minus, negate, sumOf } from '../kernel/money.ts';
import type { MoneyAlarm } from '../money/alarms/index.ts';
import { isMoneyOf, type ResultRow, readWithholdings } from '../money/collections/index.ts';
import { type DisputeRow, readDispute } from '../money/disputes/index.ts';
import { leftOf, returnedBetween } from '../money/reversals/index.ts';
import type { Withholding } from '../money/withholdings/index.ts';
import type { RequestKey } from '../requests/index.ts';
import { takeChargeback } from './chargebacks.ts';
import { refusal } from './codes.ts';
import { actorOf, momentIn, type NoticeOf, type NoticeParts, nobodys, sourceOf } from './facts.ts';
import { attemptIn } from './order.ts';

/** A dispute with its payment's results in the books. */
interface Booked {
  key: RequestKey;
  dispute: DisputeRow;
  /** The payment of the charge. */
  payment: ResultRow;
  /** The payment, and the payments that restored its money after a dispute. */
  payments: ResultRow[];
  /** The dispute's chargebacks, whole or in part. */
  taken: ResultRow[];
  /** Payments that restored money of this dispute. */
  restored: ResultRow[];
  amount: Centavos;
}

const amounts = (rows: ResultRow[], read: (row: ResultRow) => Centavos): Centavos =>
  sumOf(rows.map(read));

const isOf =
  (word: 'dispute' | 'restored', { connector, name }: DisputeRow) =>
  ({ source, source_ref: ref }: ResultRow): boolean =>
    source === sourceOf(connector) && ref.startsWith(`${word} ${name} `);

/**
 * Returns the reference of the next booking, so that the same dispute, revision and previous sum
 * are one fact in every process.
 */
const refOf = (word: 'dispute' | 'restored', { dispute, amount }: Booked): string =>
  `${word} ${dispute.name} ${dispute.revision}-${amount}`;

/** Reads a dispute's payment and its bookings. Returns null if the payment is not recorded. */
async function bookedOf(
  { find }: NoticeParts,
  key: RequestKey,
  dispute: DisputeRow,
): Promise<Booked | null> {
  const results = (await find(key))?.results ?? [];
  const payment = results.find(isMoneyOf(dispute.attempt_id));
  if (!payment) return null;
  const taken = results.filter(isOf('dispute', dispute)).filter(({ type }) => type !== 'collected');
  const restored = results.filter(isOf('restored', dispute));
  const back = results.filter(({ details }) => details.restores === payment.id);
  const amount = minus(
    amounts(taken, (row) => row.amount),
    amounts(restored, (row) => row.amount),
  );
  return { key, dispute, payment, payments: [payment, ...back], taken, restored, amount };
}

/** Returns the last reversible payment, else the charge's own. */
const targetOf = ({ payment, payments }: Booked): ResultRow =>
  payments.findLast((row) => row.charged_back === 0 && leftOf(row) > 0) ?? payment;

/** Returns withholdings by regime and jurisdiction, each with the amount still reversed. */
async function linesOf({ sql }: NoticeParts, { taken, restored }: Booked): Promise<Withholding[]> {
  const lines: Withholding[] = [];
  for (const row of [...taken, ...restored]) lines.push(...(await readWithholdings(sql, row)));
  const sums = Map.groupBy(lines, ({ regime, jurisdiction }) => `${regime}\n${jurisdiction}`);
  return [...sums.values()].flatMap((own) =>
    own[0]
      ? {
          ...own[0],
          base: negate(sumOf(own.map(({ base }) => base))),
          amount: negate(sumOf(own.map(({ amount }) => amount))),
        }
      : [],
  );
}

/**
 * Books, as another payment, the money that the acquirer returned. It bears the fees and
 * withholdings that its chargeback had returned, so that account and tax office are as before the
 * dispute.
 */
async function restore(parts: NoticeParts, booked: Booked, amount: Centavos): Promise<boolean> {
  const { key, dispute, payment, taken, restored } = booked;
  const found = await parts.find(key);
  if (!found) throw new Error(`dispute ${dispute.id} has no request`);
  const span = { before: 0, after: amount, whole: booked.amount };
  const cameBack = (read: (row: ResultRow) => Centavos): Centavos =>
    returnedBetween(negate(amounts([...taken, ...restored], read)), span);
  const lines = await linesOf(parts, booked);
  const recorded = await parts.record({
    request: found.row,
    type: 'collected',
    channel: payment.channel,
    label: payment.channel_label,
    amount,
    paidAt: parts.business.now(),
    source: sourceOf(dispute.connector),
    sourceRef: refOf('restored', booked),
    actor: actorOf(dispute.connector),
    attemptId: null,
    details: { restores: payment.id, state_comment: 'Returned by the acquirer after a dispute.' },
    costs: {
      net: cameBack(({ net_fee }) => net_fee),
      iva: cameBack(({ fee_iva }) => fee_iva),
      withholdings: lines
        .map((line) => ({
          ...line,
          base: returnedBetween(line.base, span),
          amount: returnedBetween(line.amount, span),
        }))
        .filter((line) => line.amount !== 0),
    },
  });
  return recorded.outcome === 'recorded';
}

/**
 * Books until the books match the acquirer's position. Each round reads the dispute again and so
 * sees newer revisions. Raises alarms only once nothing changes any more, because a concurrent copy
 * of the notice may be booking the same. Throws 409 if money was taken from a charge without a
 * recorded payment.
 */
async function settle(
  parts: NoticeParts,
  connector: string,
  { key, name, attempt }: { key: RequestKey; name: string; attempt: string },
): Promise<void> {
  let before: number | null = null;
  let alarms: MoneyAlarm[] = [];
  for (;;) {
    const dispute = await readDispute(parts.sql, { account_id: key.accountId, connector, name });
    if (!dispute) throw new Error(`dispute ${name} is gone`);
    const booked = await bookedOf(parts, key, dispute);
    if (!booked) {
      if (dispute.taken === 0) return;
      throw refusal('notice.charge_not_paid', {});
    }
    const missing = minus(dispute.taken, booked.amount);
    if (missing === 0) return;
    if (missing === before) {
      for (const alarm of alarms) await parts.raise(alarm);
      return;
    }
    before = missing;
    alarms = [];
    if (missing < 0) {
      await restore(parts, booked, negate(missing));
      continue;
    }
    const payment = targetOf(booked);
    // A payment that was collected in parts is reversed in parts.
    const most = booked.payments.length > 1 && missing > payment.amount ? payment.amount : missing;
    const sourceRef = refOf('dispute', booked);
    const noted = alarms;
    const quiet = { ...parts, raise: async (alarm: MoneyAlarm) => void noted.push(alarm) };
    await takeChargeback(quiet, connector, { key, payment, amount: most, attempt, sourceRef });
  }
}

/** Records a dispute's state, and books what the acquirer took or returned. */
export async function disputeChanged(
  parts: NoticeParts,
  connector: string,
  notice: NoticeOf<'dispute.changed'>,
): Promise<void> {
  const { attempt, id: name, evidence_due_at: due } = notice;
  const named = attemptIn(attempt);
  const requestId = named && (await parts.attempts.requestOf(named, connector));
  if (!named || requestId === null) throw nobodys('charge');
  const key = { accountId: named.accountId, id: requestId };
  await parts.noteDispute(
    {
      account_id: key.accountId,
      request_id: key.id,
      attempt_id: named.attemptId,
      connector,
      name,
      state: notice.state,
      revision: notice.revision,
      amount: centavos(notice.amount),
      taken: centavos(notice.taken),
      reason: notice.reason ?? null,
      evidence_due_at: due === undefined ? null : momentIn(due, 'evidence_due_at'),
    },
    actorOf(connector),
  );
  // The dispute may arrive before the approval.
  const results = (await parts.find(key))?.results ?? [];
  if (!results.some(isMoneyOf(named.attemptId))) await parts.attempts.ask(named, connector);
  await settle(parts, connector, { key, name, attempt });
}
