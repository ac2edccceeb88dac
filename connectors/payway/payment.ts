import { type Static, Type } from 'typebox';
import { reader } from '../protocol/faults.ts';
import type { Outcome } from '../protocol/messages.ts';
import { methodOf } from './methods.ts';
import { refusalOf } from './refusals.ts';

const scalar = Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()]));

/** The members that we read of the acquirer's payment. */
const paymentSchema = Type.Object({
  id: Type.Union([Type.Integer(), Type.String({ minLength: 1, maxLength: 40 })]),
  site_transaction_id: Type.String(),
  amount: Type.Integer({ minimum: 1 }),
  status: Type.Union([Type.String(), Type.Null()]),
  payment_method_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  bin: scalar,
  tid: scalar,
  date: scalar,
  status_details: Type.Optional(
    Type.Union([
      Type.Object({
        ticket: scalar,
        card_authorization_code: scalar,
        error: Type.Optional(
          Type.Union([
            Type.Object({
              type: scalar,
              reason: Type.Optional(
                Type.Union([Type.Object({ id: scalar, description: scalar }), Type.Null()]),
              ),
            }),
            Type.Null(),
          ]),
        ),
      }),
      Type.Null(),
    ]),
  ),
});
export type Payment = Static<typeof paymentSchema>;

/**
 * Reads a payment, or returns `fault` if it is not one. The content decides, not the HTTP status.
 */
export const readPayment = reader(paymentSchema);

export type State = 'approved' | 'rejected' | 'canceled' | 'pending';

/** The acquirer's states (Status in its libraries), mapped to ours. */
export const states: Readonly<Record<string, State>> = {
  approved: 'approved',
  accredited: 'approved',
  approved_with_refund: 'approved',
  rejected: 'rejected',
  group_rejected: 'rejected',
  refunded: 'canceled',
  annulled: 'canceled',
  annulment_approved: 'canceled',
  refund_approved: 'canceled',
  group_annulled: 'canceled',
  reversed: 'canceled',
  cancelled: 'canceled',
  pre_approved: 'pending',
  review: 'pending',
  'challenge pending': 'pending',
  'fingerprint pending': 'pending',
  adhered: 'pending',
  invoice_generated: 'pending',
  invoice_not_generated: 'pending',
  undefined: 'pending',
};

/** Maps a payment's state; unknown states count as pending, never as refused. */
export const stateOf = ({ status }: Payment): State => states[status ?? 'undefined'] ?? 'pending';

/** Pause before the next inquiry about a payment under review. */
const askAgainSeconds = 60;

const text = (value: string | number | null | undefined, most: number): string | undefined => {
  const found = value === null || value === undefined ? '' : String(value).trim();
  return found === '' ? undefined : found.slice(0, most);
};

function rejection({ status_details: details }: Payment): Outcome {
  const error = details?.error;
  const id = error?.reason?.id;
  const number = id === null || id === undefined || id === '' ? null : Number(id);
  return refusalOf(String(error?.type ?? ''), Number.isInteger(number) ? number : null);
}

function approval(payment: Payment): Outcome {
  const method = methodOf(payment.payment_method_id ?? 0);
  const { status_details: details } = payment;
  const code = text(details?.card_authorization_code, 32);
  const ticket = text(details?.ticket, 32);
  const tid = text(payment.tid, 64);
  const bin = text(payment.bin, 8);
  return {
    outcome: 'approved',
    reference: String(payment.id),
    amount: payment.amount,
    ...(code && { authorization_code: code }),
    ...(ticket && { ticket }),
    ...(tid && { tid }),
    ...(method && { brand: method.brand, kind: method.kind }),
    ...(bin && /^\d{6,8}$/.test(bin) && { bin }),
  };
}

export function outcomeOf(payment: Payment): Outcome {
  const state = stateOf(payment);
  if (state === 'approved') return approval(payment);
  if (state === 'rejected') return rejection(payment);
  if (state === 'canceled') return { outcome: 'canceled', reference: String(payment.id) };
  return { outcome: 'pending', ask_after_s: askAgainSeconds };
}
