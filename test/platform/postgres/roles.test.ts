import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../../src/config/index.ts';
import { openDatabase } from '../../../src/database.ts';
import { createLog } from '../../../src/platform/log.ts';
import { connect, type Sql } from '../../../src/platform/postgres/connect.ts';
import { asSuperuser } from '../../harness/database.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { playerOf } from '../../scenarios/play.ts';

/**
 * Creates two roles and a database with the statements of docs/how-to/use-your-own-postgresql.md.
 */
const name = `roles_${randomBytes(6).toString('hex')}`;
const addressOf = (role: string): string => {
  const url = new URL(inject('superuserUrl'));
  url.username = role;
  url.password = 'secret';
  url.pathname = name;
  return url.href;
};
const serving = addressOf(`${name}_serves`);
const owner = addressOf(`${name}_owns`);

const open = (env: Record<string, string>) =>
  openDatabase(
    readConfig({ DATABASE_URL: serving, LOG_LEVEL: 'silent', ...env }),
    createLog('silent'),
    'test',
  );

beforeAll(async () => {
  await asSuperuser(`create role ${name}_owns login password 'secret'`);
  await asSuperuser(`create role ${name}_serves login password 'secret'`);
  await asSuperuser(`create database ${name} owner ${name}_owns template template0`);
});
afterAll(async () => {
  await asSuperuser(`drop database ${name} with (force)`);
  await asSuperuser(`drop role ${name}_owns`);
  await asSuperuser(`drop role ${name}_serves`);
});

const asServing = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
  const sql = connect(serving, { max: 1, applicationName: 'test' });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
};

test('refuses to serve an older schema, and names the command that updates it', async () => {
  const database = await open({});
  try {
    await expect(database.migrate()).rejects.toThrow(
      /lacks \d+ migrations .* role roles_\w+_serves does not own .*DATABASE_OWNER_URL.*recaudo migrate/,
    );
  } finally {
    await database.close();
  }
});

test('refuses an owner’s address that points to another database, and creates nothing there', async () => {
  const elsewhere = new URL(owner);
  elsewhere.pathname = `${name}_else`;
  await asSuperuser(`create database ${name}_else owner ${name}_owns template template0`);
  const database = await open({ DATABASE_OWNER_URL: elsewhere.href });
  const other = connect(elsewhere.href, { max: 1, applicationName: 'test' });
  try {
    await expect(database.migrate()).rejects.toThrow(
      'DATABASE_OWNER_URL leads to another database than DATABASE_URL',
    );
    await expect(database.distribute(4)).rejects.toThrow('leads to another database');
    expect(await other`select to_regclass('migrations') as there`).toEqual([{ there: null }]);
  } finally {
    await other.end();
    await database.close();
    await asSuperuser(`drop database ${name}_else with (force)`);
  }
});

test('names the variable if no server answers at the owner’s address', async () => {
  const database = await open({ DATABASE_OWNER_URL: 'postgres://owner@127.0.0.1:1/recaudo' });
  try {
    await expect(database.migrate()).rejects.toThrow(
      'DATABASE_OWNER_URL: The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
    );
  } finally {
    await database.close();
  }
});

describe('with two roles created by the operator', () => {
  let service: TestService;
  beforeAll(async () => {
    const database = await open({ DATABASE_OWNER_URL: owner });
    expect((await database.migrate()).applied.length).toBeGreaterThan(0);
    expect((await database.migrate()).applied).toEqual([]);
    await database.close();
    service = await startService({ DATABASE_URL: serving });
  });
  afterAll(() => service.stop());

  test('serves with the serving role alone: create, collect, reverse and move the clock', async () => {
    const player = playerOf(service);
    const id = await player.create();
    expect((await player.pay(id)).status).toBe(200);
    expect((await player.refund(id, { amount: 1 })).status).toBe(200);
    expect((await player.move({ days: 9 })).status).toBe(200);
    expect((await player.get(id)).state).toBe('paid');
    const [row] = await asServing(
      (sql) => sql`select count(*)::int as count from journals where account_id = ${testAccount}`,
    );
    expect(row?.count).toBeGreaterThan(2);
  });

  const append = ['journals', 'seals', 'events', 'corrections', 'withholdings'];
  const kept = ['requests', 'results', 'mandates', 'debit_runs', 'payouts', 'suspense', 'accounts'];
  test.each([
    ...append.flatMap((table) => [
      `update ${table} set account_id = account_id`,
      `delete from ${table}`,
      `truncate ${table}`,
    ]),
    ...kept.flatMap((table) => [`delete from ${table}`, `truncate ${table}`]),
    `update events set actor = 'nobody'`,
    `insert into migrations values ('x', 'x', '2026-01-01')`,
    `create table more (id int)`,
    `alter table journals add column x int`,
    `grant delete on journals to current_user; delete from journals`,
    `set role ${name}_owns`,
  ])('does not let the serving role run: %s', async (statement) => {
    await expect(asServing((sql) => sql.unsafe(statement))).rejects.toThrow(
      /permission denied|must be owner/,
    );
  });

  test('revokes manual grants in the next migration', async () => {
    await asSuperuser(`grant update, delete on journals, seals to ${name}_serves`, serving);
    const database = await open({ DATABASE_OWNER_URL: owner });
    await database.migrate();
    await database.close();
    await expect(asServing((sql) => sql`delete from seals`)).rejects.toThrow('permission denied');
  });
});
