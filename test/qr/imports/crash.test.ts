import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount } from '../../../src/audit/index.ts';
import { recaudo, type Serving, startServing } from '../../cli/run.ts';
import { documentOf, item, items, put } from '../../harness/builders/imports.ts';
import { full } from '../../harness/builders/qrs.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';
import { call, testAccount } from '../../harness/service.ts';

// This test kills processes, and waits until another one takes over.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ max: 4 });
});
afterAll(() => database.drop());

const start = (env: Record<string, string> = {}): Promise<Serving> =>
  startServing({ DATABASE_URL: database.url, ...env });

const progressOf = async (id: string): Promise<{ done: number; state: string }> => {
  const [row] = await database.sql<{ done: number; state: string }[]>`
    select next_index as done, state from batches where id = ${id}`;
  return row ?? { done: 0, state: 'none' };
};

const until = (id: string, test: (progress: { done: number; state: string }) => boolean) =>
  vi.waitFor(
    async () => {
      const progress = await progressOf(id);
      expect(test(progress), JSON.stringify(progress)).toBe(true);
    },
    { timeout: 40_000, interval: 5 },
  );

/** Returns every row of every page. */
async function outcomes(origin: string, id: string, pages: number) {
  const rows: { index: number; id: string; status: string }[] = [];
  for (let page = 1; page <= pages; page += 1) {
    rows.push(...(await call(origin, 'GET', `/batch-result/${id}/${page}`)).body.data);
  }
  return rows;
}

test('creates each item exactly once despite repeated kills', async () => {
  const count = 20_000;
  const data = items(count - 1, 'crash').concat(item('crash-7'));
  let serving = await start();
  const { id, url } = (await call(serving.origin, 'GET', '/bucket-url')).body;
  expect((await put(url, documentOf(data))).status).toBe(200);
  for (const done of [2_000, 9_000]) {
    await until(id, (progress) => progress.done >= done);
    await serving.end('SIGKILL');
    expect((await progressOf(id)).state).toBe('processing');
    serving = await start();
  }
  await until(id, ({ state }) => state === 'completed');
  const { body } = await call(serving.origin, 'GET', `/batch-result/${id}/1`);
  expect(body).toMatchObject({ processed: count, created: count - 1, rejected: 1, pages: 20 });
  const rows = await outcomes(serving.origin, id, 20);
  expect(rows.map(({ index }) => index)).toEqual(data.map((_one, index) => index));
  expect(rows.at(-1)).toMatchObject({ id: full('crash-7'), status: 'rejected' });
  const [stored] = await database.sql<{ requests: number; codes: number; events: string }[]>`
    select count(*)::int as requests, count(distinct code)::int as codes,
      (select string_agg(type, ' ' order by version) from events
        where entity = 'qr_batch' and entity_id = ${id}) as events
    from requests where code like ${full('crash-%')}`;
  expect(stored).toEqual({
    requests: count - 1,
    codes: count - 1,
    events: 'qr_batch.opened qr_batch.completed',
  });
  await serving.end('SIGTERM');
});

test('serializes two processes on one import, while payments continue', async () => {
  const servings = await Promise.all([start(), start()]);
  const [first, second] = servings as [Serving, Serving];
  const { id, url } = (await call(first.origin, 'GET', '/bucket-url')).body;
  expect((await put(url, documentOf(items(10_000, 'beside')))).status).toBe(200);
  let paid = 0;
  for (let ended = false; !ended; ended = (await progressOf(id)).state === 'completed') {
    const { status, body } = await call(second.origin, 'POST', '/payment-request', {
      body: {
        payment_request: {
          description: 'Cuota',
          first_due_date: '31-12-2098',
          first_total: 10.5,
          payer_name: 'Ana',
        },
      },
    });
    expect(status).toBe(201);
    const pay = await call(first.origin, 'POST', `/sandbox/pay/${body.id}`, {
      body: { channel: 'qr' },
    });
    expect(pay.status).toBe(200);
    paid += 1;
  }
  expect(paid).toBeGreaterThan(1);
  expect((await call(second.origin, 'GET', `/batch-result/${id}/10`)).body).toMatchObject({
    state: 'completed',
    created: 10_000,
  });
  expect(await auditAccount(database.sql, testAccount)).toEqual([]);
  for (const serving of servings) {
    expect(await serving.end('SIGTERM')).toEqual({ code: 0, signal: null });
  }
  const audit = await recaudo(['audit'], { DATABASE_URL: database.url });
  expect(audit).toEqual({ code: 0, stdout: expect.anything(), stderr: '' });
});

test('stops an import when its process ends, and lets another process continue it', async () => {
  const serving = await start();
  const { id, url } = (await call(serving.origin, 'GET', '/bucket-url')).body;
  expect((await put(url, documentOf(items(15_000, 'stop')))).status).toBe(200);
  await until(id, ({ done }) => done >= 1_000);
  expect(await serving.end('SIGTERM')).toEqual({ code: 0, signal: null });
  const { done, state } = await progressOf(id);
  expect(state).toBe('processing');
  expect(done).toBeLessThan(15_000);
  const next = await start();
  await until(id, (progress) => progress.state === 'completed');
  expect((await call(next.origin, 'GET', `/batch-result/${id}/1`)).body.created).toBe(15_000);
  await next.end('SIGTERM');
});
