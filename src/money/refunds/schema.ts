import { Type } from 'typebox';
import { isoDateTime } from '../../kernel/dates.ts';
import { toJsonNumber } from '../../kernel/money.ts';
import { amount, integer, text } from '../../platform/http/fields.ts';
import { form, optional } from '../../platform/http/form.ts';
import { dateTime, money } from '../../platform/http/shapes.ts';
import type { RefundRow } from './refund.ts';

/** The body of a refund. Default: all that is left of the last refundable payment. */
export const refundForm = form({
  amount: optional(amount()),
  result_id: optional(integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  cbu: optional(text({ max: 22 })),
});

export const refundAnswer = Type.Object(
  {
    id: Type.Integer(),
    state: Type.String({
      enum: ['requested', 'done', 'failed'],
      description: '`requested` until the channel or the bank confirms the refund',
    }),
    amount: money,
    result_id: Type.Integer({ description: 'Id of the payment in `request_result`' }),
    created_at: dateTime,
    ended_at: Type.Optional(dateTime),
    cbu: Type.Optional(
      Type.String({ description: 'Bank account to which the operator transfers the refund' }),
    ),
    state_comment: Type.Optional(
      Type.String({ description: 'Reason for the failure, or the reference' }),
    ),
  },
  { title: 'Refund' },
);

export const refundsAnswer = Type.Object(
  { data: Type.Array(refundAnswer) },
  { title: 'RefundList' },
);

export const presentRefund = (row: RefundRow) => ({
  id: row.id,
  state: row.state,
  amount: toJsonNumber(row.amount),
  result_id: row.result_id,
  created_at: isoDateTime(row.requested_at),
  ...(row.ended_at !== null && { ended_at: isoDateTime(row.ended_at) }),
  ...(row.cbu !== null && { cbu: row.cbu }),
  ...(row.comment !== null && row.comment !== '' && { state_comment: row.comment }),
});
