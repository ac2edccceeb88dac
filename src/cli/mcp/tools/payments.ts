import { Type } from 'typebox';
import { hints, tool } from '../tool.ts';
import {
  day,
  idempotencyKey,
  keyed,
  oneOf,
  optionalDay,
  pesos,
  requestId,
  sentDay,
  text,
} from './inputs.ts';
import { refundsOf, requestKinds } from './kinds.ts';

const createPaymentRequest = tool({
  name: 'create_payment_request',
  title: 'Create a payment request',
  description:
    'Asks a payer for money. Answers checkout_url, the page to send to the payer, and pdf_url, a coupon for cash networks. Nothing is charged by it.',
  hints: hints.adds,
  input: Type.Object({
    description: text('What is paid for, as the payer reads it'),
    payer_name: text('Name of the payer'),
    first_total: pesos('Pesos due up to first_due_date, such as 1430.50'),
    first_due_date: day('Last day for first_total: today or later'),
    second_total: Type.Optional(pesos('Pesos due after that; comes with second_due_date')),
    second_due_date: Type.Optional(day('Last day for second_total')),
    payer_email: Type.Optional(text('The coupon and reminders go there')),
    external_reference: Type.Optional(text('Your own reference, to find it by')),
    back_url_success: Type.Optional(text('Where the payer goes after paying', 2000)),
    idempotency_key: idempotencyKey,
  }),
  run: ({ recaudo }, { idempotency_key, first_due_date, second_due_date, ...fields }) =>
    recaudo.paymentRequests.create(
      {
        ...fields,
        first_due_date: sentDay(first_due_date),
        second_due_date: optionalDay(second_due_date),
      },
      keyed(idempotency_key),
    ),
});

const createQr = tool({
  name: 'create_qr',
  title: 'Create a QR',
  description:
    'Makes a dynamic QR that any wallet can pay. Answers it with qr_string (the payload) and image_url (a picture).',
  hints: hints.adds,
  input: Type.Object({
    id: text('Your part of its id: letters, digits, _ and -', 25),
    city: text('City that the code shows', 15),
    description: text('What is paid for', 500),
    payer_name: text('Name of the payer'),
    first_total: pesos('Pesos, at least 10'),
    first_due_date: day('Last day on which it can be paid'),
    multiple_payment: Type.Optional(Type.Boolean({ description: 'True: it can be paid again' })),
    external_reference: Type.Optional(text('Your own reference')),
    idempotency_key: idempotencyKey,
  }),
  run: async ({ recaudo }, { idempotency_key, first_due_date, multiple_payment, ...fields }) => {
    const item = {
      ...fields,
      first_due_date: sentDay(first_due_date),
      multiple_payment: multiple_payment ?? false,
    };
    const { data } = await recaudo.qr.save([item], keyed(idempotency_key));
    return await recaudo.qr.get(data[0]?.id ?? fields.id);
  },
});

const refund = tool({
  name: 'refund',
  title: 'Refund a payment',
  description:
    'Refunds a payment to its payer, in full or in part. Money leaves the balance and does not come back: confirm request and amount with the user first.',
  hints: hints.movesMoney,
  input: Type.Object({
    kind: oneOf([...requestKinds, 'qr'], 'Kind of what was paid'),
    id: Type.Unsafe<string | number>({
      type: ['integer', 'string'],
      description: 'Id of what was paid: a number; of a QR its text',
    }),
    amount: Type.Optional(pesos('Pesos to give back; all that is left if absent')),
    result_id: Type.Optional(requestId('Which payment, where it was paid more than once')),
    idempotency_key: idempotencyKey,
  }),
  run: ({ recaudo }, { kind, id, idempotency_key, ...fields }) =>
    kind === 'qr'
      ? recaudo.qr.refund(String(id), fields, keyed(idempotency_key))
      : refundsOf(recaudo, kind).refund(Number(id), fields, keyed(idempotency_key)),
});

export const paymentTools = [createPaymentRequest, createQr, refund];
