import { beforeEach, expect, test, vi } from 'vitest';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { bundledProgram } from '../harness/built.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { testAccount } from '../harness/service.ts';
import { recaudo, startRecaudo, startServing } from './run.ts';

vi.setConfig({ testTimeout: 180_000 });

let database: TestDatabase;
let sql: Sql;
beforeEach(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, { max: 1, applicationName: 'demo test' });
  return async () => {
    await sql.end();
    await database.drop();
  };
});

const command = [process.execPath, ...bundledProgram, 'serve', '--demo'];
const start = (env: Record<string, string> = {}) =>
  startServing({ DATABASE_URL: database.url, SANDBOX_API_KEY: '', ...env }, command);

const countOf = async (table: string): Promise<number> => {
  const [row] = await sql.unsafe<{ count: number }[]>(
    `select count(*)::int as count from ${table}`,
  );
  return row?.count ?? 0;
};

async function expectWhole(): Promise<void> {
  const states = await sql<{ kind: string; state: string; count: number }[]>`
    select kind, state, count(*)::int as count from requests group by kind, state`;
  const count = (kind: string, state: string): number =>
    states.find((row) => row.kind === kind && row.state === state)?.count ?? 0;
  expect(count('payment_request', 'paid')).toBeGreaterThan(20);
  expect(count('payment_request', 'expired')).toBeGreaterThan(0);
  expect(count('debit_request', 'paid')).toBeGreaterThan(0);
  expect(count('debit_request', 'rejected')).toBeGreaterThan(0);
  expect(count('qr', 'paid')).toBe(2);
  expect(count('payment_request', 'reverted')).toBe(1);
  const [overdue] = await sql<{ count: number }[]>`
    select count(*)::int as count from requests r, clock c
    where r.kind = 'payment_request' and r.state = 'pending'
      and r.due1 < (now() + c.ahead_ms * interval '1 ms')::date`;
  expect(overdue?.count).toBeGreaterThan(0);
  expect(await countOf('refunds')).toBe(1);
  expect(await countOf('payouts')).toBe(3);
  expect(await countOf("mandates where state = 'signed'")).toBe(3);
  expect(await countOf("api_keys where name = 'three months' and revoked_at is null")).toBe(0);
  const audit = await recaudo(['audit'], { DATABASE_URL: database.url });
  expect([audit.code, audit.stderr]).toEqual([0, '']);
}

test('fills a new sandbox once, prints the sign-in, and passes the audit', async () => {
  const serving = await start();
  const output = serving.output();
  expect(output).toMatch(/portal {6}\S+\/portal {2}\(demo@recaudo\.example, password \S+\)/);
  expect(output).toContain('three months ahead');
  await expectWhole();
  const requests = await countOf('requests');
  await serving.end('SIGTERM');
  const again = await start();
  expect(again.output()).toContain('already exists; nothing changed');
  expect(await countOf('requests')).toBe(requests);
  await again.end('SIGTERM');
});

test('resumes where it was killed, and creates nothing twice', async () => {
  const { child, ran } = startRecaudo(['serve', '--demo'], {
    DATABASE_URL: database.url,
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'warn',
    SANDBOX_ACCOUNT_ID: testAccount,
  });
  const enough = async () => expect(await countOf('results').catch(() => 0)).toBeGreaterThan(20);
  await vi.waitFor(enough, { timeout: 120_000, interval: 50 });
  // Blocks the writing of results, so that the kill leaves a charge open. Retries if it hits a
  // moment between two charges.
  const killCharging = () =>
    sql.begin(async (tx) => {
      await tx`lock table results in exclusive mode`;
      const isCharging = async () =>
        expect(await tx`select from attempts where state <> 'done'`).toHaveLength(1);
      await vi.waitFor(isCharging, { timeout: 2_000, interval: 50 });
      child.kill('SIGKILL');
      await vi.waitFor(() => expect(child.signalCode).toBe('SIGKILL'));
    });
  await vi.waitFor(killCharging, { timeout: 60_000 });
  expect(ran.stdout).toContain('password');
  expect(ran.stdout).not.toContain('ready');
  const serving = await start();
  expect(serving.output()).toContain('was interrupted and is now complete');
  await expectWhole();
  const twice = await sql`
    select reference from requests where reference is not null group by reference having count(*) > 1`;
  expect(twice).toEqual([]);
  await serving.end('SIGTERM');
});

test('changes nothing in a database that has requests, and refuses production', async () => {
  const plain = await startServing({ DATABASE_URL: database.url });
  const today = Temporal.Now.plainDateISO('-03:00').add({ days: 5 });
  const [year, month, day] = today.toString().split('-');
  const made = await fetch(`${plain.origin}/payment-request`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer test-key-0123456789abcdef',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      payment_request: {
        description: 'Cuota',
        first_due_date: `${day}-${month}-${year}`,
        first_total: 10,
        payer_name: 'Ana',
      },
    }),
  });
  expect(made.status).toBe(201);
  await plain.end('SIGTERM');
  const serving = await startServing({ DATABASE_URL: database.url }, command);
  expect(serving.output()).toContain('skipped, because this database already has data');
  expect(await countOf('requests')).toBe(1);
  expect(await countOf('clock where ahead_ms > 0')).toBe(0);
  await serving.end('SIGTERM');
  const refused = startServing({ DATABASE_URL: database.url, ENVIRONMENT: 'production' }, command);
  await expect(refused).rejects.toThrow(/production/);
});
