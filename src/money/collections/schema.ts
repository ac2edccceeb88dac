import { Type } from 'typebox';
import { dateTime, money } from '../../platform/http/shapes.ts';
import { threeDsResults } from '../channels/index.ts';

/** An item of `request_result`. */
export const resultAnswer = Type.Object(
  {
    id: Type.Integer(),
    type: Type.String({
      description:
        '`collected_`, `rejected_`, `chargeback_` or `refund_`, the type of the request, `_result`: ' +
        '`collected_payment_request_result`',
    }),
    channel: Type.String(),
    reversed_result_id: Type.Optional(
      Type.Integer({ description: 'The payment that a chargeback or refund reverses' }),
    ),
    paid_at: Type.Optional(dateTime),
    rejected_at: Type.Optional(dateTime),
    reverted_at: Type.Optional(dateTime),
    created_at: dateTime,
    available_at: Type.Optional(dateTime),
    is_available: Type.Optional(Type.Boolean()),
    amount: money,
    net_fee: Type.Optional(money),
    fee_iva: Type.Optional(money),
    gross_fee: Type.Optional(money),
    net_amount: Type.Optional(money),
    payment_metadata: Type.Optional(
      Type.Object({
        holder_name: Type.Optional(Type.String()),
        holder_email: Type.Optional(Type.String()),
        authorization_code: Type.Optional(Type.String()),
        card_brand: Type.Optional(Type.String()),
        card_last_four_digits: Type.Optional(Type.String()),
        amount: Type.Optional(money),
        installments: Type.Optional(Type.Integer()),
        installment_amount: Type.Optional(money),
        reference: Type.Optional(Type.String({ description: "The acquirer's id of the charge" })),
        ticket: Type.Optional(Type.String({ description: 'Ticket number' })),
        tid: Type.Optional(Type.String({ description: 'Links sale, settlement and chargeback' })),
        three_ds: Type.Optional(
          Type.Object({
            result: Type.String({
              enum: [...threeDsResults],
              description: 'The outcome of 3-D Secure',
            }),
            liability: Type.String({
              enum: ['issuer', 'merchant'],
              description: 'Party liable for fraud',
            }),
            version: Type.Optional(Type.String({ description: 'Version of 3-D Secure' })),
          }),
        ),
        network_transaction_id: Type.Optional(
          Type.String({
            description: "The network's transaction id, sent with later debits of the card",
          }),
        ),
      }),
    ),
    state_comment: Type.Optional(Type.String()),
  },
  { title: 'RequestResult' },
);

/** An item of `retentions`, with `detail_retentions=true`. */
export const retentionAnswer = Type.Object(
  {
    regime: Type.String(),
    jurisdiction: Type.String(),
    base: money,
    rate: Type.Number({ description: 'Percent' }),
    amount: money,
    certificate: Type.String(),
  },
  { title: 'Retention' },
);

/** A request's results, as a member of its answer. */
export const resultsAnswer = {
  request_result: Type.Array(resultAnswer),
  rejected_results_left_out: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Number of older rejections left out: `request_result` has the last 50',
    }),
  ),
};
