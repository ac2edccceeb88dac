import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Embedded, openEmbedded } from '../../src/platform/embedded/embedded.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { type Serving, startServing } from '../cli/run.ts';
import { call } from '../harness/service.ts';
import { killServer, serverPid } from '../platform/postgres/embedded-tools.ts';
import { openReceiver, type Receiver } from '../webhooks/receiver.ts';

// This test starts and stops processes and a database server, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let directory: string;
let databasePort: number;
let embedded: Embedded;
let sql: Sql;
let api: Serving;
let worker: Serving;
let receiver: Receiver;
let secret: string;

const openDatabase = (): Promise<Embedded> =>
  openEmbedded({ dataDir: directory, log: () => {}, choosePort: async () => databasePort });

const startRole = (roles: string): Promise<Serving> =>
  startServing({
    DATABASE_URL: embedded.url,
    DATABASE_OWNER_URL: embedded.ownerUrl,
    ROLES: roles,
    WEBHOOK_TIMEOUT_MS: '500',
  });

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'recaudo-webhooks-'));
  databasePort = await freePort('127.0.0.1');
  embedded = await openDatabase();
  sql = connect(embedded.url, { max: 2, applicationName: 'test' });
  api = await startRole('payments');
  worker = await startRole('worker');
  receiver = await openReceiver();
  const event_types = ['payment_request.paid', 'payment_request.refunded'];
  const { body } = await call(api.origin, 'POST', '/webhook', {
    body: { webhook: { url: receiver.url, event_types } },
  });
  secret = body.secret;
});
afterAll(async () => {
  await Promise.all([api.end('SIGKILL'), worker.end('SIGKILL')]);
  await sql.end({ timeout: 5 });
  await embedded.close();
  await receiver.close();
  await rm(directory, { recursive: true, force: true });
});

/** Creates, pays and refunds without a pause until stopped. Does not repeat failures. */
function startLoad(): { stop(): Promise<void> } {
  let going = true;
  const post = (at: string, body: unknown) => call(api.origin, 'POST', at, { body });
  const client = async (): Promise<void> => {
    while (going) {
      try {
        const { body } = await post('/payment-request', {
          payment_request: {
            description: 'Cuota',
            first_due_date: '31-12-2098',
            first_total: 10.5,
            payer_name: 'Ana',
          },
        });
        await post(`/sandbox/pay/${body?.id}`, { channel: 'qr' });
        await post(`/sandbox/refund/${body?.id}`, {});
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const clients = [client(), client()];
  return {
    async stop() {
      going = false;
      await Promise.all(clients);
    },
  };
}

/** Everything that any of the receivers accepted, in order. */
const arrived: Receiver['received'] = [];
const keep = (): void => {
  arrived.push(...receiver.received.splice(0));
};

const further = (count: number): Promise<void> => {
  const wanted = receiver.received.length + count;
  return vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(wanted), {
    timeout: 30_000,
  });
};

test('delivers every event in order while receiver, worker and database die in turn under load', async () => {
  const load = startLoad();
  await further(20);

  await receiver.close();
  keep();
  const { port } = new URL(receiver.url);
  await vi.waitFor(async () => {
    const failures = await sql`select 1 from delivery_attempts where status is null`;
    expect(failures.length).toBeGreaterThan(0);
  });
  receiver = await openReceiver(Number(port));
  await further(20);

  await worker.end('SIGKILL');
  worker = await startRole('worker');
  await further(20);

  killServer(serverPid(directory) ?? 0);
  await embedded.close();
  embedded = await openDatabase();
  await further(20);

  await load.stop();
  await vi.waitFor(
    async () => {
      const [left] = await sql`
        select (select count(*)::int from outbox) as outbox,
          (select count(*)::int from deliveries where state <> 'delivered') as deliveries`;
      expect(left).toEqual({ outbox: 0, deliveries: 0 });
    },
    { timeout: 60_000, interval: 200 },
  );
  keep();

  const told = new Map<number | string, number[]>();
  for (const { headers, body, event } of arrived) {
    expect(new Webhook(secret).verify(body, headers)).toEqual(event);
    const id = Number(headers['webhook-id']?.replace('evt_', ''));
    told.set(event.entity_id, [...(told.get(event.entity_id) ?? []), id]);
  }
  const events = await sql<{ id: number; entity_id: string; version: number }[]>`
    select id, entity_id, version from events
    where type in ('payment_request.paid', 'payment_request.refunded') order by version`;
  expect(events.length).toBeGreaterThan(80);
  for (const [entity, own] of Map.groupBy(events, (event) => event.entity_id)) {
    // A lost answer may cause a repetition, but never another order or a gap.
    const each = (told.get(Number(entity)) ?? []).filter((id, at, all) => id !== all[at - 1]);
    expect(each).toEqual(own.map((event) => event.id));
  }
});
