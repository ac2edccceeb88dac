import { type Static, Type } from 'typebox';
import { resultsAnswer, retentionAnswer } from '../money/collections/http.ts';
import { dateTime, money } from '../platform/http/shapes.ts';
import { listedStates } from './list.ts';

const itemAnswer = Type.Object(
  {
    quantity: Type.Optional(Type.Integer()),
    description: Type.String(),
    amount: Type.Union([money, Type.String()]),
  },
  { title: 'PaymentRequestItem' },
);

const created = {
  id: Type.Integer(),
  type: Type.Literal('payment_request'),
  state: Type.String({ enum: [...listedStates] }),
  created_at: dateTime,
  external_reference: Type.Optional(Type.String()),
  payer_name: Type.String(),
  payer_email: Type.Optional(Type.String()),
  description: Type.String(),
  first_due_date: dateTime,
  first_total: money,
  second_due_date: Type.Optional(dateTime),
  second_total: Type.Optional(money),
  barcode: Type.String(),
  checkout_url: Type.String(),
  barcode_url: Type.String(),
  pdf_url: Type.String(),
  back_url_success: Type.Optional(Type.String()),
  back_url_pending: Type.Optional(Type.String()),
  back_url_rejected: Type.Optional(Type.String()),
  excluded_channels: Type.Optional(Type.Array(Type.String())),
  excluded_installments: Type.Optional(Type.Array(Type.Integer())),
  excluded_card_brands: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Integer()]))),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  items: Type.Optional(Type.Array(itemAnswer)),
};

export const createdAnswer = Type.Object(created, { title: 'CreatedPaymentRequest' });

/** The response of GET /payment-request/{id} (2.2, with later additions). */
export const paymentRequestAnswer = Type.Object(
  {
    ...created,
    state_comment: Type.Optional(
      Type.String({ description: 'Reason why it expired before its last due date' }),
    ),
    paid_at: Type.Optional(dateTime),
    request_result_id: Type.Optional(
      Type.Integer({ description: 'The last payment that was not fully reversed' }),
    ),
    ...resultsAnswer,
    holder_data: Type.Optional(
      Type.Object({ holder_name: Type.String(), holder_email: Type.String() }),
    ),
    retentions: Type.Optional(Type.Array(retentionAnswer)),
  },
  { title: 'PaymentRequest' },
);

export type CreatedAnswer = Static<typeof createdAnswer>;
export type PaymentRequestAnswer = Static<typeof paymentRequestAnswer>;
