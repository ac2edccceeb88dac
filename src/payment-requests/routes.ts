import type { BarcodeFormat } from '../kernel/barcode.ts';
import type { Ctx } from '../platform/base.ts';
import type { Clocks } from '../platform/clocks.ts';
import type { Endpoints } from '../platform/http/endpoint.ts';
import { flag, integer } from '../platform/http/fields.ts';
import { form, optional, required } from '../platform/http/form.ts';
import { listDescription, type PagedList, presentPage } from '../platform/http/paging.ts';
import { pageAnswer } from '../platform/http/shapes.ts';
import type { CreationOutcome } from '../platform/idempotency.ts';
import type { Links } from '../platform/links.ts';
import { createdAnswer, paymentRequestAnswer } from './answers.ts';
import { type CardPlans, refuseWithoutPlans } from './card-only.ts';
import type { NewPaymentRequest } from './create.ts';
import type { GetPaymentRequest, RequestWithResults } from './get.ts';
import { type ListQuery, listQuery } from './list.ts';
import { presentPaymentRequest } from './present.ts';
import { paymentRequestForm } from './schema.ts';

export interface PaymentRequestVerbs {
  create(one: NewPaymentRequest): Promise<CreationOutcome>;
  get: GetPaymentRequest;
  list(ctx: Ctx, query: ListQuery): Promise<PagedList<RequestWithResults>>;
  barcodeFormat: BarcodeFormat;
}

const largestId = 999_999_999_999_999;
const tag = 'Payment requests';
const idParams = form({ id: required(integer({ min: 1, max: largestId, digits: true })) });
const detailQuery = form({ detail_retentions: optional(flag()) });

export function paymentRequestRoutes(
  endpoints: Endpoints,
  { create, get, list, barcodeFormat: barcode }: PaymentRequestVerbs,
  { links, clocks, ...cards }: { links: Links; clocks: Clocks } & CardPlans,
): void {
  const context = () => ({ today: clocks.business.today(), offered: cards.offered, barcode });

  endpoints.addCreating(
    {
      id: 'createPaymentRequest',
      method: 'POST',
      path: '/payment-request',
      permission: 'payment_requests:write',
      tag,
      summary: 'Create a payment request',
      body: {
        wrapper: 'payment_request',
        form: paymentRequestForm,
        context,
        check: ({ accountId }, input) => refuseWithoutPlans(accountId, input, cards),
      },
      answer: { status: 201, schema: createdAnswer },
    },
    ({ ctx, body, claim }) => create({ ctx, input: body, claim }),
  );

  endpoints.add(
    {
      id: 'getPaymentRequest',
      method: 'GET',
      path: '/payment-request/:id',
      permission: 'payment_requests:read',
      tag,
      summary: 'Get a payment request with its payments, refunds and chargebacks',
      params: idParams,
      query: detailQuery,
      answer: { status: 200, schema: paymentRequestAnswer },
    },
    async ({ ctx, params, query }) => {
      const detailRetentions = query.detail_retentions ?? false;
      const { row, ...rest } = await get(ctx, { id: params.id, detailRetentions });
      return {
        status: 200,
        body: presentPaymentRequest(row, links, clocks.business.today(), rest),
      };
    },
  );

  endpoints.add(
    {
      id: 'listPaymentRequests',
      method: 'GET',
      path: '/payment-request',
      permission: 'payment_requests:read',
      tag,
      summary: 'List payment requests',
      description: listDescription,
      query: listQuery,
      slow: true,
      answer: { status: 200, schema: pageAnswer(paymentRequestAnswer) },
    },
    async ({ ctx, query }) => {
      const today = clocks.business.today();
      const listed = await list(ctx, query);
      return {
        status: 200,
        body: presentPage(listed, ({ row, results }) =>
          presentPaymentRequest(row, links, today, { results, retentions: null }),
        ),
      };
    },
  );
}
