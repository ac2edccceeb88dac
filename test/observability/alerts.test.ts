// Longer than 300 lines: provokes every alert, in one deployment.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { setAccount } from '../../src/accounts/index.ts';
import { measureMachine } from '../../src/composition/measures-machine.ts';
import { createReader } from '../../src/composition/measures-reader.ts';
import { centavos } from '../../src/kernel/money.ts';
import {
  closeMoneyAlarm,
  listMoneyAlarms,
  raiseForged,
  raiseMoneyAlarm,
} from '../../src/money/alarms/index.ts';
import { propose } from '../../src/money/proposals/index.ts';
import { suspend } from '../../src/money/suspense/index.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { backupRuns, noteAudit, noteRun } from '../../src/platform/sweep-runs.ts';
import { recaudo } from '../cli/run.ts';
import { type Played, playConnector } from '../connectors/played.ts';
import { testOperator } from '../harness/actors.ts';
import { connectSuperuser, createTestDatabase } from '../harness/database.ts';
import { correct, sendPayout } from '../harness/money.ts';
import { testWith } from '../harness/programs.ts';
import { type FaultProxy, openProxy } from '../harness/proxy.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';
import { checkRules, firingOver, readRules, rulesFile, tryAlerts } from './promtool.ts';
import type { Provocation, Scrape } from './samples.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });
const testWithPromtool = testWith('promtool');

let bank: Played;
let proxy: FaultProxy;
let service: TestService;
let player: Player;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
const provocations: Provocation[] = [];

beforeAll(async () => {
  bank = await playConnector('bank', ['DEBIN']);
  database = await createTestDatabase();
  proxy = await openProxy(database.url);
  service = await startService({
    ...withoutWorker,
    DATABASE_URL: proxy.url,
    // The primary is not a replica, so reads stay with it.
    DATABASE_READ_URL: database.url,
    DATABASE_POOL: '4',
    // Without a worker nothing is sent there.
    ANCHORS: 'https://127.0.0.1:1/',
    CONNECTORS: JSON.stringify([bank.configured()]),
  });
  player = playerOf(service);
  await recaudo(['audit'], { DATABASE_URL: database.url });
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([proxy?.close(), bank?.stop()]);
  await database?.drop();
});

const scrape = async (): Promise<Scrape> => {
  const response = await fetch(service.service.metricsUrl).catch(() => null);
  return { text: (await response?.text()) ?? null, at: Date.now() / 1000 };
};

/** Scrapes before and after an act that must fire an alert. */
async function provoke(alert: string, act: () => Promise<unknown>): Promise<void> {
  const before = await scrape();
  await act();
  provocations.push({ alert, before, after: await scrape() });
}

const base = () => service.service.parts.base;
const sql = () => database.sql;
const ids = () => base().recordIds.next();

async function provokeMoney(): Promise<void> {
  await provoke('RecaudoForgery', () =>
    raiseForged(base(), [{ accountId: testAccount, kind: 'journal', id: 7 }]),
  );
  await provoke('RecaudoMoneyAlarm', () =>
    raiseMoneyAlarm(base(), { kind: 'amount', fact: 'f', message: 'm' }),
  );
  await provoke('RecaudoCardTesting', () =>
    raiseMoneyAlarm(base(), { kind: 'card_testing', fact: 'f', message: 'm' }),
  );
  await provoke(
    'RecaudoAuditMissing',
    () => sql()`
    update sweep_runs set ran_at = now() - interval '2 days' where name = 'audit'`,
  );
  await provoke('RecaudoAuditFaults', () =>
    noteAudit(sql(), base().clocks.wall, { beganMs: 0, accounts: 1, faults: 2 }),
  );
  await provoke('RecaudoSuspenseOld', async () => {
    const { business } = base().clocks;
    const money = {
      channel: 'non_banking' as const,
      label: 'Rapipago',
      code: 'x',
      amount: centavos(100),
    };
    const source = { source: 'test', sourceRef: 'old', paidAt: business.now() } as const;
    await suspend(base())([{ reason: 'unknown_request', ...money, ...source }]);
    await player.move({ days: 4 });
  });
  await provoke('RecaudoProposalsWait', async () => {
    const [id, eventId] = [await ids(), await ids()];
    const at = base().clocks.business.now();
    const proposed = { account_id: testAccount, kind: 'payout', reference: 'r' } as const;
    const terms = { amount: centavos(100), terms: { cbu: '' }, proposed_by: 1 };
    const deciding = { id, eventId, at, actor: testOperator };
    await propose(sql(), { ...proposed, ...terms }, deciding);
    await player.move({ days: 2 });
  });
  await provoke('RecaudoPayoutsWait', async () => {
    const order = { accountId: testAccount, amount: centavos(1_000), actor: testOperator };
    await setAccount({ ...base(), actor: testOperator })({
      accountId: testAccount,
      payoutCbu: '2850590940090418135201',
    });
    await player.move({ days: 2 });
    await correct(base())({ ...order, reference: 'given', note: 'a test' });
    for (const { id } of await listMoneyAlarms(sql(), { all: false, after: 0, limit: 100 })) {
      await closeMoneyAlarm({ ...base(), actor: testOperator }, { id, note: 'a test' });
    }
    await sendPayout(base())({ ...order, reference: 'paid' });
    await player.move({ days: 2 });
  });
  await provoke(
    'RecaudoFilesLate',
    () => sql()`
    insert into rail_files (id, rail, direction, name, file_date, sha256, state, lines, total,
      created_at)
    values (1, 'rapipago', 'in', 'x', '2026-01-02', '\\x01', 'imported', 0, 0, now())`,
  );
}

async function provokeBackups(): Promise<void> {
  await provoke('RecaudoBackupFails', () =>
    noteRun(sql(), base().clocks.wall, backupRuns.base, { fault: 'no room' }),
  );
  const ran = (name: string, age: string) => sql()`
    insert into sweep_runs (name, ran_at) values (${name}, now() - ${age}::interval)`;
  await provoke('RecaudoBackupOld', () => ran(backupRuns.drill, '37 hours'));
  await provoke('RecaudoBackupLogLate', () => ran(backupRuns.log, '20 minutes'));
}

async function provokeDeliveries(): Promise<void> {
  await provoke(
    'RecaudoOutboxGrows',
    () => sql()`
    insert into outbox (account_id, entity, entity_id, version, event_id)
    select ${testAccount}, 'x', n::text, 1, n from generate_series(1, 1500) n`,
  );
  await service.call('POST', '/webhook', {
    body: { webhook: { url: 'http://127.0.0.1:1/hook', event_types: ['payment_request.paid'] } },
  });
  await provoke(
    'RecaudoWebhooksLate',
    () => sql()`
    insert into deliveries (account_id, webhook_id, entity, entity_id, version, event_id, position,
      state, next_at, expires_at)
    values (${testAccount}, 1, 'x', '1', 1, 1, 1, 'pending', now(), now() + interval '60 hours')`,
  );
  await provoke('RecaudoWebhookPaused', () => sql()`update webhooks set failures = 100`);
  const mail = (id: number, state: string, attempts: number) => sql()`
    insert into mails (account_id, id, recipient, subject, body, state, attempts, next_at)
    values ('00000000', ${id}, 'a@b.example', 'hello', 'text', ${state}, ${attempts}, now())`;
  await provoke('RecaudoMailServerAway', () => mail(1, 'waiting', 2));
  await provoke('RecaudoMailsFailed', () => mail(2, 'failed', 6));
}

const payNow = async () => await player.pay(await player.create(), { channel: 'DEBIN' });

async function provokeConnectors(): Promise<void> {
  await payNow();
  const { charge, manifest } = bank.plays;
  const hangUp = () => (response: { destroy(): unknown }) => void response.destroy();
  await provoke('RecaudoConnectorFault', async () => {
    bank.plays.charge = () => ({ status: 422, json: { message: 'no such merchant' } });
    await payNow();
  });
  await provoke('RecaudoConnectorCallsFail', async () => {
    bank.plays.charge = hangUp;
    bank.plays.inquiry = hangUp;
    await payNow();
  });
  await provoke('RecaudoChargesOpen', () => player.move({ hours: 2 }));
  await provoke('RecaudoConnectorDown', async () => {
    bank.plays.manifest = () => ({ status: 500, text: '' });
    await service.service.parts.connectors.refresh();
  });
  Object.assign(bank.plays, { charge, manifest });
  await service.service.parts.connectors.refresh();
}

async function provokeDatabase(): Promise<void> {
  await provoke('RecaudoUnsealed', async () => {
    await player.create();
    await player.move({ hours: 1 });
  });
  await provoke(
    'RecaudoAnchorsUnsent',
    () => sql()`
    insert into anchors (account_id, day, seal_no, hash)
    values (${testAccount}, current_date - 3, 1, '\\x01')`,
  );
  await provoke('RecaudoReplicaUnused', () => service.call('GET', '/payment-request'));
  await provoke(
    'RecaudoSweepFails',
    () => sql()`
    insert into sweep_runs (name, failed_at, error) values ('refunds', now(), 'x')`,
  );
  // Every connection waits for a lock, and the scrape waits for a connection.
  const superuser = connectSuperuser(database.url);
  const before = await scrape();
  const released = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = superuser.begin(async (tx) => {
    await tx`lock table requests in access exclusive mode`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const calls = Array.from({ length: 12 }, () => service.call('GET', '/payment-request?limit=5'));
  await expect.poll(() => base().sql.room().waiting).toBeGreaterThan(0);
  const full = await scrape();
  provocations.push({ alert: 'RecaudoDatabasePoolFull', before, after: full });
  released.resolve();
  await lock;
  await Promise.all(calls);
  provocations.push({ alert: 'RecaudoSlow', before, after: await scrape() });
  await superuser.end();
  await provoke('RecaudoErrors', async () => {
    proxy.behave('hang up');
    proxy.cut('reset');
    const ended = await Promise.all(
      [1, 2, 3].map((id) => service.call('GET', `/payment-request/${id}`)),
    );
    expect(ended.map(({ status }) => status)).toContain(503);
  });
  const { before: up, after: down } = provocations.at(-1) as Provocation;
  provocations.push({ alert: 'RecaudoDatabaseDown', before: up, after: down });
  proxy.behave('pass');
  await expect
    .poll(async () => (await service.call('GET', '/readyz')).status, { timeout: 20_000 })
    .toBe(200);
}

/** Measures a full disk, and a server whose certificate ends in January 2028. */
async function provokeMachine(): Promise<void> {
  const file = path.join(import.meta.dirname, '../platform/postgres/fixtures/until-2028.pem');
  const pem = await readFile(file);
  const secureContext = createSecureContext({ key: pem, cert: pem });
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {});
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `postgres://u:p@127.0.0.1:${port}/d?sslmode=require`;
  const { registry } = createMetrics();
  const parts = { ...base(), reader: createReader() };
  // /proc is a file system without free space.
  const machine = {
    ANCHORS: null,
    DATA_DIR: '/proc',
    DATABASE_URL: url,
    ENVIRONMENT: 'production',
  } as const;
  measureMachine(parts, machine, registry);
  const before = await scrape();
  const after = { text: await registry.metrics(), at: Date.now() / 1000 };
  server.close();
  provocations.push({ alert: 'RecaudoDiskFull', before, after });
  const later = Date.UTC(2027, 11, 20) / 1000 - after.at;
  provocations.push({ alert: 'RecaudoDatabaseCertificateEnds', before, after, later });
}

async function provokeProcess(): Promise<void> {
  await provoke('RecaudoEventLoopBlocked', async () => {
    // Enough blocks for the 99th percentile, even if a busy machine is slow to scrape.
    for (let blocks = 0; blocks < 5; blocks += 1) {
      const endMs = performance.now() + 600;
      while (performance.now() < endMs);
      await nextTurn();
    }
  });
  const before = await scrape();
  const other = `${before.text}recaudo_build_info{version="0.9.0"} 1\n`;
  provocations.push({ alert: 'RecaudoVersionsDiffer', before, after: { ...before, text: other } });
  await service.stop();
  provocations.push({ alert: 'RecaudoDown', before, after: await scrape() });
}

testWithPromtool('passes promtool’s check of the rules', async () => {
  expect(await checkRules(rulesFile)).toBe('');
});

testWithPromtool('fires no alert while the service is healthy', async () => {
  expect(await firingOver(await scrape())).toBe('');
});

testWithPromtool('fires each alert once its cause is provoked, and not before', async () => {
  await provokeDatabase();
  await provokeConnectors();
  await provokeDeliveries();
  await provokeBackups();
  await provokeMoney();
  await provokeMachine();
  await provokeProcess();
  expect(await tryAlerts(provocations)).toBe('');
  const alerts = [...(await readRules()).matchAll(/^ *- alert: (\w+)$/gm)].map(([, name]) => name);
  expect(provocations.map(({ alert }) => alert).toSorted()).toEqual(alerts.toSorted());
});
