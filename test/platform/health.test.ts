import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/platform/http/free-port.ts';
import { version } from '../../src/version.ts';
import { recaudo, startServing } from '../cli/run.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { expectError } from '../harness/errors.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { startService, type TestService } from '../harness/service.ts';

/** Opens a proxy to the database that can be cut and restored. */
async function openWire(target: URL) {
  let server: Server;
  const sockets = new Set<Socket>();
  const listen = (port: number): Promise<number> => {
    server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far).pipe(near);
    });
    const { promise, resolve } = Promise.withResolvers<number>();
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
    return promise;
  };
  const port = await listen(0);
  const url = new URL(target.href);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const cut = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
    return promise;
  };
  return { url: url.href, cut, mend: () => listen(port) };
}

let database: TestDatabase;
let wire: Awaited<ReturnType<typeof openWire>>;
let service: TestService;
beforeAll(async () => {
  database = await createTestDatabase();
  wire = await openWire(new URL(database.url));
  service = await startService({ DATABASE_URL: wire.url });
});
afterAll(async () => {
  await service.stop();
  await wire.cut();
  await database.drop();
});

const ask = (path: string) => service.call('GET', path, { key: null });

test('answers status, health and readiness without a key', async () => {
  const status = await ask('/status');
  expect(status.status).toBe(200);
  expect(status.body).toEqual({
    status: 'ok',
    service: 'recaudo',
    environment: 'sandbox',
    version,
  });
  for (const path of ['/healthz', '/readyz', '/readyz/']) {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'ok' });
    expect(answer.headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test('is not ready while a migration is missing, and names it', async () => {
  const [last] = await database.sql<
    { name: string; checksum: string; applied_at: Temporal.Instant }[]
  >`
    delete from migrations where name = (select max(name) from migrations) returning *`;
  if (!last) throw new Error('there is no migration');
  const answer = await ask('/readyz');
  expectError(answer, 503);
  expect(answer.body.error_code).toBe('migrations_missing');
  expect(answer.body.message).toContain(last.name);
  await database.sql`
    insert into migrations (name, checksum, applied_at)
    values (${last.name}, ${last.checksum}, ${last.applied_at})`;
  expect((await ask('/readyz')).status).toBe(200);
});

test('is alive but not ready without its database, answers calls with 503, and recovers', async () => {
  const body = paymentRequestBody(service, { external_reference: 'while away' });
  const headers = { 'idempotency-key': 'while away' };
  expect((await service.call('GET', '/account')).status).toBe(200);
  await wire.cut();
  expect((await ask('/healthz')).status).toBe(200);
  expect((await ask('/status')).status).toBe(200);
  const ready = await ask('/readyz');
  expectError(ready, 503);
  expect(ready.body.error_code).toBe('database_unreachable');
  const measures = await (await fetch(service.service.metricsUrl)).text();
  expect(measures).toMatch(/^recaudo_database_up 0$/m);
  const refused = [
    await service.call('POST', '/payment-request', { body, headers }),
    await service.call('GET', '/payment-request/1'),
    await service.call('GET', '/payment-request'),
    await service.call('GET', '/account/balances'),
    await service.call('GET', '/account', { key: 'a-key-that-is-not-cached' }),
  ];
  for (const answer of refused) {
    expectError(answer, 503);
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  await wire.mend();
  await expect.poll(async () => (await ask('/readyz')).status, { timeout: 20_000 }).toBe(200);
  const answer = await service.call('POST', '/payment-request', { body, headers });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.headers.has('idempotency-replayed')).toBe(false);
  const rows = await database.sql`select id from requests where reference = 'while away'`;
  expect(rows).toEqual([{ id: answer.body.id }]);
});

describe('channels', () => {
  test('lists the payers’ channels in readiness', async () => {
    const { body } = await ask('/readyz');
    expect(body).toEqual({ status: 'ok', channels: expect.arrayContaining(['credit_card', 'qr']) });
  });

  test('reports a production service without channels at start, in readiness and in doctor', async () => {
    const own = await createTestDatabase();
    const port = await freePort('127.0.0.1');
    const env = {
      ENVIRONMENT: 'production',
      PORT: String(port),
      DATABASE_URL: own.url,
      PUBLIC_URL: 'https://pagos.example.com',
      BARCODE_CONVENTION: '1234567890',
      SMTP_URL: 'smtp://127.0.0.1:1',
      VAULT_KEYS: testVaultKeys,
    };
    const serving = await startServing({ ...env, SANDBOX_API_KEY: '', SANDBOX_ACCOUNT_ID: '' });
    try {
      expect(serving.output()).toMatch(/^channels +No channel is configured/m);
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { status: 'ok', channels: [], warning: expect.stringContaining('No channel') },
      ]);
    } finally {
      await serving.end('SIGTERM');
    }
    const { stdout } = await recaudo(['doctor', '--json'], env);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ what: 'channels', state: 'look' }),
    );
    await own.drop();
  });
});
