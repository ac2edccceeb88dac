import { type TObject, type TProperties, Type } from 'typebox';
import type { EventName } from '../../events/index.ts';
import { disputeStates } from '../../money/disputes/index.ts';
import { dateTime, money } from '../../platform/http/shapes.ts';
import { type RequestKind, transitions } from '../../requests/index.ts';

/** Documentation of an event type: its occasion and payload. */
interface Documented {
  when: string;
  payload: TObject;
}

const statesOf = (kind: RequestKind): string[] => [
  ...new Set(['pending', ...Object.values(transitions[kind]).map(({ to }) => to)]),
];

const requestState = (kind: RequestKind) =>
  Type.String({ enum: statesOf(kind), description: 'State of the request after the event' });

const resultId = Type.Integer({ description: 'The related item of `request_result`' });
const reference = Type.Optional(
  Type.String({ description: 'The `external_reference` of the request, if it has one' }),
);

/** Adds the result of a request's money to the payload. */
const withResult = (kind: RequestKind, more: TProperties = {}) =>
  Type.Object({
    state: requestState(kind),
    external_reference: reference,
    request_result_id: resultId,
    amount: money,
    ...more,
  });

const withoutResult = (kind: RequestKind, more: TProperties = {}) =>
  Type.Object({ state: requestState(kind), external_reference: reference, ...more });

/** A QR's `id` is the one that its creator chose, but reports identify requests by this number. */
const requestId = { request_id: Type.Integer({ description: 'The `request_id` of reports' }) };

const batch = (state: string, more: TProperties = {}) =>
  Type.Object({
    state: Type.Literal(state),
    total_count: Type.Optional(Type.Integer()),
    created: Type.Optional(Type.Integer()),
    rejected: Type.Optional(Type.Integer()),
    ...more,
  });

const comment = Type.String({ description: 'Reason, as in `state_comment`' });

const ofMandate = (state: string, more: TProperties = {}) =>
  Type.Object({ state: Type.Literal(state), external_reference: reference, ...more });

/** The displayable data of a card on file. */
const cardFields = {
  card: Type.Optional(Type.String({ description: 'The brand' })),
  last_four_digits: Type.Optional(Type.String()),
  card_expires: Type.Optional(Type.String({ description: 'Last valid month, mm-yyyy' })),
};

const signed = (noun: string): Documented => ({
  when: `${noun} was signed by its holder`,
  payload: ofMandate('signed'),
});

const ended = (noun: string): Documented => ({
  when: `${noun} was canceled, declined, or not signed in time`,
  payload: ofMandate('canceled', { state_comment: comment }),
});

const refundId = { refund_id: Type.Integer({ description: 'Id of the refund, as in its GET' }) };

const reversed = {
  reversed_result_id: Type.Integer({ description: 'The reversed payment' }),
};

const afterRefund = { ...reversed, refund_id: Type.Optional(refundId.refund_id) };

/** Documents the events of a requested and of a failed refund. */
const ofRefund = (kind: RequestKind, more: TProperties = {}) => ({
  requested: {
    when: 'A refund was requested: the money is on its way back',
    payload: withResult(kind, { ...refundId, ...more }),
  },
  failed: {
    when: 'A refund failed: the money stays with the account holder',
    payload: withResult(kind, {
      ...refundId,
      reason: Type.String({ description: 'Reason' }),
      ...more,
    }),
  },
});

/** Documents the event of a new or changed dispute. Movements of its money have separate events. */
const ofDispute = (kind: RequestKind, more: TProperties = {}): Documented => ({
  when: 'A payer disputed a payment, or the dispute changed',
  payload: withoutResult(kind, {
    dispute_id: Type.Integer({ description: 'The dispute' }),
    dispute_state: Type.String({
      enum: [...disputeStates],
      description: 'State of the dispute',
    }),
    amount: money,
    taken: { ...money, description: 'Amount withheld by the acquirer because of the dispute' },
    reason: Type.Optional(Type.String({ description: 'Reason given by the acquirer' })),
    evidence_due_at: Type.Optional({ ...dateTime, description: 'Deadline for evidence' }),
    ...more,
  }),
});

const withoutRun = (kind: RequestKind): Documented => ({
  when: 'A debit was canceled before submission, or its mandate was canceled',
  payload: withoutResult(kind, { state_comment: comment }),
});

/** One entry per event type, so that every delivered event is documented. */
export const payloads: Record<EventName, Documented> = {
  'payment_request.paid': {
    when: 'A payment request was paid',
    payload: withResult('payment_request'),
  },
  'payment_request.rejected': {
    when: 'A payment of a payment request was rejected; it can be tried again',
    payload: withResult('payment_request'),
  },
  'payment_request.expired': {
    when: 'The last due date of a payment request passed without payment',
    payload: withoutResult('payment_request'),
  },
  'payment_request.reverted': {
    when: 'A payment was charged back by its holder',
    payload: withResult('payment_request', reversed),
  },
  'payment_request.refunded': {
    when: 'A payment was refunded, in full or in part',
    payload: withResult('payment_request', afterRefund),
  },
  'qr.paid': { when: 'A QR was paid', payload: withResult('qr', requestId) },
  'qr.refunded': {
    when: 'A QR payment was refunded to its payer',
    payload: withResult('qr', { ...requestId, ...afterRefund }),
  },
  'qr.deleted': { when: 'A QR was deleted', payload: withoutResult('qr', { amount: money }) },
  'qr.expired': {
    when: 'The due date of a QR passed without payment',
    payload: withoutResult('qr'),
  },
  'qr_batch.completed': {
    when: 'An uploaded file of QR records was processed',
    payload: batch('completed'),
  },
  'adhesion.signed': signed('An adhesion'),
  'adhesion.canceled': ended('An adhesion'),
  'card_adhesion.signed': signed('A card adhesion'),
  'card_adhesion.canceled': ended('A card adhesion'),
  'card_adhesion.card_updated': {
    when: 'The card of a card adhesion got a new number or expiry, or is valid again',
    payload: ofMandate('signed', cardFields),
  },
  'card_adhesion.card_closed': {
    when: 'The issuer closed the card of a card adhesion: debits on it are rejected',
    payload: ofMandate('signed', {
      ...cardFields,
      reason: Type.String({ description: 'Reason given by the acquirer' }),
    }),
  },
  'card_adhesion.card_expiring': {
    when: 'The card of a card adhesion expires within 30 days',
    payload: ofMandate('signed', cardFields),
  },
  'debit_request.paid': {
    when: 'A debit on a bank account was paid',
    payload: withResult('debit_request'),
  },
  'debit_request.rejected': {
    when: 'A debit on a bank account was rejected',
    payload: withResult('debit_request'),
  },
  'debit_request.canceled': withoutRun('debit_request'),
  'debit_request.reverted': {
    when: 'A debit on a bank account was reversed by its holder',
    payload: withResult('debit_request', reversed),
  },
  'debit_request.refunded': {
    when: 'A debit on a bank account was refunded, in full or in part',
    payload: withResult('debit_request', afterRefund),
  },
  'card_debit_request.paid': {
    when: 'A debit on a card was paid',
    payload: withResult('card_debit_request'),
  },
  'card_debit_request.rejected': {
    when: 'A debit on a card was rejected',
    payload: withResult('card_debit_request'),
  },
  'card_debit_request.canceled': withoutRun('card_debit_request'),
  'card_debit_request.reverted': {
    when: 'A debit on a card was charged back by its holder',
    payload: withResult('card_debit_request', reversed),
  },
  'card_debit_request.refunded': {
    when: 'A debit on a card was refunded, in full or in part',
    payload: withResult('card_debit_request', afterRefund),
  },
  'payment_request.refund_requested': ofRefund('payment_request').requested,
  'payment_request.refund_failed': ofRefund('payment_request').failed,
  'qr.refund_requested': ofRefund('qr', requestId).requested,
  'qr.refund_failed': ofRefund('qr', requestId).failed,
  'debit_request.refund_requested': ofRefund('debit_request').requested,
  'debit_request.refund_failed': ofRefund('debit_request').failed,
  'card_debit_request.refund_requested': ofRefund('card_debit_request').requested,
  'card_debit_request.refund_failed': ofRefund('card_debit_request').failed,
  'payment_request.disputed': ofDispute('payment_request'),
  'qr.disputed': ofDispute('qr', requestId),
  'card_debit_request.disputed': ofDispute('card_debit_request'),
  'qr_batch.failed': {
    when: 'An uploaded file of QR records could not be processed',
    payload: batch('failed', { error: Type.Optional(Type.String()) }),
  },
};
