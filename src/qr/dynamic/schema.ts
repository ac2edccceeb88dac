import { type Static, Type } from 'typebox';
import type { JsonSchema } from '../../platform/http/form.ts';
import { dateTime, money } from '../../platform/http/shapes.ts';
import { qrItemSchema } from '../item.ts';

const day = Type.String({ description: 'dd-mm-yyyy' });

/** The answer of GET /status/{qr_id}. */
export const qrAnswer = Type.Object({
  id: Type.String(),
  request_id: Type.Optional(Type.Integer({ description: "Once paid: the reports' key" })),
  cuit: Type.String(),
  account_id: Type.String(),
  description: Type.String(),
  first_due_date: day,
  first_total: money,
  second_due_date: Type.Optional(day),
  second_total: Type.Optional(money),
  external_reference: Type.Optional(Type.String()),
  payer_name: Type.String(),
  city: Type.String(),
  qr_type: Type.Optional(Type.String()),
  qr_name: Type.Optional(Type.String()),
  postal_code: Type.Optional(Type.String()),
  payer_email: Type.Optional(Type.String()),
  multiple_payment: Type.Boolean(),
  payments: Type.Optional(Type.Integer({ description: 'With multiple_payment: how many so far' })),
  status: Type.String({ description: 'Pending, Paid, Expired, Deleted or Refunded' }),
  created_at: dateTime,
  updated_at: dateTime,
  paid_at: Type.Optional(dateTime),
  refunded_at: Type.Optional(dateTime),
  deleted_at: Type.Optional(dateTime),
  qr_string: Type.String({ description: 'What the code says (EMV QRCPS, merchant-presented)' }),
  image_url: Type.String({ description: 'PNG' }),
  image_svg_url: Type.String(),
});

export type QrAnswer = Static<typeof qrAnswer>;

/** The answer of what saves, edits and deletes. */
export const batchAnswer = Type.Object({
  code: Type.String(),
  message: Type.String(),
  total_count: Type.Integer(),
  data: Type.Array(Type.Object({ id: Type.String() })),
});

/** An id of a QR as deletions name it. */
export const idSchema: JsonSchema = {
  type: 'string',
  maxLength: 25,
  description: 'With or without the account prefix',
};

/** The path names it. */
const requiredButId = (qrItemSchema.required as string[]).filter((name) => name !== 'id');

/** The body of an edit of one QR: a batch of one, or the item itself. */
export const oneEditSchema = (batch: JsonSchema): JsonSchema => ({
  anyOf: [batch, { ...qrItemSchema, required: requiredButId }],
});
