import { readSettings } from '../../accounts/index.ts';
import { compareDays, dayOf } from '../../kernel/dates.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable, Transaction } from '../../platform/postgres/connect.ts';
import { lockRequest, type RequestRow, requestRefusal } from '../../requests/index.ts';
import type { RecordOutcome } from '../collections/index.ts';
import {
  hasOtherLive,
  lockLastPayment,
  lockPayment,
  type ResultRow,
  readSourced,
  readWithholdings,
  writeResults,
} from '../collections/index.ts';
import { posting } from '../ledger/index.ts';
import { refusal } from './codes.ts';
import {
  canBeRefunded,
  type Reversal,
  type ReversalFacts,
  type ReversalIds,
  reversalWrite,
} from './reversal.ts';

export type Reverse = (reversal: Reversal) => Promise<RecordOutcome>;

/**
 * Returns true if the payment can be reversed. A chargeback may follow a refund. After a chargeback
 * no refund can be requested, but an open one may still complete, because its money has left.
 */
function canGoBack({ type, ends }: Reversal, row: ResultRow): boolean {
  if (type === 'chargeback') return row.type === 'collected' && row.charged_back === 0;
  return ends ? row.type === 'collected' : canBeRefunded(row);
}

/** Reads and locks a request's last payment that a reversal without one may concern. */
async function lockLast(tx: Transaction, { key, type }: Reversal): Promise<ResultRow | null> {
  if (type === 'refund') return await lockLastPayment(tx, key, 'refundable');
  return (await lockLastPayment(tx, key, 'live')) ?? (await lockLastPayment(tx, key, 'any'));
}

/**
 * Reads and locks the payment to reverse, and no other: an open QR may have any number. Throws 404
 * for an unknown payment, 409 if none is reversible.
 */
export async function lockTarget(
  tx: Transaction,
  reversal: Reversal,
  request: RequestRow,
): Promise<ResultRow> {
  const { key, type, resultId } = reversal;
  const found =
    resultId === null ? await lockLast(tx, reversal) : await lockPayment(tx, key, resultId);
  if (resultId !== null && !found) throw refusal('reversal.payment_not_found', {});
  if (found && canGoBack(reversal, found)) return found;
  throw refusal('reversal.no_payment', { state: request.state, type });
}

/** Calendar days within which a bank account's holder may reverse a direct debit. */
const debitReversalDays = 30;

/**
 * Throws 409 for a chargeback of a direct debit more than 30 days old, because the clearing house
 * refuses it.
 */
function refuseLate({ type }: Reversal, target: ResultRow, requestedOn: Temporal.PlainDate): void {
  if (type !== 'chargeback' || target.channel !== 'direct_debit') return;
  const last = dayOf(target.paid_at).add({ days: debitReversalDays });
  if (compareDays(requestedOn, last) <= 0) return;
  throw refusal('reversal.too_late', { days: debitReversalDays, until: last });
}

const saysTheSame = ({ type, resultId, amount }: Reversal, row: ResultRow): boolean =>
  row.type === type &&
  (resultId === null || row.reverses_id === resultId) &&
  (amount === null || row.amount === amount);

const referenceTaken = ({ sourceRef }: Reversal) =>
  refusal('reversal.reference_taken', { reference: sourceRef });

/** Takes the ids of a reversal's rows, before any lock. */
export const reversalIds = async ({ recordIds }: Base): Promise<ReversalIds> => ({
  result: await recordIds.next(),
  journal: await recordIds.next(),
  event: await recordIds.next(),
});

export async function reverseIn(
  tx: Transaction,
  { clocks }: Base,
  reversal: Reversal,
  ids: ReversalIds,
): Promise<RecordOutcome> {
  const request = await lockRequest(tx, reversal.key);
  if (!request) throw requestRefusal('request.not_found', {});
  const earlier = await readSourced(tx, reversal.key, reversal);
  if (earlier) {
    if (saysTheSame(reversal, earlier)) return { outcome: 'known' };
    throw referenceTaken(reversal);
  }
  const target = await lockTarget(tx, reversal, request);
  const { requestedOn = clocks.business.today() } = reversal;
  if (requestedOn !== null) refuseLate(reversal, target, requestedOn);
  const facts = { request, target, ...(await readTerms(tx, target)) };
  const write = reversalWrite(reversal, facts, ids, clocks.business.now());
  const recorded = await writeResults(tx, [write]);
  // The reference already belongs to a result of another request.
  if (recorded.size === 0) throw referenceTaken(reversal);
  return { outcome: 'recorded', resultId: ids.result };
}

/**
 * Reads what decides how much a reversal returns and whether the request's state changes: the
 * payment's withholdings, the account's settings and the request's other payments.
 */
export async function readTerms(
  tx: Queryable,
  target: ResultRow,
): Promise<Pick<ReversalFacts, 'lines' | 'settings' | 'othersLive'>> {
  const [lines, settings, othersLive] = await Promise.all([
    readWithholdings(tx, target),
    readSettings(tx, target.account_id),
    hasOtherLive(tx, target),
  ]);
  return { lines, settings, othersLive };
}

/**
 * Reverses a payment: a chargeback as a whole, a refund in parts. The gross amount leaves the
 * holder's balance: first this payment's unavailable part, then the available balance, which may
 * become negative. Withholdings return in proportion, and fees too if the account's settings say
 * so. A repeated fact is `known` and changes nothing. Throws 404 for an unknown request or payment,
 * 409 if nothing is left to reverse, a direct debit is too old for a chargeback, or the reference
 * names something else.
 */
export const reverse =
  (base: Base): Reverse =>
  async (reversal) => {
    const ids = await reversalIds(base);
    return await posting(base.sql, (tx) => reverseIn(tx, base, reversal, ids));
  };
