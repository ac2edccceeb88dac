import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createAccount,
  createAuthenticator,
  createKey,
  listKeys,
  revokeKey,
} from '../../src/accounts/index.ts';
import { createBase } from '../../src/composition/base.ts';
import { createLog } from '../../src/platform/log.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { testOperator } from '../harness/actors.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

const account = 'A1B2C3D4';
const begun = Temporal.Instant.from('2026-11-21T12:00:00Z');

let database: TestDatabase;
let base: Awaited<ReturnType<typeof createBase>>['base'];
let passedMs = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ base } = await createBase(database.sql, createLog('silent')));
  const acting = { ...base, actor: testOperator };
  const una = { id: account, name: 'Una', cuit: '30999999995', city: 'Rosario' };
  await createAccount(acting, una);
});
afterAll(() => database.drop());
beforeEach(() => {
  passedMs = 0;
});

const wall = {
  now: () => begun.add({ milliseconds: passedMs }),
  nowMs: () => begun.epochMilliseconds + passedMs,
};
const patient = { begin: () => null, wasRight: () => {} };
const authenticatorOn = (sql: Sql) => createAuthenticator(sql, wall, patient);

async function makeKey(
  secret: string | null = null,
  expiresAt: Temporal.Instant | null = null,
): Promise<{ id: number; key: string }> {
  const id = await base.recordIds.next();
  const key = await createKey(
    { ...base, clocks: { ...base.clocks, wall }, actor: testOperator },
    {
      id,
      environment: 'sandbox',
      accountId: account,
      name: 'test',
      permissions: ['read'],
      expiresAt,
      secret,
    },
  );
  return { id, key };
}

const revoke = (id: number) =>
  revokeKey({ ...base, actor: testOperator }, { accountId: account, id });

const refused = { kind: 'unauthorized' };

/** Look-ups that have read the database, and whose answers arrive when the gate opens. */
function heldLookUps() {
  const read = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const slow = async (...query: Parameters<Sql>): Promise<unknown> => {
    const rows = await database.sql(...query);
    read.resolve();
    await gate.promise;
    return rows;
  };
  const { layout } = database.sql;
  return { sql: Object.assign(slow, { layout }) as unknown as Sql, read, gate };
}

describe('the key cache', () => {
  test('accepts a revoked key for exactly five seconds if no revocation notice arrives', async () => {
    const { authenticate } = authenticatorOn(database.sql);
    const { id, key } = await makeKey();
    const call = () => authenticate(`Bearer ${key}`, '127.0.0.1');
    await call();
    await revoke(id);
    passedMs = 4_999;
    expect(await call()).toMatchObject({ accountId: account });
    passedMs = 5_000;
    await expect(call()).rejects.toMatchObject(refused);
  });

  test('counts concurrent calls with a key as one guess, and looks it up once', async () => {
    const { key } = await makeKey();
    let guesses = 0;
    const begin = () => {
      guesses += 1;
      return guesses > 1 ? 1 : null;
    };
    const wasRight = () => {
      guesses -= 1;
    };
    const { authenticate } = createAuthenticator(database.sql, wall, { begin, wasRight });
    const calls = Array.from({ length: 300 }, () => authenticate(`Bearer ${key}`, '127.0.0.1'));
    for (const caller of await Promise.all(calls)) expect(caller.accountId).toBe(account);
    expect(guesses).toBe(0);
  });

  test('looks a key up again after a change that a look-up may predate', async () => {
    const { sql, read, gate } = heldLookUps();
    const { authenticate, forget } = authenticatorOn(sql);
    const { id, key } = await makeKey();
    const early = authenticate(`Bearer ${key}`, '127.0.0.1');
    await read.promise;
    await revoke(id);
    forget();
    const late = authenticate(`Bearer ${key}`, '127.0.0.1');
    gate.resolve();
    expect(await early).toMatchObject({ accountId: account });
    await expect(late).rejects.toMatchObject(refused);
  });

  test('refuses an unknown key for five seconds, then looks it up again', async () => {
    const { authenticate } = authenticatorOn(database.sql);
    const secret = 'rk_test_made-a-moment-later-than-it-was-used';
    const call = () => authenticate(`Bearer ${secret}`, '127.0.0.1');
    await expect(call()).rejects.toMatchObject(refused);
    await makeKey(secret);
    passedMs = 4_999;
    await expect(call()).rejects.toMatchObject(refused);
    passedMs = 5_000;
    expect(await call()).toMatchObject({ accountId: account });
  });

  test('does not cache the state of a key that is revoked during the look-up', async () => {
    const { sql, read, gate } = heldLookUps();
    const { authenticate, forget } = authenticatorOn(sql);
    const { id, key } = await makeKey();
    const first = authenticate(`Bearer ${key}`, '127.0.0.1');
    await read.promise;
    await revoke(id);
    forget();
    gate.resolve();
    expect(await first).toMatchObject({ accountId: account });
    await expect(authenticate(`Bearer ${key}`, '127.0.0.1')).rejects.toMatchObject(refused);
  });

  test('refuses a key as soon as its revocation arrives, however the header is written', async () => {
    const { authenticate, forget } = authenticatorOn(database.sql);
    const { id, key } = await makeKey();
    const headers = [`Bearer ${key}`, `bearer ${key}`, `Bearer${' '.repeat(2_000)}${key}`];
    for (const header of [...headers, ...headers, ...headers]) {
      expect(await authenticate(header, '127.0.0.1')).toMatchObject({ accountId: account });
    }
    await revoke(id);
    forget();
    for (const header of headers) {
      await expect(authenticate(header, '127.0.0.1')).rejects.toMatchObject(refused);
    }
  });

  test('expires a key to the millisecond, cached or not', async () => {
    const { key } = await makeKey(null, begun.add({ milliseconds: 1_000 }));
    const kept = authenticatorOn(database.sql);
    for (const { authenticate } of [kept, authenticatorOn(database.sql)]) {
      passedMs = 999;
      expect(await authenticate(`Bearer ${key}`, '127.0.0.1')).toMatchObject({
        accountId: account,
      });
      passedMs = 1_000;
      await expect(authenticate(`Bearer ${key}`, '127.0.0.1')).rejects.toMatchObject(refused);
    }
  });
});

test('updates a key’s last use with each use, and only then', async () => {
  const { authenticate, flushUses } = authenticatorOn(database.sql);
  const { id, key } = await makeKey();
  const lastUse = async () => {
    await flushUses();
    return (await listKeys(database.sql, account)).find((one) => one.id === id)?.last_used_at;
  };
  for (const at of [1_000, 60_000, 60_001]) {
    passedMs = at;
    await authenticate(`Bearer ${key}`, '127.0.0.1');
    passedMs = at + 500;
    expect(String(await lastUse())).toBe(String(begun.add({ milliseconds: at })));
    expect(String(await lastUse())).toBe(String(begun.add({ milliseconds: at })));
  }
});
