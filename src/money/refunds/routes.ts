import type { Ctx } from '../../platform/base.ts';
import type { Endpoints } from '../../platform/http/endpoint.ts';
import { integer, text } from '../../platform/http/fields.ts';
import { type Form, form, required } from '../../platform/http/form.ts';
import { referenceOf } from '../../platform/idempotency.ts';
import type { RequestKind } from '../../requests/index.ts';
import { presentRefund, refundAnswer, refundForm, refundsAnswer } from './schema.ts';
import type { Refunded, RefundVerbs } from './verbs.ts';

const largestId = 999_999_999_999_999;
const id = integer({ min: 0, max: largestId, digits: true });
const refundId = integer({ min: 1, max: Number.MAX_SAFE_INTEGER, digits: true });

/** Refund paths of a kind of request. */
interface Noun<P> {
  /** Name of the noun in operation ids. */
  type: string;
  tag: string;
  name: string;
  path: string;
  params: Form<P>;
  oneParams: Form<P & { refund_id: number }>;
  find(ctx: Ctx, params: P): Promise<Refunded>;
}

function nounRoutes<P>(endpoints: Endpoints, noun: Noun<P>, refunds: RefundVerbs): void {
  const { type, tag, name, path, params, oneParams, find } = noun;
  endpoints.addChanging(
    {
      id: `refund${type}`,
      method: 'POST',
      path,
      permission: 'refunds:write',
      tag,
      summary: `Refund a payment of a ${name}, in full or in part`,
      description:
        'The amount leaves the account holder’s balances at once. The refund is `done` when the ' +
        'channel confirms it, or the operator’s bank if the channel cannot refund; the refund ' +
        'report then lists it.',
      params,
      body: { wrapper: 'refund', form: refundForm, context: () => undefined },
      answer: { status: 201, schema: refundAnswer },
    },
    async ({ ctx, params: named, body, claim }) => {
      const refund = await refunds.request(ctx, {
        ...(await find(ctx, named)),
        resultId: body.result_id ?? null,
        amount: body.amount ?? null,
        cbu: body.cbu ?? null,
        reference: referenceOf(claim),
      });
      return { status: 201, body: presentRefund(refund) };
    },
  );
  endpoints.add(
    {
      id: `list${type}Refunds`,
      method: 'GET',
      path,
      permission: 'refunds:read',
      tag,
      summary: `List the refunds of a ${name}`,
      params,
      answer: { status: 200, schema: refundsAnswer },
    },
    async ({ ctx, params: named }) => {
      const rows = await refunds.list(await find(ctx, named));
      return { status: 200, body: { data: rows.map(presentRefund) } };
    },
  );
  endpoints.add(
    {
      id: `get${type}Refund`,
      method: 'GET',
      path: `${path}/:refund_id`,
      permission: 'refunds:read',
      tag,
      summary: `Get a refund of a ${name}`,
      params: oneParams,
      answer: { status: 200, schema: refundAnswer },
    },
    async ({ ctx, params: named }) => {
      const refund = await refunds.get(await find(ctx, named), named.refund_id);
      return { status: 200, body: presentRefund(refund) };
    },
  );
}

/** Adds the refund routes of requests that are addressed by number. */
export function refundRoutes(
  endpoints: Endpoints,
  refunds: RefundVerbs,
  {
    kind,
    type,
    path,
    tag,
    name,
  }: { kind: RequestKind; type: string; path: string; tag: string; name: string },
): void {
  const noun: Noun<{ id: number }> = {
    type,
    tag,
    name,
    path: `${path}/:id/refund`,
    params: form({ id: required(id) }),
    oneParams: form({ id: required(id), refund_id: required(refundId) }),
    find: ({ accountId }, named) => Promise.resolve({ key: { accountId, id: named.id }, kind }),
  };
  nounRoutes(endpoints, noun, refunds);
}

/** Adds the refund routes of QRs. Their paths contain the id that the creator chose. */
export function qrRefundRoutes(
  endpoints: Endpoints,
  refunds: RefundVerbs,
  requestOf: (ctx: Ctx, qrId: string) => Promise<number>,
): void {
  const qrId = text({ max: 100 });
  const noun: Noun<{ qr_id: string }> = {
    type: 'Qr',
    tag: 'QR',
    name: 'QR',
    path: '/refund-qr/:qr_id',
    params: form({ qr_id: required(qrId) }),
    oneParams: form({ qr_id: required(qrId), refund_id: required(refundId) }),
    find: async (ctx, named) => ({
      key: { accountId: ctx.accountId, id: await requestOf(ctx, named.qr_id) },
      kind: 'qr',
    }),
  };
  nounRoutes(endpoints, noun, refunds);
}
