import { Type } from 'typebox';
import { type Call, NeverSent, type RefundInquiry } from '../protocol/connector.ts';
import { reader } from '../protocol/faults.ts';
import type { RefundOrder, RefundOutcome } from '../protocol/messages.ts';
import type { Desk } from './desk.ts';
import { type Payment, stateOf } from './payment.ts';
import { faultsOf, faultText, type ValidationFault } from './validation.ts';

const refundSchema = Type.Object({
  id: Type.Union([Type.Integer(), Type.String({ minLength: 1, maxLength: 64 })]),
  amount: Type.Union([Type.Integer(), Type.Null()]),
  status: Type.String(),
});
const readRefund = reader(refundSchema);
/** The refunds listed under their payment, as the SDKs read them. */
const readList = reader(
  Type.Object({ parent: Type.Object({ history: Type.Array(refundSchema) }) }),
);

/** True for refunds that were neither canceled nor refused. */
const stands = ({ status }: { status: string }): boolean =>
  !['canceled', 'cancelled', 'rejected'].includes(status);

interface Given {
  sum: number;
  /** Id of the latest refund. */
  last: string | null;
}

/** Returns the sum and the last id of a payment's refunds, from the acquirer's list. */
async function givenBack({ api }: Desk, id: string, signal: AbortSignal): Promise<Given> {
  const { status, body } = await api.get(`/payments/${encodeURIComponent(id)}/refunds`, signal);
  const list = readList(body);
  if (status !== 200 || 'fault' in list) {
    throw new Error(
      `Payway answered a list of refunds with status ${status} and an unreadable body.`,
    );
  }
  const standing = list.value.parent.history.filter(stands);
  const last = standing.at(-1);
  return {
    sum: standing.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
    last: last ? String(last.id) : null,
  };
}

/** Returns a payment's refunded amount; only partial refunds need the list. */
export async function refundedOf(
  desk: Desk,
  payment: Payment,
  signal: AbortSignal,
): Promise<number> {
  if (stateOf(payment) === 'canceled') return payment.amount;
  if (payment.status !== 'approved_with_refund') return 0;
  return (await givenBack(desk, String(payment.id), signal)).sum;
}

const hour = 3_600_000;
/** Lots close at night; retries start at this hour the next day in Argentina (UTC-3). */
const triedAtHour = 6;

/** Returns the seconds from a moment to the next morning. */
export function secondsToMorning(businessTime: string): number {
  const local = Date.parse(businessTime) - 3 * hour;
  const nextDay = (Math.floor(local / (24 * hour)) + 1) * 24 * hour;
  return Math.ceil((nextDay + triedAtHour * hour - local) / 1000);
}

/** True for the answer of some sites until the payment's lot closes. */
const lotIsOpen = (faults: readonly ValidationFault[]): boolean =>
  faults.some(({ param }) => param === 'path_params_payment_id');

const already = ({ sum, last }: Given, before: number, amount: number): RefundOutcome | null =>
  sum === before + amount && last !== null ? { outcome: 'done', reference: last } : null;

/**
 * Refunds a payment. The acquirer takes no refund id of ours, so the connector compares its list
 * first: exactly this amount beyond `before` is this refund, whose answer was lost. Any other
 * difference fails the refund.
 */
export async function refund(
  desk: Desk,
  order: RefundOrder,
  before: number,
  { signal }: Call,
): Promise<RefundOutcome> {
  const { reference, amount, charged } = order;
  const given = await givenBack(desk, reference, signal);
  const found = already(given, before, amount);
  if (found) return found;
  if (given.sum !== before) {
    const text = `Payway shows ${given.sum} centavos given back, the service knows of ${before}.`;
    return { outcome: 'failed', code: 'sum_differs', text, alarm: text };
  }
  const body = amount === charged ? {} : { amount };
  const path = `/payments/${encodeURIComponent(reference)}/refunds`;
  const answered = await desk.api.post(path, body, signal);
  const made = readRefund(answered.body);
  if ('value' in made && answered.status < 300) {
    const { id, status } = made.value;
    if (stands(made.value)) return { outcome: 'done', reference: String(id) };
    return { outcome: 'failed', code: status.slice(0, 32), text: 'The refund was refused.' };
  }
  return refusal(answered.status, faultsOf(answered.body), order);
}

function refusal(
  status: number,
  faults: ValidationFault[] | null,
  { business_time: businessTime }: RefundOrder,
): RefundOutcome {
  if (status === 401 || status === 403) {
    const alarm = `Payway answered ${status} to a refund: is the private key right?`;
    throw new NeverSent(alarm, { alarm });
  }
  if (!faults || status >= 500) {
    throw new Error(`Payway answered a refund with status ${status} and an unreadable body.`);
  }
  if (lotIsOpen(faults)) {
    return { outcome: 'pending', ask_after_s: secondsToMorning(businessTime) };
  }
  return { outcome: 'failed', code: 'invalid_request', text: faultText(faults) };
}

/**
 * Returns the acquirer's record of a refund whose answer was lost, or null if there is none yet.
 */
export async function refundState(
  desk: Desk,
  { known }: RefundInquiry,
  before: number,
  { signal }: Call,
): Promise<RefundOutcome | null> {
  if (!known) return null;
  const { reference, amount } = known.kept;
  return already(await givenBack(desk, reference, signal), before, amount);
}
