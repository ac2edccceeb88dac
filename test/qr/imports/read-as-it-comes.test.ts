import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentOf, ended, item, items, open, put } from '../../harness/builders/imports.ts';
import { startService, type TestService } from '../../harness/service.ts';

/**
 * The service checks a document while it arrives, so that the importer need not read it a second
 * time just to check it.
 */

let service: TestService;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr' });
});
afterAll(() => service.stop());

const known = async (document: string) => {
  const { id, url } = await open(service);
  expect((await put(url, document)).status).toBe(200);
  const [row] = await service.sql<{ total_count: number | null; webhook_url: string | null }[]>`
    select total_count, webhook_url from batches where id = ${id}`;
  return { id, ...row };
};

const whole = documentOf(items(3_000, 'whole'));

test.each([
  ['a sound document', whole, 3_000],
  [
    'one with white space and the count after the items',
    ` {"data":[${'{},'.repeat(9)}{}],"total_count":"10"}\n`,
    10,
  ],
  ['one that is cut short', whole.slice(0, -1), null],
  ['one whose count is wrong', documentOf([item('count')], { total_count: 2 }), null],
  ['one with an invalid address', documentOf([item('none')], { webhook_url: 'x' }), null],
])('stores the item count on upload of %s, if it is valid', async (_name, document, total) => {
  expect(await known(document)).toMatchObject({ total_count: total, webhook_url: null });
});

test('stores a webhook address with the count', async () => {
  const address = 'https://integrator.example/hook';
  const document = documentOf([item('told')], { webhook_url: address });
  expect(await known(document)).toMatchObject({ total_count: 1, webhook_url: address });
});

test('detects a fault again in the importer, and ends the import with the reason', async () => {
  const cut = await known(whole.slice(0, -1));
  const sound = await known(documentOf(items(6_000, 'sound')));
  const worker = await startService({ ROLES: 'worker', DATABASE_URL: service.databaseUrl });
  try {
    const failed = await ended(service, cut.id);
    expect(failed).toMatchObject({ state: 'failed', created: 0 });
    expect(failed.error).toContain('ends at byte');
    expect(await ended(service, sound.id)).toMatchObject({ state: 'completed', created: 6_000 });
    const last = await service.call('GET', `/batch-result/${sound.id}/6`);
    expect(last.body).toMatchObject({ page: 6, pages: 6 });
    expect(last.body.data.map(({ index }: { index: number }) => index)).toEqual(
      Array.from({ length: 1_000 }, (_none, nth) => 5_000 + nth),
    );
  } finally {
    await worker.stop();
  }
});
