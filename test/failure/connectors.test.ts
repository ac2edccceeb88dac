import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { type Serving, startServing } from '../cli/run.ts';
import { newSecret } from '../connectors/caller.ts';
import { privateKey, publicKey } from '../connectors/payway.ts';
import {
  kill,
  paywayConnector,
  paywayEmulator,
  type Running,
  start,
} from '../connectors/processes.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { call, testAccount } from '../harness/service.ts';
import { openWire, type Wire } from './wire.ts';

/**
 * Service, Payway connector and emulator as processes of their own, each killed at each step of a
 * charge, of a refund and of a notice. What is on its way is held on the lines between them; what
 * is being booked, by a lock in the database.
 */

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const secret = newSecret();
let folder: string;
let database: TestDatabase;
/** Ends connections of a service that died while it waited for a lock. */
let superuser: Sql;
let service: Serving;
let connector: Running;
let acquirer: Running;
let toConnector: Wire;
let toAcquirer: Wire;
let toService: Wire;

async function startService(): Promise<void> {
  const payway = { name: 'payway', url: toConnector.origin, secrets: [secret] };
  const channels = ['credit_card', 'debit_card'];
  service = await startServing({
    DATABASE_URL: database.url,
    CONNECTORS: JSON.stringify([{ ...payway, channels }]),
  });
  toService.lead(service.origin);
}

async function startConnector(): Promise<void> {
  connector = await start(paywayConnector, {
    CONNECTOR_PORT: '0',
    CONNECTOR_SECRET: secret,
    CONNECTOR_DATA_DIR: path.join(folder, 'connector'),
    CONNECTOR_SERVICE_URL: toService.origin,
    PAYWAY_URL: `${toAcquirer.origin}/api/v2`,
    PAYWAY_PUBLIC_KEY: publicKey,
    PAYWAY_PRIVATE_KEY: privateKey,
    PAYWAY_PREFIX: 'T1',
    PAYWAY_3DS: 'on',
  });
  toConnector.lead(connector.origin);
}

async function startAcquirer(): Promise<void> {
  acquirer = await start(paywayEmulator, {
    EMULATOR_PORT: '0',
    EMULATOR_DATA_DIR: path.join(folder, 'emulator'),
    EMULATOR_HIDDEN_MS: '0',
  });
  toAcquirer.lead(acquirer.origin);
}

const processes = {
  service: { end: async () => void (await service.end('SIGKILL')), begin: startService },
  connector: { end: () => kill(connector), begin: startConnector },
  acquirer: { end: () => kill(acquirer), begin: startAcquirer },
};
type Victim = keyof typeof processes;
const victims: readonly Victim[] = ['service', 'connector', 'acquirer'];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-killed-'));
  database = await createTestDatabase({ max: 4 });
  superuser = connect(inject('superuserUrl'), { max: 1, applicationName: 'end' });
  [toConnector, toAcquirer, toService] = await Promise.all([openWire(), openWire(), openWire()]);
  await startAcquirer();
  await startConnector();
  await startService();
  // What refunds take includes the fees that are kept: another payment covers them.
  await pay(await create(500_000), visa);
});
afterAll(async () => {
  await Promise.all(victims.map((name) => processes[name].end()));
  await Promise.all([toConnector, toAcquirer, toService].map((wire) => wire.close()));
  await superuser.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const visa = '4507990000004905';
const authenticated = '4507990205000005';

interface Made {
  id: number;
  page: string;
}
const post = (address: string, body: unknown) => call(service.origin, 'POST', address, { body });
const get = async (address: string) => (await call(service.origin, 'GET', address)).body;

async function create(amount = 1430.5): Promise<Made> {
  const { body } = await post('/payment-request', {
    payment_request: {
      description: 'Cuota',
      first_due_date: '31-12-2098',
      first_total: amount,
      payer_name: 'Ana',
    },
  });
  return { id: body.id, page: new URL(body.checkout_url).pathname };
}

const asMerchant = async (address: string) => {
  const headers = { apikey: privateKey };
  return await (await fetch(`${acquirer.origin}/api/v2${address}`, { headers })).json();
};

async function tokenOf(number: string): Promise<string> {
  const answer = await fetch(`${acquirer.origin}/api/v2/tokens`, {
    method: 'POST',
    headers: { apikey: publicKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      card_number: number,
      card_expiration_month: '08',
      card_expiration_year: '30',
      security_code: '123',
      card_holder_name: 'Ana Pérez',
      card_holder_identification: { type: 'dni', number: '25123456' },
    }),
  });
  return (await answer.json()).id;
}

/** Posts the checkout's form, with the token that a frame would have handed over. */
async function pay({ page }: Made, number: string): Promise<unknown> {
  const token = await tokenOf(number);
  return await fetch(service.origin + page, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      channel: 'credit_card',
      connector: 'payway',
      installments: '39:1',
      token,
      brand: 'visa',
      bin: number.slice(0, 6),
      last_four: number.slice(-4),
    }),
  });
}

interface Seen {
  id: number;
  site_transaction_id: string;
  amount: number;
  status: string;
}
/** What the acquirer took for a request. */
async function chargesOf({ id }: Made): Promise<Seen[]> {
  const attempts = await database.sql<{ id: number }[]>`
    select id from attempts where request_id = ${id}`;
  const found = await Promise.all(
    attempts.map(async (attempt): Promise<Seen[]> => {
      const reference = `T1-${testAccount}-${attempt.id}`;
      return (await asMerchant(`/payments?siteOperationId=${reference}&pageSize=10`)).results;
    }),
  );
  return found.flat();
}

async function collectedOf({ id }: Made): Promise<number[]> {
  const { request_result: results } = await get(`/payment-request/${id}`);
  return results
    .filter(({ type }: { type: string }) => type.startsWith('collected'))
    .map(({ amount }: { amount: number }) => Math.round(amount * 100));
}

/** Lets everything be asked for that is to be asked for: what nobody heard of, twice in an hour. */
async function settle(): Promise<void> {
  for (let times = 0; times < 4; times += 1) {
    expect((await post('/sandbox/clock', { minutes: 20 })).status).toBe(200);
  }
}

interface Step {
  what: string;
  wire: 'toConnector' | 'toAcquirer';
  when: 'call' | 'answer';
  /** Whether it is what the service books that is held, once the answer is here. */
  books?: boolean;
}
const steps: readonly Step[] = [
  { what: 'stored and sent, before the connector heard', wire: 'toConnector', when: 'call' },
  { what: 'in the journal, before the acquirer heard', wire: 'toAcquirer', when: 'call' },
  { what: 'done by the acquirer, its answer lost', wire: 'toAcquirer', when: 'answer' },
  { what: 'answered, before the service heard', wire: 'toConnector', when: 'answer' },
  { what: 'heard, before it was booked', wire: 'toConnector', when: 'answer', books: true },
];
const ends: Record<Step['wire'], readonly Victim[]> = {
  toConnector: ['service', 'connector'],
  toAcquirer: ['connector', 'acquirer'],
};
const lines = {
  charge: { toConnector: /^PUT \/charges\/[^/]+$/, toAcquirer: /^POST \/api\/v2\/payments$/ },
  refund: { toConnector: /^PUT \/charges\/.+\/refunds\//, toAcquirer: /^POST .+\/refunds$/ },
};

/** Kills while the service waits to book what it heard. */
async function killBooking(victim: Victim, letGo: () => void): Promise<void> {
  await database.sql.begin(async (tx) => {
    await tx`lock table results in exclusive mode`;
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    letGo();
    const pids = await vi.waitFor(
      async () => {
        const rows = await superuser<{ pid: number }[]>`
          select pid from pg_stat_activity where ${own?.pid ?? 0} = any(pg_blocking_pids(pid))`;
        expect(rows).not.toEqual([]);
        return rows.map(({ pid }) => pid);
      },
      { timeout: 60_000, interval: 20 },
    );
    await processes[victim].end();
    // A connection that waits goes on without its process, unless it is ended as well.
    if (victim !== 'service') return;
    for (const pid of pids) await superuser`select pg_terminate_backend(${pid}, 5000)`;
  });
}

/** Does something, kills a process at a step of it, and starts that process again. */
async function killedAt(
  { wire, when, books = false }: Step,
  victim: Victim,
  what: keyof typeof lines,
  act: () => Promise<unknown>,
): Promise<void> {
  const held = { toConnector, toAcquirer }[wire].hold(when, lines[what][wire]);
  const acting = act().catch(() => null);
  await held.reached;
  if (books) {
    await killBooking(victim, () => held.release('on'));
  } else {
    await processes[victim].end();
    held.release(ends[wire].includes(victim) ? 'lost' : 'on');
  }
  await acting;
  await processes[victim].begin();
}

const cases = steps.flatMap((step) => victims.map((victim) => ({ ...step, victim })));

describe.each(cases)('$what: the $victim is killed', ({ victim, ...step }) => {
  test('a charge is taken once and booked once, or neither; its refund goes back once', async () => {
    const made = await create();
    await killedAt(step, victim, 'charge', () => pay(made, visa));
    await settle();
    const taken = await chargesOf(made);
    expect(taken.length).toBeLessThanOrEqual(1);
    expect(await collectedOf(made)).toEqual(taken.map(({ amount }) => amount));
    // Of what did not arrive nothing is left: it can be paid.
    if (taken.length === 0) await pay(made, visa);
    const [charge, ...others] = await chargesOf(made);
    expect([others, await collectedOf(made)]).toEqual([[], [143_050]]);
    expect(await auditAccount(database.sql, testAccount)).toEqual([]);

    await killedAt(step, victim, 'refund', () =>
      post(`/payment-request/${made.id}/refund`, { refund: {} }),
    );
    await settle();
    const { data } = await get(`/payment-request/${made.id}/refund`);
    expect(data).toMatchObject([{ state: 'done', amount: 1430.5 }]);
    const { refunds } = await asMerchant(`/payments/${charge?.id}/refunds`);
    expect(refunds).toMatchObject([{ amount: 143_050 }]);
    expect((await get(`/payment-request/${made.id}`)).state).toBe('refunded');
    expect(await auditAccount(database.sql, testAccount)).toEqual([]);
  });
});

describe.each([
  ['before it arrived', 'call', 'service'],
  ['before it arrived', 'call', 'connector'],
  ['heeded, its answer lost', 'answer', 'service'],
  ['heeded, its answer lost', 'answer', 'connector'],
] as const)('a notice, %s: by %s the %s is killed', (_what, when, victim) => {
  test('what it tells is known in the end, and booked once', async () => {
    const made = await create();
    await pay(made, authenticated);
    const page = await (await fetch(service.origin + made.page)).text();
    const [, shown = ''] = /<iframe[^>]* src="([^"]+)"/.exec(page) ?? [];
    const { search } = new URL(shown.replaceAll('&amp;', '&'));
    const held = toService.hold(when, /^POST \/connectors\/payway\/notices$/);
    await fetch(`${connector.origin}/3ds/continue${search}`, {
      method: 'POST',
      body: JSON.stringify({ instruction_value: 'Y' }),
    });
    await held.reached;
    await processes[victim].end();
    held.release('lost');
    await processes[victim].begin();
    await vi.waitFor(
      async () => expect((await get(`/payment-request/${made.id}`)).state).toBe('paid'),
      { timeout: 120_000, interval: 100 },
    );
    expect([await chargesOf(made), await collectedOf(made)]).toMatchObject([
      [{ amount: 143_050, status: 'approved' }],
      [143_050],
    ]);
    expect(await auditAccount(database.sql, testAccount)).toEqual([]);
  });
});
