import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import path from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookAtCertificate, lookAtPooler } from '../../../src/cli/doctor/connection.ts';
import { readConfig } from '../../../src/config/index.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';
import { findPgbouncer, openPooler } from '../../harness/pgbouncer.ts';

const config = readConfig({});
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

describe('the certificate of the database', () => {
  let server: Server;
  beforeAll(async () => {
    const file = path.join(import.meta.dirname, '../../platform/postgres/fixtures/until-2028.pem');
    const pem = await readFile(file);
    const secureContext = createSecureContext({ key: pem, cert: pem });
    // Accepts SSLRequest like a PostgreSQL server, and presents the certificate.
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write('S');
        new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {});
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  const portOf = (one: Server): number => (one.address() as AddressInfo).port;
  const lookOn = (day: string, parameters = '?sslmode=require') => {
    const url = `postgres://u:p@127.0.0.1:${portOf(server)}/d${parameters}`;
    return lookAtCertificate(config, url, Temporal.Instant.from(`${day}T00:00:00Z`));
  };

  test.each([
    ['2027-06-01', 'ok', 'expires in 213 days'],
    ['2027-12-20', 'look', 'expires in 11 days'],
    ['2028-02-01', 'broken', 'has expired'],
  ])('reports the database’s certificate on %s as %s', async (day, state, found) => {
    expect(await lookOn(day)).toMatchObject({ state, found: expect.stringContaining(found) });
  });

  test('checks the certificate of the server that runs if the other one is off, and fails if both are', async () => {
    const off = createServer().listen(0, '127.0.0.1');
    await once(off, 'listening');
    const dead = portOf(off);
    off.close();
    await once(off, 'close');
    const servers = (...ports: number[]) =>
      `?sslmode=require&host=127.0.0.1,127.0.0.1&port=${ports.join()}`;
    expect(await lookOn('2027-12-20', servers(dead, portOf(server)))).toMatchObject({
      state: 'look',
      found: expect.stringContaining('expires in 11 days'),
    });
    await expect(lookOn('2027-12-20', servers(dead, dead))).rejects.toThrow('ECONNREFUSED');
  });

  test('skips the certificate check on unencrypted connections', async () => {
    expect(await lookOn('2027-12-20', '')).toBeNull();
    expect(await lookAtCertificate(config, database.url)).toBeNull();
  });
});

test('finds a session per connection on a server without a pooler', async () => {
  expect(await lookAtPooler(config, database.url)).toMatchObject({ state: 'ok' });
});

const installed = findPgbouncer();
test.skipIf(installed === null)(
  'detects a pooler in transaction mode, and an address that bypasses it',
  async () => {
    if (!installed) return;
    const pooler = await openPooler(installed, database.url, 3);
    try {
      const plain = { ...config, DATABASE_PREPARED_STATEMENTS: installed.keepsStatements };
      expect(await lookAtPooler(plain, pooler.url)).toMatchObject({
        state: 'look',
        todo: expect.stringContaining('DATABASE_DIRECT_URL'),
      });
      const past = { ...plain, DATABASE_DIRECT_URL: database.url };
      expect(await lookAtPooler(past, pooler.url)).toMatchObject({ state: 'ok' });
    } finally {
      await pooler.close();
    }
  },
);
