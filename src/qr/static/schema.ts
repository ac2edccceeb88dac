import { type Static, Type } from 'typebox';
import { amount, integer, oneOf, prose, reference, text } from '../../platform/http/fields.ts';
import { type Filled, form, optional, required } from '../../platform/http/form.ts';
import { dateTime, money } from '../../platform/http/shapes.ts';
import { createdShape, paidShape } from '../answer-times.ts';
import { idFault, idText, trueOrFalse } from '../item.ts';
import { activePeriod } from './state.ts';

export const staticTypes = ['static_open_amount', 'static_closed_amount'] as const;

const members = {
  id: required(idText),
  qr_type: required(oneOf(staticTypes)),
  qr_name: required(prose({ max: 15 })),
  city: required(prose({ max: 15 })),
  postal_code: optional(text({ max: 10 })),
  multiple_payment: required(trueOrFalse),
  description: required(prose({ min: 2, max: 500, lineBreaks: true })),
  payer_name: required(prose({ max: 255 })),
};

/** The body of POST /create-qr (interface 2.12). */
export const staticForm = form<typeof members, { accountId: string }>(
  members,
  (valid, { accountId }) => ({ id: idFault(valid.id, accountId) }),
);

export type StaticInput = Filled<typeof members>;

/** The body of PUT /new-transaction. */
export const transactionForm = form({
  first_total: required(amount()),
  active_period: optional(integer({ min: 1, max: activePeriod.longest, digits: true })),
  external_reference: optional(reference()),
});

/** The body of POST /pay-qr-static/{qr_id}. */
export const paymentForm = form({ first_total: optional(amount()) });

const status = Type.String({ enum: ['Pending', 'Paid', 'Expired', 'Refunded'] });

const transaction = {
  request_id: Type.Integer({ description: 'Id used in reports' }),
  first_total: money,
  external_reference: Type.Optional(Type.String()),
  status,
  ...createdShape,
  expires_at: dateTime,
  ...paidShape,
};

const common = {
  id: Type.String(),
  account_id: Type.String(),
  cuit: Type.String(),
  description: Type.String(),
  payer_name: Type.String(),
  qr_string: Type.String({ description: 'The text in the image' }),
  image_url: Type.String({ description: 'PNG' }),
  image_svg_url: Type.String(),
};

/** The response of POST /create-qr, and of GET /status-static/{qr_id} for a static QR. */
export const staticAnswer = Type.Object(
  {
    ...common,
    qr_type: Type.String({ enum: [...staticTypes] }),
    qr_name: Type.String(),
    city: Type.String(),
    postal_code: Type.Optional(Type.String()),
    multiple_payment: Type.Boolean(),
    status,
    ...createdShape,
    ...paidShape,
    transaction: Type.Optional(
      Type.Object(
        { qr_id: Type.String(), ...transaction },
        { description: 'Amount due now (closed amount)' },
      ),
    ),
  },
  { title: 'StaticQr' },
);

/** The response of GET /status-static/{qr_id} for a transaction. */
export const transactionAnswer = Type.Object(
  {
    ...common,
    static_id: Type.String(),
    ...transaction,
  },
  { title: 'StaticQrTransaction' },
);

export type StaticAnswer = Static<typeof staticAnswer>;
export type TransactionAnswer = Static<typeof transactionAnswer>;

/** The response of PUT /new-transaction. Existing clients check for this code. */
export const transactionBegun = Type.Object({
  code: Type.Literal(200),
  message: Type.Literal('Ok'),
  qr_id: Type.String(),
});
