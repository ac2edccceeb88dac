import { type Static, Type } from 'typebox';
import { centavos, id, moment, oneOf, reference, text } from './fields.ts';

const person = Type.Object({
  name: Type.Optional(text(255, 'Name')),
  id_number: Type.Optional(Type.String({ pattern: '^[0-9]{7,11}$' })),
  account: Type.Optional(text(64, 'CBU or CVU')),
});

export const disputeStates = [
  'opened',
  'evidence_due',
  'won',
  'lost',
  'partial',
  'reversed',
] as const;

const trx = text(50, "The network's id of the payment; repeated notices are booked once");
const scanned = { trx, code: text(1024, 'Text of the code') };

/** `POST {service}/connectors/{name}/notices`: unsolicited messages of a connector. */
export const noticeSchema = Type.Union([
  Type.Object({
    type: Type.Literal('charge.changed', {
      description: 'The service then queries the charge, and uses only that answer',
    }),
    attempt: id('The id of the charge'),
  }),
  Type.Object({
    type: Type.Literal('charge.charged_back'),
    id: text(64, 'The id of the chargeback; repeated notices are booked once'),
    attempt: id('The id of the charge'),
    amount: centavos('Amount reversed'),
    reference,
  }),
  Type.Object({
    type: Type.Literal('dispute.changed', {
      description: 'A payment was disputed, or its dispute changed',
    }),
    id: text(64, 'The id of the dispute'),
    attempt: id('The id of the charge'),
    revision: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Increases with each change of the dispute; the highest counts',
    }),
    state: oneOf(disputeStates, 'State of the dispute'),
    amount: centavos('Disputed amount'),
    taken: Type.Integer({
      minimum: 0,
      maximum: 999_999_999_999,
      description: 'Total amount that the acquirer currently withholds for it',
    }),
    reason: Type.Optional(text(255, 'Reason given by the acquirer')),
    evidence_due_at: Type.Optional(moment('Deadline for evidence')),
  }),
  Type.Object({
    type: Type.Literal('card.changed', {
      description:
        'A card on file has a new number or expiry, was closed, or is valid again. The service ' +
        'then queries the card, and uses only that answer',
    }),
    card: id('The id of the card on file'),
  }),
  Type.Object({
    type: Type.Literal('transfer.received'),
    id: text(64, 'The id of the transfer; repeated notices are booked once'),
    cvu: Type.String({ pattern: '^[0-9]{22}$', description: 'CVU that received it' }),
    amount: centavos('Amount received'),
    paid_at: moment('Time of the payment'),
    payer: Type.Optional(person),
  }),
  Type.Object({
    type: Type.Literal('transfer.reversed'),
    id: text(64, 'The id of the reported transfer'),
    amount: centavos('Amount reversed'),
  }),
  Type.Object({
    type: Type.Literal('qr.intention', {
      description: 'Someone is about to pay a code; answered within 1.5 seconds',
    }),
    ...scanned,
    amount: centavos('Amount to pay'),
  }),
  Type.Object({
    type: Type.Literal('qr.confirmed', {
      description: 'The code was paid, with or without an earlier intention',
    }),
    ...scanned,
    amount: centavos('Amount paid'),
    paid_at: moment('Time of the payment'),
  }),
  Type.Object({
    type: Type.Literal('qr.reversed', {
      description: 'The payment was returned or failed, also before its confirmation',
    }),
    trx,
    reason: text(32, 'Reason, as the network writes it'),
  }),
]);
export type Notice = Static<typeof noticeSchema>;

/** Reasons why a code cannot be paid now, as `GET /resolve` writes them. */
export const unpaidWords = [
  'unsupported_qr_code',
  'unsupported_merchant',
  'empty_order',
  'error',
] as const;

/** The answer to a `qr.intention`; other notices are answered with 200 and `{}`. */
export const intentionAnswerSchema = Type.Union([
  Type.Object({
    status: Type.Literal('pass', { description: 'The code can be paid now, with this amount' }),
    attempt: id('The id of the new charge, for queries and refunds'),
  }),
  Type.Object({
    status: Type.Literal('fail'),
    code: oneOf(unpaidWords, 'Reason, as in `GET /resolve`'),
    reason: text(255, 'Why not'),
  }),
]);
export type IntentionAnswer = Static<typeof intentionAnswerSchema>;

/** Timeout for the answer to an intention. */
export const intentionMs = 1_500;
