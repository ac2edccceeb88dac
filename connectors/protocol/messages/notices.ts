import { type Static, Type } from 'typebox';
import { centavos, id, moment, oneOf, reference, text } from './fields.ts';

const person = Type.Object({
  name: Type.Optional(text(255, 'Name')),
  id_number: Type.Optional(Type.String({ pattern: '^[0-9]{7,11}$' })),
  account: Type.Optional(text(64, 'CBU or CVU')),
});

/** States of a dispute. */
export const disputeStates = [
  'opened',
  'evidence_due',
  'won',
  'lost',
  'partial',
  'reversed',
] as const;

const trx = text(50, "The network's id of it: told twice, it is booked once");
const scanned = { trx, code: text(1024, 'The text of the code') };

/** `POST {service}/connectors/{name}/notices`: unsolicited messages of a connector. */
export const noticeSchema = Type.Union([
  Type.Object({
    type: Type.Literal('charge.changed', {
      description: 'The service asks what became of it, and believes the answer alone',
    }),
    attempt: id('The charge'),
  }),
  Type.Object({
    type: Type.Literal('charge.charged_back'),
    id: text(64, 'Of the chargeback: told twice, it is booked once'),
    attempt: id('The charge'),
    amount: centavos('Taken back'),
    reference,
  }),
  Type.Object({
    type: Type.Literal('dispute.changed', {
      description: 'A payment is disputed, or its dispute stands otherwise than before',
    }),
    id: text(64, 'Of the dispute'),
    attempt: id('The charge'),
    revision: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Grows with each change of this dispute: of two the higher one stands',
    }),
    state: oneOf(disputeStates, 'State of the dispute'),
    amount: centavos('What is disputed'),
    taken: Type.Integer({
      minimum: 0,
      maximum: 999_999_999_999,
      description: 'What the acquirer holds back because of it now, in all',
    }),
    reason: Type.Optional(text(255, 'Reason given by the acquirer')),
    evidence_due_at: Type.Optional(moment('Until when the acquirer takes evidence')),
  }),
  Type.Object({
    type: Type.Literal('card.changed', {
      description:
        'A card on file has another number or expiry, was closed, or is good again: the service ' +
        'asks for it, and believes the answer alone',
    }),
    card: id('The card'),
  }),
  Type.Object({
    type: Type.Literal('transfer.received'),
    id: text(64, 'Of the transfer: told twice, it is booked once'),
    cvu: Type.String({ pattern: '^[0-9]{22}$', description: 'Where it arrived' }),
    amount: centavos('Arrived'),
    paid_at: moment('When'),
    payer: Type.Optional(person),
  }),
  Type.Object({
    type: Type.Literal('transfer.reversed'),
    id: text(64, 'Of the transfer that was told before'),
    amount: centavos('Taken back'),
  }),
  Type.Object({
    type: Type.Literal('qr.intention', {
      description: 'Somebody is about to pay a code: answered within 1.5 seconds',
    }),
    ...scanned,
    amount: centavos('What he is about to pay'),
  }),
  Type.Object({
    type: Type.Literal('qr.confirmed', {
      description: 'It was paid, whether an intention was told before or not',
    }),
    ...scanned,
    amount: centavos('What was paid'),
    paid_at: moment('When'),
  }),
  Type.Object({
    type: Type.Literal('qr.reversed', {
      description: 'It is given back, or comes to nothing; also before it is confirmed',
    }),
    trx,
    reason: text(32, 'Why, as the network writes it'),
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
    status: Type.Literal('pass', { description: 'It may be paid now, with that amount' }),
    attempt: id('The charge that was begun: it is asked for, and given back, by this id'),
  }),
  Type.Object({
    status: Type.Literal('fail'),
    code: oneOf(unpaidWords, 'Why not, as `GET /resolve` writes it'),
    reason: text(255, 'Why not'),
  }),
]);
export type IntentionAnswer = Static<typeof intentionAnswerSchema>;

/** Timeout for the answer to an intention. */
export const intentionMs = 1_500;
