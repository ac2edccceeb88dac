import { withoutSlashes } from '../../../kernel/text.ts';
import { type S3Settings, s3Client } from '../../../platform/s3.ts';
import { type BatchKey, keyOf, uploadMayBegin } from '../batch.ts';
import { refusal } from '../codes.ts';
import type { DocumentStorage } from './storage.ts';

/** Short, because a person is waiting for the page. */
const mostPutMs = 30_000;

/** Stores documents in an S3 bucket, which both callers and we must reach. */
export function s3Storage(settings: S3Settings, { putMs = mostPutMs } = {}): DocumentStorage {
  const { endpoint, bucket } = settings;
  const client = s3Client(settings);
  const addressOf = ({ accountId, id }: BatchKey): URL =>
    new URL(`${withoutSlashes(endpoint)}/${bucket}/qr-batches/${accountId}-${id}.json`);
  const ask = async (
    key: BatchKey,
    method: string,
    allowed: readonly number[],
    headers: Record<string, string> = {},
  ): Promise<Response> => {
    const response = await client.fetch(addressOf(key).href, { method, headers });
    if (allowed.includes(response.status)) return response;
    await response.body?.cancel();
    throw new Error(`The document store answered ${method} with ${response.status}.`);
  };

  return {
    async uploadUrl(key) {
      const address = addressOf(key);
      const seconds = uploadMayBegin.total({ unit: 'seconds' });
      address.searchParams.set('X-Amz-Expires', String(seconds));
      const signed = await client.sign(address.href, { method: 'PUT', aws: { signQuery: true } });
      return signed.url;
    },
    async arrived(key) {
      const response = await ask(key, 'HEAD', [200, 404]);
      if (response.status === 404) return null;
      return {
        bytes: Number(response.headers.get('content-length')),
        version: response.headers.get('etag'),
      };
    },
    async *read(batch) {
      // The address accepts another PUT until it expires, so pin the checked version.
      const headers = batch.version === null ? {} : { 'if-match': batch.version };
      const response = await ask(keyOf(batch), 'GET', [200, 404, 412], headers);
      if (response.status !== 200 || response.headers.get('etag') !== batch.version) {
        await response.body?.cancel();
        throw refusal('qr_upload.replaced', {});
      }
      if (response.body) yield* response.body;
    },
    async put(key, document) {
      const body = new Uint8Array(document);
      const signal = AbortSignal.timeout(putMs);
      const response = await client
        .fetch(addressOf(key).href, { method: 'PUT', body, signal })
        .catch((error: unknown) => {
          throw signal.aborted ? refusal('qr_upload.store_slow', {}) : error;
        });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The document store answered PUT with ${response.status}.`);
    },
    async remove(key) {
      await ask(key, 'DELETE', [200, 204, 404]);
    },
  };
}
