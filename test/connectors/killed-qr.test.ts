import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { bodyFor } from '../../connectors/protocol/signature.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { type Serving, startServing } from '../cli/run.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type Answer, call, testAccount } from '../harness/service.ts';
import { type Played, playConnector } from './played.ts';

// This test starts and stops processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

let wallets: Played;
let database: TestDatabase;
let folder: string;
let serving: Serving;

const start = () =>
  startServing({
    DATABASE_URL: database.url,
    DATA_DIR: path.join(folder, 'data'),
    ROLES: 'payments,qr',
    CONNECTORS: JSON.stringify([wallets.configured()]),
  });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-killed-qr-'));
  wallets = await playConnector('wallets', ['qr']);
  database = await createTestDatabase({ max: 4 });
  serving = await start();
});
afterAll(async () => {
  await serving?.end('SIGKILL');
  await Promise.all([wallets.stop(), database.drop()]);
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => expect(await auditAccount(database.sql, testAccount)).toEqual([]));

const due = 143_050;
let made = 0;

interface Payment {
  id: string;
  trx: string;
  code: string;
}

async function payment(): Promise<Payment> {
  made += 1;
  const id = `${testAccount}-killed-${made}`;
  const item = {
    id,
    city: 'Salta',
    multiple_payment: false,
    description: 'Cuota',
    first_total: 1430.5,
    first_due_date: '31-12-2098',
    payer_name: 'Ana',
  };
  await call(serving.origin, 'POST', '/save-qr-data', { body: { total_count: 1, data: [item] } });
  const { body } = await call(serving.origin, 'GET', `/status/${id}`);
  return { id, trx: `K${made}`, code: body.qr_string };
}

const tell = async (notice: object, origin = serving.origin): Promise<Answer> => {
  const path = '/connectors/wallets/notices';
  const body = bodyFor('POST', path, notice);
  const headers = { ...wallets.signed(body) };
  return await call(origin, 'POST', path, { body, key: null, headers });
};
const intention = ({ trx, code }: Payment) => ({ type: 'qr.intention', trx, code, amount: due });
const confirmation = ({ trx, code }: Payment) => ({
  type: 'qr.confirmed',
  trx,
  code,
  amount: due,
  paid_at: '2026-01-05T12:00:00Z',
});
const reversal = ({ trx }: Payment) => ({ type: 'qr.reversed', trx, reason: '6200' });

/** Returns payments before refunds: ids from two processes have no common order. */
const moneyOf = async ({ id }: Payment): Promise<string[]> =>
  (
    await database.sql<{ type: string }[]>`
      select x.type from results x join requests r
        on r.account_id = x.account_id and r.id = x.request_id
      where r.code = ${id} order by x.type desc`
  ).map(({ type }) => type);

/**
 * Sends a notice to a process, kills it while it waits to write a table, and starts the next one.
 */
async function killedBefore(table: string, notice: object): Promise<void> {
  await database.sql.begin(async (tx) => {
    await tx.unsafe(`lock table ${table} in share mode`);
    const told = tell(notice).catch(() => null);
    await vi.waitFor(
      async () => {
        const waiting = await database.sql`
          select 1 from pg_locks
          where relation = ${table}::regclass and mode = 'RowExclusiveLock' and not granted
            and database = (select oid from pg_database where datname = current_database())`;
        expect(waiting.length).toBeGreaterThan(0);
      },
      { timeout: 60_000, interval: 50 },
    );
    await serving.end('SIGKILL');
    await told;
  });
  // The database may still run statements that the killed connection had sent.
  await vi.waitFor(
    async () => {
      const left = await database.sql`
        select 1 from pg_locks where relation = ${table}::regclass and pid <> pg_backend_pid()
          and database = (select oid from pg_database where datname = current_database())`;
      expect(left).toHaveLength(0);
    },
    { timeout: 60_000, interval: 50 },
  );
  serving = await start();
}

test.each([
  ['is claimed', 'network_charges'],
  ['is booked', 'results'],
])('books a repeated payment once after a kill before it %s', async (_step, table) => {
  const paid = await payment();
  await killedBefore(table, confirmation(paid));
  expect((await tell(confirmation(paid))).status).toBe(200);
  expect((await tell(confirmation(paid))).status).toBe(200);
  expect(await moneyOf(paid)).toEqual(['collected']);
});

test.each([
  ['is claimed', 'network_charges'],
  ['has begun', 'attempts'],
])('charges for a repeated intention once after a kill before it %s', async (_step, table) => {
  const paid = await payment();
  await killedBefore(table, intention(paid));
  expect((await tell(intention(paid))).body).toMatchObject({ status: 'pass' });
  expect((await tell(confirmation(paid))).status).toBe(200);
  expect(await moneyOf(paid)).toEqual(['collected']);
});

test.each([
  ['is stored', 'network_charges'],
  ['is booked', 'results'],
])('books a repeated reversal once after a kill before it %s', async (_step, table) => {
  const paid = await payment();
  await tell(confirmation(paid));
  await killedBefore(table, reversal(paid));
  for (const times of [1, 2]) expect((await tell(reversal(paid))).status, `${times}`).toBe(200);
  expect(await moneyOf(paid)).toEqual(['collected', 'chargeback']);
});

test('books and reverses once when two processes get the same notices at once', async () => {
  const other = await start();
  try {
    for (let round = 0; round < 5; round += 1) {
      const paid = await payment();
      const origins = [serving.origin, other.origin, serving.origin, other.origin];
      const passed = await Promise.all(origins.map((one) => tell(intention(paid), one)));
      expect(new Set(passed.map(({ text }) => text)).size).toBe(1);
      await Promise.all(origins.map((one) => tell(confirmation(paid), one)));
      expect(await moneyOf(paid)).toEqual(['collected']);
      await Promise.all(origins.map((one) => tell(reversal(paid), one)));
      expect(await moneyOf(paid)).toEqual(['collected', 'chargeback']);
    }
  } finally {
    await other.end('SIGTERM');
  }
});
