import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatFor } from '../../src/reports/formats.ts';
import { createReportReader } from '../../src/reports/index.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { startService, type TestService, testAccount, testKey } from '../harness/service.ts';
import { store } from '../reports/rows.ts';

const day = '2003-02-01';
const text = 'Cuota de diciembre, plan anual, con todo lo que hay que decir de ella. '.repeat(60);
let service: TestService;
let other: { id: string; key: string };

beforeAll(async () => {
  service = await startService({ ROLES: 'payments', DATABASE_POOL: '16' });
  other = await anotherAccount(service);
  const rows = Array.from({ length: 6_000 }, () => ({ amount: 1_000, description: text }));
  for (const accountId of [testAccount, other.id])
    await store(service.sql, { accountId, day }, rows);
});
afterAll(() => service.stop());

const slowReader = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${testKey}` };
    const url = `${service.origin}/report/collection/${day}`;
    get(url, { headers, agent: false }, resolve).once('error', reject);
  });

test('serves other accounts’ long reports despite one account’s slow readers', async () => {
  const slow = await Promise.all(Array.from({ length: 4 }, slowReader));
  const statuses = slow.map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 503)).toHaveLength(2);
  const report = await service.call('GET', `/report/collection/${day}`, { key: other.key });
  expect(report.status).toBe(200);
  expect(report.body.data).toHaveLength(6_000);
  for (const one of slow) one.destroy();
});

test('aborts a stalled reader, and gives its place to the next one', async () => {
  const pace = { everyMs: 50, bytes: 1024 };
  const read = createReportReader(service.service.parts.base.reads, { atOnce: 1, pace });
  const wanted = {
    name: 'collection' as const,
    scope: { accountId: testAccount, day: Temporal.PlainDate.from(day) },
    format: formatFor('application/json'),
  };
  const { content } = await read(wanted);
  if (!(content instanceof Readable)) throw new Error('a long report is streamed');
  await expect(read(wanted)).rejects.toMatchObject({ kind: 'unavailable' });
  // Reads once, then stalls.
  await once(content, 'readable');
  await expect(finished(content)).rejects.toThrow('read too slowly');
  const next = await read(wanted);
  expect(next.content).toBeInstanceOf(Readable);
  if (next.content instanceof Readable) next.content.destroy();
});
