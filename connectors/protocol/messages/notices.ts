import { type Static, Type } from 'typebox';
import { centavos, id, moment, oneOf, reference, text } from './fields.ts';

const person = Type.Object({
  name: Type.Optional(text(255, 'Name')),
  id_number: Type.Optional(Type.String({ pattern: '^[0-9]{7,11}$' })),
  account: Type.Optional(text(64, 'CBU or CVU')),
});

/** `POST {service}/connectors/{name}/notices`: what a connector tells by itself. */
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
    trx: text(64, 'Of the scheme'),
    code: text(1024, 'The text of the code'),
    amount: centavos('What he is about to pay'),
  }),
  Type.Object({ type: Type.Literal('qr.confirmed'), trx: text(64, 'Told by the intention') }),
  Type.Object({
    type: Type.Literal('qr.reversed'),
    trx: text(64, 'Told by the intention'),
    code: text(32, 'Why, as the scheme writes it'),
  }),
]);
export type Notice = Static<typeof noticeSchema>;

/** The answer to a `qr.intention`; other notices are answered with 200 and `{}`. */
export const intentionAnswerSchema = Type.Object({
  status: oneOf(['pass', 'fail'], 'Whether the code may be paid now with that amount'),
  attempt: Type.Optional(id('The charge that was begun')),
  reason: Type.Optional(text(255, 'Why not')),
});
export type IntentionAnswer = Static<typeof intentionAnswerSchema>;
