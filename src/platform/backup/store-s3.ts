import { withoutSlashes } from '../../kernel/text.ts';
import { type S3Settings, s3Client } from '../s3.ts';
import { refusal } from './codes.ts';
import type { BackupStore, StoredObject } from './store.ts';

/** Timeout of a call: 16 MiB at 300 KB/s. */
const mostMs = 60_000;

const textOf = (tag: string, xml: string): string | undefined =>
  xml.split(`<${tag}>`, 2)[1]?.split(`</${tag}>`, 1)[0];

export function bucketStore(settings: S3Settings, prefix: string): BackupStore {
  const client = s3Client(settings);
  const bucket = `${withoutSlashes(settings.endpoint)}/${settings.bucket}`;
  const place = prefix === '' ? bucket : `${bucket}/${prefix}`;
  const keyOf = (name: string): string => (prefix === '' ? name : `${prefix}/${name}`);
  const call = async (
    address: string,
    method: string,
    allowed: readonly number[],
    body?: Buffer,
  ): Promise<{ status: number; bytes: Buffer }> => {
    const answer = async () => {
      const response = await client.fetch(address, {
        method,
        signal: AbortSignal.timeout(mostMs),
        ...(body && { body: new Uint8Array(body) }),
      });
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    const { status, bytes } = await answer().catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw refusal('backup.store_away', { place, why });
    });
    if (allowed.includes(status)) return { status, bytes };
    throw refusal('backup.store_refused', { place, method, status: String(status) });
  };
  const addressOf = (name: string): string => `${bucket}/${keyOf(name)}`;
  return {
    place,
    async put(name, bytes) {
      await call(addressOf(name), 'PUT', [200], bytes);
    },
    async get(name) {
      const { status, bytes } = await call(addressOf(name), 'GET', [200, 404]);
      return status === 404 ? null : bytes;
    },
    async list(folder) {
      const found: StoredObject[] = [];
      let token: string | undefined;
      do {
        const url = new URL(bucket);
        url.searchParams.set('list-type', '2');
        url.searchParams.set('prefix', `${keyOf(folder)}/`);
        if (token !== undefined) url.searchParams.set('continuation-token', token);
        const text = (await call(url.href, 'GET', [200])).bytes.toString();
        for (const entry of text.split('<Contents>').slice(1)) {
          const key = textOf('Key', entry) ?? '';
          const name = prefix === '' ? key : key.slice(prefix.length + 1);
          found.push({ name, bytes: Number(textOf('Size', entry)) });
        }
        token = textOf('NextContinuationToken', text);
      } while (token !== undefined);
      return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    async remove(name) {
      await call(addressOf(name), 'DELETE', [200, 204, 404]);
    },
  };
}
