import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { type Serving, startServing } from '../cli/run.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { call, testAccount } from '../harness/service.ts';
import { approvedAs, type Call, type Played, playConnector } from './played.ts';
import { heapSnapshot, storedIn, tracesOf } from './traces.ts';

// This test starts and stops processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

let bank: Played;
let database: TestDatabase;
let folder: string;
let serving: Serving;
const booked = new Set<string>();

const start = () =>
  startServing({
    DATABASE_URL: database.url,
    DATA_DIR: path.join(folder, 'data'),
    LOG_LEVEL: 'trace',
    CONNECTORS: JSON.stringify([bank.configured()]),
    NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}`,
  });

/** Returns the bank's record of a charge; a charge that was not booked is unknown. */
const tellTruth = ({ attempt }: Call) =>
  booked.has(String(attempt))
    ? approvedAs(`ref-${attempt}`, 143050)
    : { status: 404, json: { message: 'unknown' } };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-killed-'));
  bank = await playConnector('bank', [
    'DEBIN',
    {
      channel: 'credit_card',
      browser: { kind: 'frame', url: 'http://127.0.0.1:1/', origin: 'http://127.0.0.1:1' },
    },
    { channel: 'debit_card', captures: true },
  ]);
  bank.plays.inquiry = tellTruth;
  database = await createTestDatabase({ max: 4 });
  serving = await start();
});
beforeEach(async () => {
  // A failed test may have left the service killed.
  if (serving.hasEnded()) serving = await start();
});
afterAll(async () => {
  await serving.end('SIGKILL');
  await Promise.all([bank.stop(), database.drop()]);
  await rm(folder, { recursive: true, force: true });
});

const post = (url: string, body: unknown = {}) => call(serving.origin, 'POST', url, { body });

async function create(): Promise<{ id: number; checkout: string }> {
  const { body } = await post('/payment-request', {
    payment_request: {
      description: 'Cuota',
      first_due_date: '31-12-2098',
      first_total: 1430.5,
      payer_name: 'Ana',
    },
  });
  return { id: body.id, checkout: new URL(body.checkout_url).pathname };
}

const stateOf = async (id: number) => {
  const { body } = await call(serving.origin, 'GET', `/payment-request/${id}`);
  return [body.state, body.request_result.length];
};

/**
 * Pays, and kills the service once the bank has received the charge. `books` decides whether the
 * bank books it.
 */
async function killedWhilePaying(books: boolean, answers: boolean): Promise<number> {
  const { id } = await create();
  const heard = Promise.withResolvers<void>();
  bank.plays.charge = (charge) => (response) => {
    if (books) booked.add(String(charge.attempt));
    if (answers) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(approvedAs(`ref-${charge.attempt}`, 143050).json));
    }
    heard.resolve();
  };
  const paying = post(`/sandbox/pay/${id}`, { channel: 'DEBIN' }).catch(() => null);
  await heard.promise;
  await serving.end('SIGKILL');
  await paying;
  serving = await start();
  return id;
}

test.each([
  ['booked it and had not answered', true, false, ['paid', 1]],
  ['had answered', true, true, ['paid', 1]],
  ['had not booked it', false, false, ['pending', 0]],
] as const)(
  'learns the outcome after a kill when the bank %s',
  async (_when, books, answers, state) => {
    const id = await killedWhilePaying(books, answers);
    const before = bank.calls.filter(({ method }) => method === 'PUT').length;
    await post('/sandbox/clock', { minutes: 16 });
    expect(await stateOf(id)).toEqual(state);
    expect(bank.calls.filter(({ method }) => method === 'PUT')).toHaveLength(before);
    expect(await auditAccount(database.sql, testAccount)).toEqual([]);
    if (state[0] === 'paid') return;
    bank.plays.charge = ({ attempt, body }) => approvedAs(`again-${attempt}`, body.amount);
    await post(`/sandbox/pay/${id}`, { channel: 'DEBIN' });
    expect(await stateOf(id)).toEqual(['paid', 1]);
  },
);

test('records each charge once when two processes inquire about the same ones', async () => {
  bank.plays.charge = (charge) => {
    booked.add(String(charge.attempt));
    return { status: 500, json: { message: 'lost' } };
  };
  const made = await Promise.all(Array.from({ length: 8 }, create));
  await Promise.all(made.map(({ id }) => post(`/sandbox/pay/${id}`, { channel: 'DEBIN' })));
  const other = await start();
  await Promise.all([
    post('/sandbox/clock', { minutes: 3 }),
    call(other.origin, 'POST', '/sandbox/clock', { body: { minutes: 3 } }),
  ]);
  await other.end('SIGTERM');
  for (const { id } of made) expect(await stateOf(id)).toEqual(['paid', 1]);
  expect(await auditAccount(database.sql, testAccount)).toEqual([]);
});

test.each([
  ['had not captured it', false, 2],
  ['had captured it', true, 1],
])(
  'captures once from two processes after a kill when the bank %s',
  async (_when, captures, orders) => {
    const captured = new Set<string>();
    const ordered: string[] = [];
    const told = (attempt: string) => {
      const approved = approvedAs(`ref-${attempt}`, 143050);
      if (captured.has(attempt)) return approved;
      const until = { expires_at: '2099-01-01T00:00:00Z' };
      return { json: { ...approved.json, outcome: 'authorized', ...until } };
    };
    bank.plays.charge = bank.plays.inquiry = ({ attempt }) => told(String(attempt));
    const heard = Promise.withResolvers<void>();
    bank.plays.hold = ({ attempt }) => {
      ordered.push(String(attempt));
      if (captures) captured.add(String(attempt));
      heard.resolve();
      return () => {};
    };
    const { id } = await create();
    const paying = post(`/sandbox/pay/${id}`, { channel: 'debit_card' }).catch(() => null);
    await heard.promise;
    await serving.end('SIGKILL');
    await paying;
    bank.plays.hold = ({ attempt }) => {
      ordered.push(String(attempt));
      captured.add(String(attempt));
      return told(String(attempt));
    };
    serving = await start();
    const other = await start();
    await Promise.all([
      post('/sandbox/clock', { minutes: 3 }),
      call(other.origin, 'POST', '/sandbox/clock', { body: { minutes: 3 } }),
    ]);
    await other.end('SIGTERM');
    bank.plays.inquiry = tellTruth;
    expect(await stateOf(id)).toEqual(['paid', 1]);
    expect(new Set(ordered).size).toBe(1);
    expect(ordered.length).toBeGreaterThanOrEqual(orders);
    expect(await auditAccount(database.sql, testAccount)).toEqual([]);
  },
);

test('stores no card number anywhere after card payments and a posted number', async () => {
  // Not one of the simulator's numbers, which are constants of the program.
  const number = '4012888888881881';
  bank.plays.charge = ({ attempt, body }) =>
    approvedAs(`card-${attempt}`, body.amount, {
      brand: 'visa',
      kind: 'credit',
      last_four: '4905',
    });
  const paid = await create();
  const form = (fields: Record<string, string>) =>
    fetch(serving.origin + paid.checkout, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({
        channel: 'credit_card',
        connector: 'bank',
        installments: '39:1',
        ...fields,
      }),
    });
  const posted = await form({ card_number: number, cvv: '123', token: 'tok_1' });
  expect(posted.status).toBe(400);
  expect((await form({ token: 'tok_2', brand: 'visa', last_four: '4905' })).status).toBe(303);
  expect(await stateOf(paid.id)).toEqual(['paid', 1]);
  expect((await storedIn(database.sql)).includes('4905')).toBe(true);
  expect(await tracesOf(number, { sql: database.sql, serving, folder })).toEqual([]);
  const heap = await heapSnapshot(serving, folder);
  expect([heap.includes(bank.url), heap.includes(number)]).toEqual([true, false]);
});
