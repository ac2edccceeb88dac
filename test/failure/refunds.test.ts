import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import type { Queryable, Sql } from '../../src/platform/postgres/connect.ts';
import { type Serving, startServing } from '../cli/run.ts';
import { connectSuperuser, createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type Answer, call, testAccount } from '../harness/service.ts';

// This test starts and stops processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

/** Kills a process, or starts a second one, between reserving the money and booking the refund. */
let database: TestDatabase;
let serving: Serving;
/** Ends the service's connections, which belong to another role. */
let superuser: Sql;
const start = () => startServing({ DATABASE_URL: database.url });

beforeAll(async () => {
  database = await createTestDatabase({ max: 4 });
  serving = await start();
  superuser = connectSuperuser(database.url, { applicationName: 'end' });
});
afterAll(async () => {
  await superuser.end();
  await serving.end('SIGKILL');
  await database.drop();
});
beforeEach(async () => {
  // A failed test may have left the service killed.
  if (serving.hasEnded()) serving = await start();
  // A refund also takes the retained fee, which other payments cover.
  await paid(10_000);
});

const post = (path: string, body: unknown, key?: string, origin = serving.origin) =>
  call(origin, 'POST', path, {
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });

async function paid(amount: number): Promise<number> {
  const { body } = await post('/payment-request', {
    payment_request: {
      description: 'Cuota',
      first_due_date: '31-12-2098',
      first_total: amount,
      payer_name: 'Ana',
    },
  });
  const done = await post(`/sandbox/pay/${body.id}`, { channel: 'credit_card' });
  expect(done.body.state, done.text).toBe('paid');
  return body.id;
}

const ask = (id: number, key?: string, origin?: string): Promise<Answer> =>
  post(`/payment-request/${id}/refund`, { refund: {} }, key, origin);

/** Returns the first session that waits for a lock of this transaction. Ignores other waits. */
async function waitsFor(holder: Queryable): Promise<number> {
  const [own] = await holder<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return await vi.waitFor(
    async () => {
      const rows = await database.sql<{ pid: number }[]>`
        select pid from pg_stat_activity
        where datname = current_database() and ${own?.pid ?? 0} = any (pg_blocking_pids(pid))`;
      expect(rows).toHaveLength(1);
      return rows[0]?.pid ?? 0;
    },
    { timeout: 20_000, interval: 10 },
  );
}

const killed = async (): Promise<void> => {
  expect(await serving.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
};

/** Checks that a repeated call with the key returns the same refund, booked once everywhere. */
async function expectDoneOnce(id: number, key: string): Promise<void> {
  serving = await start();
  const again = await ask(id, key);
  expect(again.status, again.text).toBe(201);
  expect((await post('/sandbox/clock', { minutes: 5 })).status).toBe(200);
  const { body } = await call(serving.origin, 'GET', `/payment-request/${id}/refund`);
  expect(body.data).toEqual([
    expect.objectContaining({ id: again.body.id, state: 'done', amount: 1000 }),
  ]);
  const request = await call(serving.origin, 'GET', `/payment-request/${id}`);
  expect(request.body.state).toBe('refunded');
  const [rows] = await database.sql<{ results: number; given: number; journals: string[] }[]>`
    select (select count(*)::int from results
        where request_id = ${id} and type = 'refund') as results,
      (select count(*)::int from simulated_refunds where refund_id = ${again.body.id}) as given,
      (select array_agg(kind order by id) from journals where request_id = ${id}) as journals`;
  expect(rows).toEqual({
    results: 1,
    given: 1,
    journals: ['collection', 'refund_hold', 'refund'],
  });
  expect(await auditAccount(database.sql, testAccount)).toEqual([]);
}

test.each([
  ['before its channel received it', false],
  ['after its channel received it, before it answered', true],
])('refunds once when killed after reserving the money, %s', async (key, heard) => {
  const id = await paid(1000);
  let asked: Promise<unknown> = Promise.resolve();
  await database.sql.begin(async (tx) => {
    await tx`lock table simulated_refunds in exclusive mode`;
    asked = ask(id, key).catch(() => null);
    const pid = await waitsFor(tx);
    await killed();
    // PostgreSQL keeps a session that waits for a lock after its client died.
    if (!heard) await superuser`select pg_terminate_backend(${pid}, 5000)`;
  });
  await asked;
  await vi.waitFor(async () => {
    const [row] = await database.sql<{ given: boolean }[]>`
      select exists (select from simulated_refunds s join refunds f
        on f.account_id = s.account_id and f.id = s.refund_id
        where f.request_id = ${id}) as given`;
    expect(row).toEqual({ given: heard });
  });
  const [held] = await database.sql`select state from refunds where request_id = ${id}`;
  expect(held).toEqual({ state: 'requested' });
  await expectDoneOnce(id, key);
});

test('books a refund once when killed between the channel’s answer and the booking', async () => {
  const id = await paid(1000);
  const key = 'answered';
  let asked: Promise<unknown> = Promise.resolve();
  await database.sql.begin(async (holder) => {
    await database.sql.begin(async (tx) => {
      await tx`lock table simulated_refunds in exclusive mode`;
      asked = ask(id, key).catch(() => null);
      await waitsFor(tx);
      await holder`select from requests where id = ${id} for update`;
    });
    await vi.waitFor(async () => {
      const [given] = await database.sql`
        select count(*)::int from simulated_refunds s join refunds f on f.id = s.refund_id
        where f.request_id = ${id} and f.state = 'requested'`;
      expect(given).toEqual({ count: 1 });
    });
    const pid = await waitsFor(holder);
    await killed();
    await superuser`select pg_terminate_backend(${pid}, 5000)`;
  });
  await asked;
  await expectDoneOnce(id, key);
});

test('refunds once for concurrent calls to two processes, with one key or none', async () => {
  const other = await start();
  const origins = Array.from({ length: 8 }, (_none, at) =>
    at % 2 === 0 ? serving.origin : other.origin,
  );
  try {
    const named = await paid(1000);
    const same = await Promise.all(origins.map((origin) => ask(named, 'both', origin)));
    const made = same.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    expect(same.every(({ status }) => status === 201 || status === 409)).toBe(true);

    const unnamed = await paid(1000);
    const each = await Promise.all(origins.map((origin) => ask(unnamed, undefined, origin)));
    expect(each.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const rows = await database.sql`
      select f.request_id, f.state, count(r.id)::int as results from refunds f
      join results r on r.request_id = f.request_id and r.type = 'refund'
      where f.request_id in (${named}, ${unnamed}) group by 1, 2 order by 1`;
    expect(rows).toEqual([
      { request_id: named, state: 'done', results: 1 },
      { request_id: unnamed, state: 'done', results: 1 },
    ]);
    expect(await auditAccount(database.sql, testAccount)).toEqual([]);
  } finally {
    await other.end('SIGKILL');
  }
});
