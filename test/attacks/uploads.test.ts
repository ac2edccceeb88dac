import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { documentOf, item, open, put } from '../harness/builders/imports.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  // Without a worker, uploads stay until a test processes them.
  service = await startService({ ROLES: 'qr', UPLOADS_OPEN: '4', UPLOADS_STORED_MIB: '3' });
});
afterAll(() => service.stop());

const work = () => service.service.parts.bulk.work(new AbortController().signal);

const chunks = async (): Promise<number> => {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from batch_chunks`;
  return row?.count ?? -1;
};

/** Makes all pending work due, and runs the worker until it is done. */
async function endAll(): Promise<void> {
  const past = Temporal.Now.instant().subtract({ hours: 1 });
  await service.sql`
    update batches set expires_at = least(expires_at, ${past}::timestamptz),
      look_at = ${past}::timestamptz where look_at is not null`;
  await work();
  await work();
  const watched = await service.sql`select 1 from batches where look_at is not null`;
  expect([watched.length, await chunks()]).toEqual([0, 0]);
}

test('limits an account’s open uploads, even concurrent ones, until some end', async () => {
  const calls = Array.from({ length: 12 }, () => service.call('GET', '/bucket-url'));
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array(4).fill(200), ...Array(8).fill(429)]);
  const refused = await service.call('GET', '/bucket-url');
  expect(refused.body.message).toContain('the maximum is 4');
  expect(refused.headers.get('retry-after')).toBe('60');
  const { key } = await anotherAccount(service);
  expect((await service.call('GET', '/bucket-url', { key })).status).toBe(200);
  await endAll();
  expect((await service.call('GET', '/bucket-url')).status).toBe(200);
  await endAll();
});

test('refuses an upload at its first bytes if it is not a JSON object', async () => {
  const { url } = await open(service);
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const head = `PUT ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 400000000\r\n\r\n`;
  socket.write(head);
  socket.write(Buffer.alloc(1024 * 1024, 'x'));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
  socket.destroy();
  expect(await chunks()).toBe(0);
  for (const body of ['[]', 'null', '"{"', ' \n', 'PK\u0003\u0004']) {
    const { status, body: told } = await put(url, body);
    expect(status, body).toBe(400);
    expect(told.message).toContain('is not a JSON object');
  }
  expect((await put(url, `\ufeff\r\n ${documentOf([item('object')])}`)).status).toBe(200);
  await endAll();
});

test('limits the space of an account’s documents, and frees it when one is refused or ends', async () => {
  const [first, second, third] = [await open(service), await open(service), await open(service)];
  const large = `{"total_count":1,"note":"${'x'.repeat(3 * 1024 * 1024)}"}`;
  expect((await put(first.url, large)).status).toBe(200);
  const stored = await chunks();
  const refused = await put(second.url, documentOf([item('second')]));
  expect(refused.status).toBe(429);
  expect(refused.body.message).toContain('the limit is 3145728');
  expect((await service.call('GET', '/bucket-url')).status).toBe(429);
  expect(await chunks()).toBe(stored);
  await work();
  await work();
  expect(await chunks()).toBe(0);
  expect((await put(second.url, documentOf([item('second')]))).status).toBe(200);
  expect((await put(third.url, documentOf([item('third')]))).status).toBe(200);
  await endAll();
});
