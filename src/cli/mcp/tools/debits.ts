import { Type } from 'typebox';
import type { CardDebitRequest, DebitRequest } from '../../../../clients/typescript/src/index.ts';
import type { Explanation } from '../reference.ts';
import { hints, tool } from '../tool.ts';
import { day, idempotencyKey, keyed, oneOf, pesos, requestId, sentDay, text } from './inputs.ts';
import { debitKinds, mandateKinds } from './kinds.ts';

const createMandate = tool({
  name: 'create_mandate',
  title: 'Ask for a mandate on a bank account',
  description:
    'Asks the holder of a bank account (CBU) to sign an adhesion, the mandate on which debits run. The holder gets a mail with a link to sign. In a sandbox it is signed at once, unless the local part of the e-mail ends in +nosign.',
  hints: hints.adds,
  input: Type.Object({
    adhesion_holder_name: text('Who will be debited, as you call them', 50),
    email: text('The address that receives the signing e-mail'),
    description: text('What will be debited, as the holder reads it'),
    short_description: text('The same in few words, for bank statements', 50),
    cbu_number: text('CBU, 22 digits', 22),
    cbu_holder_name: text('Holder of the account'),
    cbu_holder_id_number: Type.Integer({ description: 'DNI or CUIT of the holder, digits only' }),
    external_reference: Type.Optional(text('Your own reference')),
    idempotency_key: idempotencyKey,
  }),
  run: ({ recaudo }, { idempotency_key, ...fields }) =>
    recaudo.adhesions.create(fields, keyed(idempotency_key)),
});

const createDebit = tool({
  name: 'create_debit',
  title: 'Debit a bank account or a card',
  description:
    'Takes money from the holder of a signed mandate, on its day. Of an adhesion: first_due_date, at least 3 business days ahead. Of a card adhesion: the month and year of the run. Confirm mandate and amount with the user first.',
  hints: hints.movesMoney,
  input: Type.Object({
    mandate: oneOf(mandateKinds, 'Kind of the mandate'),
    mandate_id: requestId('Id of the mandate'),
    amount: pesos('Pesos to take'),
    description: text('What is paid for'),
    first_due_date: Type.Optional(day('Bank accounts: the day of the debit')),
    month: Type.Optional(Type.Integer({ description: 'Cards: month', minimum: 1, maximum: 12 })),
    year: Type.Optional(Type.Integer({ description: 'Cards: year, 4 digits' })),
    external_reference: Type.Optional(text('Your own reference')),
    idempotency_key: idempotencyKey,
  }),
  run: ({ recaudo }, { mandate, mandate_id, amount, first_due_date, month, year, ...rest }) => {
    const { idempotency_key, ...fields } = rest;
    if (mandate === 'card_adhesion') {
      if (month === undefined || year === undefined || first_due_date !== undefined) {
        throw new Error(
          'A debit of a card_adhesion needs "month" and "year", and must not have "first_due_date".',
        );
      }
      const debit = { ...fields, card_adhesion_id: mandate_id, month, year, amount };
      return recaudo.cardDebitRequests.create(debit, keyed(idempotency_key));
    }
    if (first_due_date === undefined || month !== undefined || year !== undefined) {
      throw new Error(
        'A debit of an adhesion needs "first_due_date", and must not have "month" or "year".',
      );
    }
    const due = { first_due_date: sentDay(first_due_date), first_total: amount };
    const debit = { ...fields, adhesion_id: mandate_id, ...due };
    return recaudo.debitRequests.create(debit, keyed(idempotency_key));
  },
});

type Debit = DebitRequest | CardDebitRequest;

const mandateOf = (debit: Debit) => ('adhesion' in debit ? debit.adhesion : debit.card_adhesion);

/** Returns the clearing code in a refusal's comment, with its meaning. */
function meaningOf(comment: string | undefined, codes: ReadonlyMap<string, Explanation>) {
  const code = /\b(?:R\d\d|034)\b/.exec(comment ?? '')?.[0];
  return code === undefined ? {} : { code, ...codes.get(code) };
}

const explainDebit = tool({
  name: 'explain_debit',
  title: 'Why was this debit rejected?',
  description:
    'Explains the state of a debit: each refusal with the code of the bank or card processor, its meaning and what follows, and the state of its mandate.',
  hints: hints.reads,
  input: Type.Object({
    kind: oneOf(debitKinds, 'Kind of the debit'),
    id: requestId('Id of the debit'),
  }),
  run: async ({ recaudo, codes }, { kind, id }) => {
    const calls = kind === 'debit_request' ? recaudo.debitRequests : recaudo.cardDebitRequests;
    const [debit, known]: [Debit, ReadonlyMap<string, Explanation>] = await Promise.all([
      calls.get(id),
      codes(),
    ]);
    const refusals = (debit.request_result ?? [])
      .filter(({ type }) => type.startsWith('rejected_'))
      .map(({ rejected_at, amount, state_comment }) => ({
        ...{ rejected_at, amount, state_comment },
        ...meaningOf(state_comment, known),
      }));
    const mandate = mandateOf(debit);
    return {
      ...{ id, kind, state: debit.state, state_comment: debit.state_comment },
      refusals,
      mandate: {
        id: mandate.id,
        state: mandate.state,
        state_comment: mandate.state_comment,
        canceled_at: mandate.canceled_at,
      },
    };
  },
});

const cancel = tool({
  name: 'cancel',
  title: 'Cancel a mandate or a debit',
  description:
    'Ends a mandate, with its pending debits, or a debit that was not submitted yet. It cannot be taken back: a new mandate has to be signed again.',
  hints: { ...hints.movesMoney, idempotentHint: true },
  input: Type.Object({
    kind: oneOf([...mandateKinds, ...debitKinds], 'Kind'),
    id: requestId('Id'),
  }),
  run: ({ recaudo }, { kind, id }): Promise<object> => {
    const { adhesions, cardAdhesions, debitRequests, cardDebitRequests } = recaudo;
    const calls = {
      adhesion: adhesions,
      card_adhesion: cardAdhesions,
      debit_request: debitRequests,
      card_debit_request: cardDebitRequests,
    }[kind];
    return calls.cancel(id);
  },
});

export const debitTools = [createMandate, createDebit, explainDebit, cancel];
