import { post, read, readPage } from './calls.ts';
import type { CallOptions } from './options.ts';
import type { Call, Transport } from './transport.ts';
import type * as api from './types.ts';

type RefundFields = api.RefundPaymentRequestBody['refund'];

/** Returns the refund calls of a resource, under its path. */
export const refundsOf = <Id extends string | number>(
  transport: Transport,
  pathOf: (id: Id) => string,
  where: Pick<Call, 'service'> = {},
) => ({
  /** Refunds a payment in full or in part; the whole remainder by default. */
  refund: (id: Id, refund: RefundFields = {}, options?: CallOptions) =>
    transport.json<api.Refund>({ ...post(pathOf(id), { refund }), ...where }, options),
  getRefund: (id: Id, refundId: number, options?: CallOptions) =>
    transport.json<api.Refund>({ ...read(`${pathOf(id)}/${refundId}`), ...where }, options),
  listRefunds: async (id: Id, options?: CallOptions) =>
    (await transport.json<api.RefundList>({ ...readPage(pathOf(id)), ...where }, options)).data,
});
