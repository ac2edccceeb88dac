import type { Endpoints } from '../../platform/http/endpoint.ts';
import { integer, text } from '../../platform/http/fields.ts';
import { form, required } from '../../platform/http/form.ts';
import { type QrTerms, refuseUnlessOffered } from '../payload/payload.ts';
import type { OpenBatch } from './open.ts';
import { presentOpened, presentResult } from './present.ts';
import type { GetBatchResult } from './result.ts';
import { batchResultAnswer, openedAnswer } from './schema.ts';

const tag = 'QR: bulk import';
const resultParams = form({
  id: required(text({ max: 40 })),
  page: required(integer({ min: 1, max: 1_000_000, digits: true })),
});

export function bulkRoutes(
  endpoints: Endpoints,
  { open, result }: { open: OpenBatch; result: GetBatchResult },
  terms: Pick<QrTerms, 'offered'>,
): void {
  endpoints.add(
    {
      id: 'getQrUploadUrl',
      method: 'GET',
      path: '/bucket-url',
      permission: 'qr:write',
      tag,
      summary: 'Get an upload address for up to 100000 QRs',
      description:
        'PUT one JSON document {webhook_url?, total_count, data} to `url` within a minute. ' +
        'It is processed in the background: GET /batch-result/{id}/1 shows its state. ' +
        'Returns 429 while too many or too large imports of the account are still pending.',
      answer: { status: 200, schema: openedAnswer },
    },
    async ({ ctx }) => {
      refuseUnlessOffered(terms);
      return { status: 200, body: presentOpened(await open(ctx)) };
    },
  );

  endpoints.add(
    {
      id: 'getQrBatchResult',
      method: 'GET',
      path: '/batch-result/:id/:page',
      permission: 'qr:read',
      tag,
      summary: 'Get the state of a bulk import and the outcome of each item',
      params: resultParams,
      answer: { status: 200, schema: batchResultAnswer },
    },
    async ({ ctx, params }) => ({
      status: 200,
      body: await presentResult(await result(ctx, params)),
    }),
  );
}
