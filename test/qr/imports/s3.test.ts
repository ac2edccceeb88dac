import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { s3Storage } from '../../../src/qr/imports/storage/s3.ts';
import {
  documentOf,
  ended,
  item,
  items,
  open,
  put,
  resultOf,
} from '../../harness/builders/imports.ts';
import { startService, type TestService } from '../../harness/service.ts';

let service: TestService;
let store: S3rver;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'recaudo-s3-'));
  store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: 'documents' }],
  });
  const { port } = await store.run();
  // When s3rver removes the last object, it also removes the folder, even while another upload
  // opens a file in it.
  const folder = path.join(directory, 'documents', 'qr-batches');
  await mkdir(folder);
  await writeFile(path.join(folder, 'never-empty'), '');
  service = await startService({
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: 'documents',
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  });
});
afterAll(async () => {
  await service.stop();
  await store.close();
  await rm(directory, { recursive: true, force: true });
});

const objects = async (): Promise<string[]> =>
  (await readdir(path.join(directory, 'documents'), { recursive: true })).filter((name) =>
    name.includes('.json'),
  );

test('finds, processes and removes a document in the store', async () => {
  const { id, url } = await open(service);
  expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('60');
  const data = [...items(6_000, 'store'), item('store-1')];
  expect((await put(url, documentOf(data))).status).toBe(200);
  expect(await objects()).not.toEqual([]);
  expect(await ended(service, id)).toMatchObject({
    state: 'completed',
    total_count: 6_001,
    created: 6_000,
    rejected: 1,
  });
  await expect.poll(objects).toEqual([]);
  const [kept] = await service.sql`select count(*)::int as chunks from batch_chunks`;
  expect(kept).toEqual({ chunks: 0 });
});

test('fails a document that is not JSON, with the reason', async () => {
  const { id, url } = await open(service);
  await put(url, 'id;city');
  expect(await ended(service, id)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('must be a JSON object'),
  });
});

test('fails a document replaced before it was processed', async () => {
  const { id, url } = await open(service);
  // No worker processes the batch until this is undone.
  await service.sql`update batches set state = 'processing', look_at = null where id = ${id}`;
  const found = await put(url, documentOf(items(10, 'first')));
  await put(url, documentOf(items(10, 'second')));
  await service.sql`
    update batches set version = ${found.headers.get('etag')}, look_at = created_at
    where id = ${id}`;
  expect(await ended(service, id)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('The document was replaced or removed after its upload.'),
    created: 0,
  });
});

test('abandons an unused upload address after an hour', async () => {
  const { id } = await open(service);
  const hoursAgo = (hours: number) => service.sql`
    update batches set expires_at = expires_at - ${hours} * interval '1 hour', look_at = created_at
    where id = ${id}`;
  await hoursAgo(0.5);
  await expect
    .poll(async () => {
      const [row] = await service.sql<{ waits: boolean }[]>`
        select look_at > created_at + interval '20 seconds' as waits from batches where id = ${id}`;
      return row?.waits;
    })
    .toBe(true);
  expect((await resultOf(service, id)).body.state).toBe('waiting_upload');
  await hoursAgo(1);
  expect(await ended(service, id)).toMatchObject({ state: 'failed' });
});

test('times out an upload to an unresponsive store', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  try {
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const settings = {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'documents',
      region: 'x',
      accessKeyId: 'x',
      secretAccessKey: 'x',
    };
    const { put: putThere } = s3Storage(settings, { putMs: 200 });
    const given = putThere({ accountId: 'A1B2C3D4', id: 1 }, Buffer.from('{}'));
    await expect(given).rejects.toMatchObject({ kind: 'unavailable' });
  } finally {
    silent.close();
  }
});
