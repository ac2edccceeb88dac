import { type Static, Type } from 'typebox';
import type { JsonSchema } from '../../platform/http/form.ts';
import { dateTime, money } from '../../platform/http/shapes.ts';
import { createdShape, dayText, paidShape } from '../answer-times.ts';
import { qrEditSchema } from '../item.ts';
import { statusNames } from '../state.ts';

/** The response of GET /status/{qr_id}. */
export const qrAnswer = Type.Object(
  {
    id: Type.String(),
    request_id: Type.Optional(
      Type.Integer({ description: 'Id used in reports; present once paid' }),
    ),
    cuit: Type.String(),
    account_id: Type.String(),
    description: Type.String(),
    first_due_date: dayText,
    first_total: money,
    second_due_date: Type.Optional(dayText),
    second_total: Type.Optional(money),
    external_reference: Type.Optional(Type.String()),
    payer_name: Type.String(),
    city: Type.String(),
    qr_type: Type.Optional(Type.String()),
    qr_name: Type.Optional(Type.String()),
    postal_code: Type.Optional(Type.String()),
    payer_email: Type.Optional(Type.String()),
    multiple_payment: Type.Boolean(),
    payments: Type.Optional(
      Type.Integer({ description: 'Number of payments so far, with multiple_payment' }),
    ),
    status: Type.String({ enum: Object.values(statusNames) }),
    ...createdShape,
    updated_at: dayText,
    updated_at_time: dateTime,
    ...paidShape,
    deleted_at: Type.Optional(dayText),
    deleted_at_time: Type.Optional(dateTime),
    qr_string: Type.Optional(
      Type.String({ description: 'Contents of the code (EMV QRCPS, merchant-presented)' }),
    ),
    image_url: Type.Optional(Type.String({ description: 'PNG' })),
    image_svg_url: Type.Optional(Type.String()),
  },
  { title: 'Qr' },
);

export type QrAnswer = Static<typeof qrAnswer>;

/** The response of saving, editing and deleting. */
export const batchAnswer = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    total_count: Type.Integer(),
    data: Type.Array(Type.Object({ id: Type.String() })),
  },
  { title: 'QrBatch' },
);

/** A QR's id in deletions. */
export const idSchema: JsonSchema = {
  type: 'string',
  maxLength: 25,
  description: 'Id, with or without the account prefix',
};

/** Returns the JSON schema of a single edit: a batch of one, or the item itself. */
export const oneEditSchema = (batch: JsonSchema): JsonSchema => {
  const { required: _id, ...flat } = qrEditSchema;
  return { anyOf: [batch, flat] };
};
