import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, vi } from 'vitest';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { type Serving, startServing } from '../cli/run.ts';
import { newSecret } from '../connectors/caller.ts';
import { paywaySettings, privateKey, tellBrowser, tokenFrom } from '../connectors/payway.ts';
import {
  kill,
  paywayConnector,
  paywayEmulator,
  type Running,
  start,
} from '../connectors/processes.ts';
import { connectSuperuser, createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { call, testAccount } from '../harness/service.ts';
import { openWire, type Wire } from './wire.ts';

/**
 * Runs the service, the Payway connector and the emulator as separate processes, to kill each at
 * each step of their exchange. Holds messages on the wires between them, and bookings by a lock in
 * the database. Supports one test file at a time.
 */

const secret = newSecret();
let folder: string;
export let database: TestDatabase;
/** Ends connections of a service that died while it waited for a lock. */
let superuser: Sql;
export let service: Serving;
export let connector: Running;
let acquirer: Running;
let toConnector: Wire;
let toAcquirer: Wire;
export let toService: Wire;

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
    ...paywaySettings({ secret, folder, acquirer: toAcquirer.origin }),
    CONNECTOR_SERVICE_URL: toService.origin,
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

export const processes = {
  service: { end: async () => void (await service.end('SIGKILL')), begin: startService },
  connector: { end: () => kill(connector), begin: startConnector },
  acquirer: { end: () => kill(acquirer), begin: startAcquirer },
};
export type Victim = keyof typeof processes;
const victims: readonly Victim[] = ['service', 'connector', 'acquirer'];

/** Starts all processes on a separate database. */
export async function open(): Promise<void> {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-killed-'));
  database = await createTestDatabase({ max: 4 });
  superuser = connectSuperuser(database.url, { applicationName: 'end' });
  [toConnector, toAcquirer, toService] = await Promise.all([openWire(), openWire(), openWire()]);
  await startAcquirer();
  await startConnector();
  await startService();
}

export async function close(): Promise<void> {
  await Promise.all(victims.map((name) => processes[name].end()));
  await Promise.all([toConnector, toAcquirer, toService].map((wire) => wire.close()));
  await superuser.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}

export const post = (address: string, body: unknown) =>
  call(service.origin, 'POST', address, { body });
export const get = async (address: string) => (await call(service.origin, 'GET', address)).body;

export const asMerchant = async (address: string) => {
  const headers = { apikey: privateKey };
  return await (await fetch(`${acquirer.origin}/api/v2${address}`, { headers })).json();
};

export interface Seen {
  id: number;
  site_transaction_id: string;
  amount: number;
  status: string;
}
/** Returns the acquirer's charges for a request. */
export async function chargesOf({ id }: { id: number }): Promise<Seen[]> {
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

export async function tokenOf(number: string): Promise<string> {
  const token = await tokenFrom(`${acquirer.origin}/api/v2`, number);
  await tellBrowser(connector.origin, token);
  return token;
}

export interface Step {
  what: string;
  wire: 'toConnector' | 'toAcquirer';
  when: 'call' | 'answer';
  /** True to hold the service's booking once the response has arrived. */
  books?: boolean;
}
const steps: readonly Step[] = [
  { what: 'stored and sent, before the connector receives it', wire: 'toConnector', when: 'call' },
  { what: 'in the journal, before the acquirer receives it', wire: 'toAcquirer', when: 'call' },
  { what: 'done by the acquirer, its answer lost', wire: 'toAcquirer', when: 'answer' },
  { what: 'answered, before the service receives it', wire: 'toConnector', when: 'answer' },
  { what: 'received, before it is booked', wire: 'toConnector', when: 'answer', books: true },
];
const ends: Record<Step['wire'], readonly Victim[]> = {
  toConnector: ['service', 'connector'],
  toAcquirer: ['connector', 'acquirer'],
};

/**
 * Victims that have work in progress when a wire is held. An acquirer without calls loses nothing.
 */
const near: Record<Step['wire'], readonly Victim[]> = {
  toConnector: ['service', 'connector'],
  toAcquirer: ['service', 'connector', 'acquirer'],
};
/** All kills that can lose work. */
export const kills = steps.flatMap((step) =>
  near[step.wire].map((victim) => ({ ...step, victim })),
);
/** Kills a process while the service waits to book a response. */
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
    // PostgreSQL keeps a session that waits for a lock after its client died.
    if (victim !== 'service') return;
    for (const pid of pids) await superuser`select pg_terminate_backend(${pid}, 5000)`;
  });
}

/** Performs an act, kills a process at a step of it, and starts that process again. */
export async function killedAt(
  { wire, when, books = false }: Step,
  victim: Victim,
  lines: Record<Step['wire'], RegExp>,
  act: () => Promise<unknown>,
): Promise<void> {
  const held = { toConnector, toAcquirer }[wire].hold(when, lines[wire]);
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
