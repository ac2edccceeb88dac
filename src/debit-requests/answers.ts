import { Type } from 'typebox';
import { bankMandateAnswer, cardMandateAnswer } from '../mandates/http.ts';
import { resultsAnswer, retentionAnswer } from '../money/collections/http.ts';
import { dateTime, money } from '../platform/http/shapes.ts';
import { debitStates } from './schema.ts';

const debitHead = <Kind extends string>(kind: Kind) => ({
  id: Type.Integer(),
  type: Type.Literal(kind),
  state: Type.String({ enum: [...debitStates] }),
  created_at: dateTime,
  external_reference: Type.Optional(Type.String()),
});

const debitTail = {
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  state_comment: Type.Optional(Type.String()),
};

/** Fields of GET that POST lacks. */
const happened = {
  ...resultsAnswer,
  retentions: Type.Optional(Type.Array(retentionAnswer)),
};

const bankDebit = {
  ...debitHead('debit_request'),
  adhesion_id: Type.Integer(),
  description: Type.String(),
  first_due_date: dateTime,
  first_total: money,
  second_due_date: Type.Optional(dateTime),
  second_total: Type.Optional(money),
  ...debitTail,
  adhesion: bankMandateAnswer,
};

export const createdDebitAnswer = Type.Object(bankDebit, { title: 'CreatedDebitRequest' });
export const debitAnswer = Type.Object({ ...bankDebit, ...happened }, { title: 'DebitRequest' });

const cardDebit = {
  ...debitHead('card_debit_request'),
  card_adhesion_id: Type.Integer(),
  month: Type.Integer(),
  year: Type.Integer(),
  amount: money,
  description: Type.String(),
  ...debitTail,
  card_adhesion: cardMandateAnswer,
};

export const createdCardDebitAnswer = Type.Object(cardDebit, { title: 'CreatedCardDebitRequest' });
export const cardDebitAnswer = Type.Object(
  { ...cardDebit, ...happened },
  { title: 'CardDebitRequest' },
);
