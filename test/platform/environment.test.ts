import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { migrationsDirectory } from '../../src/database.ts';
import { serve } from '../../src/main.ts';
import { claimEnvironment, environmentOf } from '../../src/platform/environment.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { createLog } from '../../src/platform/log.ts';
import { migrate } from '../../src/platform/postgres/migrate.ts';
import { recaudo } from '../cli/run.ts';
import { createTestDatabase } from '../harness/database.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { startService } from '../harness/service.ts';

const log = createLog('silent');
const production = {
  ENVIRONMENT: 'production',
  PUBLIC_URL: 'https://pagos.example.com',
  BARCODE_CONVENTION: '5150000001',
  SMTP_URL: 'smtp://127.0.0.1:1',
};

const configOf = async (DATABASE_URL: string, more: Record<string, string> = {}) =>
  readConfig({
    ...{ DATABASE_URL, VAULT_KEYS: testVaultKeys, METRICS_PORT: '0', LOG_LEVEL: 'silent' },
    ...{ PORT: String(await freePort('127.0.0.1')), DATABASE_POOL: '4', DRAIN_SECONDS: '0' },
    ...more,
  });

test('refuses to start a sandbox on a database of production, and changes nothing', async () => {
  const PORT = String(await freePort('127.0.0.1'));
  const live = await startService({ ...production, ROLES: 'payments,web', PORT });
  try {
    const env = { ...production, DATABASE_URL: live.databaseUrl };
    const account = ['accounts', 'create', '--name', 'Uno', '--cuit', '30-99999999-5'];
    expect((await recaudo(account, env)).code).toBe(0);
    const config = await configOf(live.databaseUrl);
    await expect(serve(config, log)).rejects.toMatchObject({
      localized: { key: 'environment_differs' },
      message: expect.stringContaining('belongs to production, but ENVIRONMENT is sandbox'),
    });
    const users = await live.sql`select 1 from users`;
    const keys = await live.sql`select 1 from api_keys`;
    expect([users.length, keys.length]).toEqual([0, 0]);

    const misspelled = { ENVIROMENT: 'production', DATABASE_URL: live.databaseUrl };
    for (const args of [account, ['migrate'], ['accounts', 'list']]) {
      const { code, stderr } = await recaudo(args, misspelled);
      expect([args[0], code, stderr]).toEqual([
        args[0],
        1,
        expect.stringContaining('This database belongs to production'),
      ]);
    }
    expect(await live.sql`select 1 from accounts`).toHaveLength(1);
    const { stdout } = await recaudo(['doctor', '--json'], misspelled);
    const found = JSON.parse(stdout).find(({ what }: { what: string }) => what === 'environment');
    expect(found).toMatchObject({ state: 'broken' });
  } finally {
    await live.stop();
  }
});

test('neither migrates nor claims a database before it compares the environment', async () => {
  const { sql, url, drop } = await createTestDatabase();
  try {
    const list = ['accounts', 'list'];
    expect((await recaudo(list, { DATABASE_URL: url })).code).toBe(0);
    expect(await environmentOf(sql)).toBeNull();
    await claimEnvironment(sql, 'production');
    const [last] = await sql<{ name: string }[]>`
      delete from migrations where name = (select max(name) from migrations) returning name`;
    for (const start of [
      async () => (await recaudo(['migrate'], { DATABASE_URL: url })).stderr,
      async () => String(await serve(await configOf(url), log).catch((error: unknown) => error)),
    ]) {
      expect(await start()).toContain('belongs to production');
    }
    const again = await sql`select 1 from migrations where name = ${last?.name ?? ''}`;
    expect(again).toEqual([]);
  } finally {
    await drop();
  }
});

test('refuses to start production on a database of a sandbox', async () => {
  const sandbox = await startService({ ROLES: 'payments' });
  try {
    const config = await configOf(sandbox.databaseUrl, production);
    await expect(serve(config, log)).rejects.toThrow('belongs to sandbox');
  } finally {
    await sandbox.stop();
  }
});

test('gives a new database to one of two environments that start at once', async () => {
  const { sql, drop } = await createTestDatabase();
  try {
    const both = ['sandbox', 'production'];
    const ends = await Promise.allSettled(both.map((one) => claimEnvironment(sql, one)));
    const kept = await environmentOf(sql);
    expect(ends.map(({ status }) => status)).toEqual(
      both.map((one) => (one === kept ? 'fulfilled' : 'rejected')),
    );
  } finally {
    await drop();
  }
});

test.each([
  [['rk_live_ab'], 'production'],
  [['rk_test_ab', 'rk_live_ab'], 'production'],
  [['rk_test_ab'], 'sandbox'],
  [['chosen_key'], null],
  [[], null],
])('an upgrade with keys %j records %s', async (prefixes, expected) => {
  const { sql, drop } = await createTestDatabase({ migrated: false });
  const before = await mkdtemp(path.join(tmpdir(), 'recaudo-before-'));
  const now = Temporal.Instant.from('2026-11-28T12:00:00Z');
  try {
    const filter = (name: string) => !name.endsWith('_deployment.sql');
    await cp(migrationsDirectory(), before, { recursive: true, filter });
    await migrate(sql, before, now, null);
    for (const [id, prefix] of prefixes.entries()) {
      await sql`
        insert into api_keys (hash, account_id, id, name, prefix, permissions, created_at)
        values (${Buffer.from(prefix)}, 'A1B2C3D4', ${id}, 'demo', ${prefix}, '{}', ${now})`;
    }
    await migrate(sql, migrationsDirectory(), now, null);
    expect(await environmentOf(sql)).toBe(expected);
  } finally {
    await drop();
    await rm(before, { recursive: true });
  }
});

test('leaves a new sandbox’s password and key to the process that shows them', async () => {
  const { url, drop } = await createTestDatabase();
  const worker = await serve(await configOf(url, { ROLES: 'worker' }), log);
  const payments = await serve(await configOf(url, { ROLES: 'payments' }), log);
  const web = await serve(await configOf(url, { ROLES: 'payments,qr,web' }), log);
  try {
    expect(worker.demo).toBeNull();
    expect(payments.demo).toMatchObject({ user: null, key: expect.any(String) });
    expect(web.demo).toMatchObject({ user: { password: expect.any(String) } });
  } finally {
    for (const one of [worker, payments, web]) await one.stop();
    await drop();
  }
});
