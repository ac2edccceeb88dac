import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  documentOf,
  ended,
  imported,
  item,
  items,
  open,
  put,
} from '../../harness/builders/imports.ts';
import { startService, type TestService } from '../../harness/service.ts';
import { rawCall } from '../../platform/http/raw.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const stateOf = async (id: string) => {
  const [row] = await service.sql<{ state: string; bytes: number | null; chunks: number }[]>`
    select state, bytes, (select count(*)::int from batch_chunks where batch_id = id) as chunks
    from batches where id = ${id}`;
  return row;
};

const untouched = { state: 'waiting_upload', bytes: null, chunks: 0 };

test('accepts one upload per address', async () => {
  const { id, url } = await open(service);
  expect((await put(url, documentOf([item('once')]))).status).toBe(200);
  const again = await put(url, documentOf([item('twice')]));
  expect([again.status, again.body.code]).toEqual([409, 'H303']);
  expect(await ended(service, id)).toMatchObject({ state: 'completed', created: 1 });
  const large = await rawCall(service.origin, {
    method: 'PUT',
    path: new URL(url).pathname,
    body: Array.from({ length: 64 }, () => Buffer.alloc(256 * 1024)),
  });
  expect([large.status, large.body.code]).toEqual([409, 'H303']);
});

test('accepts one of several concurrent uploads', async () => {
  const { id, url } = await open(service);
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((name) => put(url, documentOf(items(50, `race-${name}`)))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(await ended(service, id)).toMatchObject({ state: 'completed', created: 50 });
});

test('refuses a tampered address, and a token of another purpose', async () => {
  const { url } = await open(service);
  const created = await service.call('POST', '/payment-request', {
    body: {
      payment_request: {
        description: 'Cuota',
        first_due_date: '31-12-2098',
        first_total: 10,
        payer_name: 'Ana',
      },
    },
  });
  const checkoutToken = String(created.body.checkout_url).split('/').at(-1);
  const last = url.at(-1) === 'A' ? 'B' : 'A';
  for (const address of [
    `${url.slice(0, -1)}${last}`,
    `${service.origin}/qr-upload/x`,
    `${service.origin}/qr-upload/${checkoutToken}`,
  ]) {
    const { status, body } = await put(address, documentOf([item('tampered')]));
    expect([status, body.code]).toEqual([403, 'H301']);
  }
  const token = url.split('/').at(-1);
  expect((await service.call('GET', `/checkout/${token}`)).status).toBe(404);
});

test('refuses an expired address, before and after its cleanup', async () => {
  const { id, url } = await open(service);
  await service.sql`
    update batches set expires_at = expires_at - interval '1 hour', look_at = null where id = ${id}`;
  const late = await put(url, documentOf([item('late')]));
  expect([late.status, late.body.code]).toEqual([403, 'H302']);
  await service.sql`update batches set look_at = expires_at where id = ${id}`;
  expect(await ended(service, id)).toMatchObject({
    state: 'failed',
    error:
      'No document was uploaded while the address was valid. Get another from GET /bucket-url.',
  });
  expect((await put(url, documentOf([item('late')]))).body.code).toBe('H302');
  const events =
    await service.sql`select type from events where entity = 'qr_batch' and entity_id = ${id}`;
  expect(events).toEqual([{ type: 'qr_batch.opened' }]);
});

test('refuses compressed, empty and oversized bodies, and keeps the address valid', async () => {
  const { id, url } = await open(service);
  const zipped = new Uint8Array(gzipSync(documentOf([item('zip')])));
  for (const headers of [{}, { 'content-encoding': 'gzip' }]) {
    const { status, body } = await put(url, zipped, headers);
    expect([status, body.code]).toEqual([415, 'H304']);
  }
  expect((await put(url, '')).status).toBe(400);
  const tooLarge = await rawCall(service.origin, {
    method: 'PUT',
    path: new URL(url).pathname,
    headers: { 'content-length': String(512 * 1024 * 1024 + 1) },
  });
  expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'H413']);
  expect(await stateOf(id)).toEqual(untouched);
  expect((await put(url, documentOf([item('after')]), { 'content-type': 'x/y' })).status).toBe(200);
  expect(await ended(service, id)).toMatchObject({ state: 'completed' });
});

/** Starts an upload that declares one byte more than it sends. Returns its socket. */
async function beginUpload(url: string, bytes: Buffer) {
  const { hostname, port, pathname } = new URL(url);
  const socket = connectSocket(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `PUT ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes.length + 1}\r\n\r\n`,
  );
  socket.write(bytes);
  return socket;
}

test('leaves nothing of an interrupted upload, and accepts another', async () => {
  const { id, url } = await open(service);
  const bytes = Buffer.from(documentOf(items(10_000, 'cut')));
  const socket = await beginUpload(url, bytes);
  await expect.poll(async () => (await stateOf(id))?.chunks).toBeGreaterThan(0);
  const beside = await put(url, documentOf([item('beside')]));
  expect([beside.status, beside.body.code]).toEqual([409, 'H303']);
  socket.destroy();
  await expect.poll(() => stateOf(id)).toEqual(untouched);
  expect((await put(url, documentOf(items(3, 'whole')))).status).toBe(200);
  expect(await ended(service, id)).toMatchObject({ state: 'completed', created: 3 });
});

test('clears an upload whose process seems dead, and answers 409 if it continues', async () => {
  const { id, url } = await open(service);
  const socket = await beginUpload(url, Buffer.from(documentOf(items(10_000, 'dead'))));
  // Wait until all complete chunks are stored.
  await expect.poll(async () => (await stateOf(id))?.chunks).toBe(2);
  // Simulate a minute without a chunk, so that a worker clears the upload before it continues.
  await service.sql`update batches set look_at = expires_at - interval '2 hours' where id = ${id}`;
  await expect.poll(() => stateOf(id)).toEqual(untouched);
  expect((await put(url, documentOf(items(2, 'second')))).status).toBe(200);
  socket.write('x');
  const [said] = await once(socket, 'data');
  expect(String(said)).toMatch(/^HTTP\/1.1 409 /);
  expect(await ended(service, id)).toMatchObject({ state: 'completed', created: 2 });
});

test('throttles an upload to the rate of storing it', async () => {
  const { id, url } = await open(service);
  const bytes = Buffer.alloc(64 * 1024 * 1024, ' ');
  let release: () => void = () => {};
  const held = service.sql.begin(async (tx) => {
    await tx`lock table batch_chunks in exclusive mode`;
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  const before = process.memoryUsage.rss();
  const socket = await beginUpload(url, bytes);
  const waiting = () => service.sql`
    select from pg_locks where relation = 'batch_chunks'::regclass and not granted`;
  await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
  let last = -1;
  const isStill = () => {
    const sent = socket.bytesWritten - socket.writableLength;
    const isSame = sent === last;
    last = sent;
    return isSame;
  };
  await expect.poll(isStill).toBe(true);
  // The upload stays in the client's memory and is not buffered a second time in ours.
  expect(socket.bytesWritten - socket.writableLength).toBeLessThan(bytes.length / 2);
  expect(process.memoryUsage.rss() - before).toBeLessThan(128e6);
  release();
  await held;
  socket.destroy();
  await expect.poll(() => stateOf(id), { timeout: 10_000 }).toEqual(untouched);
});

test('creates each shared id once in two concurrent imports', async () => {
  const shared = items(3_000, 'shared');
  const [one, two] = await Promise.all([
    imported(service, documentOf(shared)),
    imported(service, documentOf(shared.toReversed())),
  ]);
  expect(one.created + two.created).toBe(3_000);
  expect(one.rejected + two.rejected).toBe(3_000);
});
