import { type Static, Type } from 'typebox';
import { money } from '../../platform/http/shapes.ts';

const administrator = Type.Object({
  identification_number: Type.String({ description: 'CUIT' }),
  name: Type.String(),
});

const collector = Type.Object({
  account: Type.String({ description: 'CVU, 22 digits' }),
  identification_number: Type.String({ description: 'CUIT' }),
  name: Type.String({ maxLength: 50 }),
  mcc: Type.String(),
  postal_code: Type.Optional(Type.String()),
});

const item = Type.Object({
  title: Type.String(),
  description: Type.String(),
  quantity: Type.Integer(),
  unit_price: money,
  currency_id: Type.Literal('ARS'),
});

const order = Type.Object({
  id: Type.String({ description: 'Payment reference' }),
  total_amount: Type.Optional(money),
  min_amount: Type.Optional(money),
  max_amount: Type.Optional(money),
  items: Type.Optional(Type.Array(item)),
});

const payable = Type.Object({
  status: Type.String({ enum: ['open_amount', 'closed_amount'] }),
  administrator,
  collector,
  order,
  payment_methods_allowed: Type.Array(Type.Object({ id: Type.Literal('TRANSFER') })),
});

const waiting = Type.Object({
  status: Type.Literal('pending'),
  retry_delay: Type.Integer({ description: 'Seconds to wait before the next read' }),
});

const unpayable = Type.Object({
  status: Type.String({ enum: ['unsupported_qr_code', 'unsupported_merchant', 'error'] }),
  message: Type.String(),
});

/** The 200 response of GET /resolve: the acceptor's part of the interoperable scheme. */
export const resolveAnswer = Type.Union([payable, waiting, unpayable]);

export type ResolveAnswer = Static<typeof resolveAnswer>;
export type Payable = Static<typeof payable>;
