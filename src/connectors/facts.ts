import type { Notice } from '../../connectors/protocol/messages.ts';
import { readMoment } from '../kernel/dates.ts';
import type { Centavos } from '../kernel/money.ts';
import type { LookAtCard } from '../mandates/index.ts';
import type { MoneyAlarm } from '../money/alarms/index.ts';
import type { AlarmKind } from '../money/channels/index.ts';
import type { Attempts } from '../money/charges/index.ts';
import type { FindRequest, RecordFact, ResultRow } from '../money/collections/index.ts';
import { connectorSource, findBySource, isMoneyOf } from '../money/collections/index.ts';
import type { NoteDispute } from '../money/disputes/index.ts';
import type { Reverse } from '../money/reversals/index.ts';
import {
  findUnmatched,
  type ReverseSuspense,
  type Suspend,
  type SuspenseRow,
} from '../money/suspense/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { BusinessClock } from '../platform/clocks.ts';
import { Refusal } from '../platform/errors.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { QrNetwork } from '../qr/index.ts';
import type { RequestKey } from '../requests/index.ts';
import { refusal } from './codes.ts';

/** Money received on an account of the deployment. */
export interface ArrivedTransfer {
  cvu: string;
  amount: Centavos;
  paidAt: Temporal.Instant;
  source: string;
  sourceRef: string;
  actor: Actor;
}

export interface NoticeParts {
  sql: Queryable;
  business: BusinessClock;
  attempts: Attempts;
  qr: QrNetwork;
  suspend: Suspend;
  find: FindRequest;
  reverse: Reverse;
  record: RecordFact;
  noteDispute: NoteDispute;
  reverseSuspense: ReverseSuspense;
  receiveTransfer(transfer: ArrivedTransfer): Promise<void>;
  lookAtCard: LookAtCard;
  /** Returns true if configuration and manifest allow a connector to report this. */
  mayTell(connector: string, type: Notice['type']): boolean;
  /** Returns the maximum age of `paid_at`, in days. */
  oldestDays(connector: string): number;
  /** Stores an unreadable notice as a dead letter. */
  keepLetter(connector: string, message: object): Promise<void>;
  raise(alarm: MoneyAlarm): Promise<void>;
  alarm(connector: string, kind: AlarmKind, text: string): void;
}

export type NoticeOf<Type extends Notice['type']> = Extract<Notice, { type: Type }>;

export const sourceOf = connectorSource;

export const actorOf = (name: string): Actor => ({ kind: 'connector', name });

export const nobodys = (what: string): Refusal => refusal('notice.subject_not_found', { what });

/** Returns a charge's collected payment, or undefined. */
export async function paymentOf(
  { find }: NoticeParts,
  key: RequestKey,
  attemptId: number,
): Promise<ResultRow | undefined> {
  const found = await find(key);
  return found?.results.find(isMoneyOf(attemptId));
}

/** Reverses a payment. Raises an alarm instead if it was already reversed. */
export async function takeBack(
  parts: NoticeParts,
  connector: string,
  back: {
    key: RequestKey;
    type: 'refund' | 'chargeback';
    payment: ResultRow;
    /** Part of the amount. Absent for all of it. */
    amount?: Centavos;
    sourceRef: string;
    comment: string;
  },
): Promise<void> {
  const { key, type, payment, amount = null, sourceRef, comment } = back;
  try {
    await parts.reverse({
      key,
      type,
      resultId: payment.id,
      amount,
      actor: actorOf(connector),
      source: sourceOf(connector),
      sourceRef,
      comment,
    });
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
    await parts.raise({
      kind: 'back_before',
      fact: `${connector} ${sourceRef}`,
      message: `${connector} reversed result ${payment.id}, which was already returned: ${sourceRef}.`,
      amount: payment.amount,
      connector,
      accountId: key.accountId,
      requestId: key.id,
      resultId: payment.id,
    });
  }
}

export const momentIn = (text: string, member: string): Temporal.Instant => {
  try {
    return readMoment(text);
  } catch {
    throw refusal('notice.not_moment', { member });
  }
};

/**
 * Returns `paid_at`, or now if it is in the future or older than configured, because the money has
 * arrived anyway. A time that is too old raises an alarm, because it would change reports of past
 * days.
 */
export function paidAtIn(
  { business, alarm, oldestDays }: NoticeParts,
  connector: string,
  { text, what }: { text: string; what: string },
): Temporal.Instant {
  const now = business.now();
  const reportedAt = momentIn(text, 'paid_at');
  if (Temporal.Instant.compare(reportedAt, now) > 0) return now;
  const days = oldestDays(connector);
  if (Temporal.Instant.compare(reportedAt, now.subtract({ hours: 24 * days })) >= 0)
    return reportedAt;
  alarm(connector, 'protocol', `${what} arrived on ${text} as it says, over ${days} days ago`);
  return now;
}

/** Unsolicited money, recorded on a request or in suspense. */
type Arrived = { amount: Centavos } & (
  | { payment: { key: RequestKey; resultId: number } }
  | { payment: null; suspended: SuspenseRow }
);

/**
 * Finds unsolicited money by its source, with its destination. Returns null if it never arrived.
 */
export async function arrived(
  { sql }: NoticeParts,
  source: string,
  sourceRef: string,
): Promise<Arrived | null> {
  const recorded = await findBySource(sql, source, sourceRef);
  if (recorded) {
    const { account_id: accountId, request_id: id, amount, id: resultId } = recorded;
    return { amount, payment: { key: { accountId, id }, resultId } };
  }
  const suspended = await findUnmatched(sql, source, sourceRef);
  return suspended && { amount: suspended.amount, payment: null, suspended };
}

/**
 * Marks suspense money as reversed by its bank. The alarm stops an operator who is about to return
 * it. If it was already returned, it was paid out twice.
 */
async function reverseSuspended(
  parts: NoticeParts,
  connector: string,
  { id, amount }: SuspenseRow,
  { what, sourceRef, comment: note }: { what: string; sourceRef: string; comment: string },
): Promise<void> {
  const outcome = await parts.reverseSuspense({ id, note, actor: actorOf(connector) });
  const isTwice = outcome === 'returned';
  await parts.raise({
    kind: isTwice ? 'reversed_after_return' : 'reversed_in_suspense',
    fact: `${connector} ${sourceRef}`,
    message: isTwice
      ? `The operator returned ${what} from suspense, number ${id}, and its bank reversed it too.`
      : `${what}, number ${id} in suspense, was reversed by its bank. Do not return it.`,
    amount,
    connector,
    suspenseId: id,
  });
}

export async function takeBackArrived(
  parts: NoticeParts,
  connector: string,
  found: Arrived,
  { what, ...back }: { what: string; sourceRef: string; comment: string },
): Promise<void> {
  if (found.payment === null) {
    await reverseSuspended(parts, connector, found.suspended, { what, ...back });
    return;
  }
  const { key, resultId } = found.payment;
  const result = (await parts.find(key))?.results.find((one) => one.id === resultId);
  if (!result) throw new Error(`result ${resultId} has no request`);
  await takeBack(parts, connector, { key, type: 'chargeback', payment: result, ...back });
}
