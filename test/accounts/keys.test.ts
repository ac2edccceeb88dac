import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createAccount,
  createKey,
  type KeyPermission,
  listKeys,
  revokeKey,
} from '../../src/accounts/index.ts';
import { testOperator, testOperatorText } from '../harness/actors.ts';
import { paymentRequestBody, stored } from '../harness/builders/payment-requests.ts';
import { expectError } from '../harness/errors.ts';
import { call, startService, type TestService, testAccount, testKey } from '../harness/service.ts';

/** Two services on one database, which stand for two processes. */
let first: TestService;
let second: TestService;
beforeAll(async () => {
  first = await startService();
  second = await startService({ DATABASE_URL: first.databaseUrl });

  const other = { id: 'BBBBBBBB', name: 'Otra', cuit: '30999999995', city: 'Rosario' };
  await createAccount(tools().acting, other);
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const tools = () => {
  const { base } = first.service.parts;
  return { sql: base.sql, clocks: base.clocks, base, acting: { ...base, actor: testOperator } };
};

interface KeyOptions {
  permissions?: KeyPermission[];
  accountId?: string;
  expiresAt?: Temporal.Instant;
}

const makeKey = async (options: KeyOptions = {}): Promise<{ id: number; key: string }> => {
  const { base, acting } = tools();
  const id = await base.recordIds.next();
  const key = await createKey(acting, {
    id,
    environment: 'sandbox',
    accountId: options.accountId ?? testAccount,
    name: 'test',
    permissions: options.permissions ?? ['read', 'write', 'sandbox'],
    expiresAt: options.expiresAt ?? null,
    secret: null,
  });
  return { id, key };
};

const expectUnauthorized = async (authorization: string | null, method = 'GET'): Promise<void> => {
  const answer = await first.call(method, '/payment-request', {
    key: null,
    ...(authorization !== null && { headers: { authorization } }),
    ...(method === 'POST' && { body: paymentRequestBody(first) }),
  });
  expectError(answer, 401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  expect(answer.body.error_code).toMatch(/^api_key\./);
  const sent = authorization?.slice('Bearer '.length) ?? '';
  if (sent.length > 8) expect(answer.text).not.toContain(sent);
};

interface Operation {
  security: object[];
  responses: Record<string, object>;
}

describe('answers 401 without a valid key', () => {
  test.each([
    ['none', null],
    ['empty', ''],
    ['only the scheme', 'Bearer'],
    ['another scheme', `Basic ${testKey}`],
    ['no scheme', testKey],
    ['two keys', `Bearer ${testKey} ${testKey}`],
    ['too short', 'Bearer abc'],
    ['too long', `Bearer ${'a'.repeat(300)}`],
    ['unknown', 'Bearer rk_test_nobody-has-ever-made-this-one'],
    ['in another case', `Bearer ${testKey.toUpperCase()}`],
    ['truncated', `Bearer ${testKey.slice(0, -1)}`],
    ['outside ASCII', 'Bearer contraseña-larga'],
    ['SQL', `Bearer ${"'or''='or"}${testKey}`],
  ])('answers 401 to a bad header: %s', async (_what, authorization) => {
    await expectUnauthorized(authorization);
    await expectUnauthorized(authorization, 'POST');
    expect((await stored(first.sql)).requests).toBe(0);
  });
  test('rejects an expired key by the wall clock, and refuses to create one', async () => {
    const now = first.service.parts.clocks.wall.now();
    const past = now.subtract({ seconds: 1 });
    await expect(makeKey({ expiresAt: past })).rejects.toThrow('must be in the future');
    const { key, id } = await makeKey({ expiresAt: now.add({ hours: 1 }) });
    await first.sql`update api_keys set expires_at = ${past}::timestamptz where id = ${id}`;
    await expectUnauthorized(`Bearer ${key}`);
    const { key: good } = await makeKey({ expiresAt: now.add({ hours: 1 }) });
    expect((await first.call('GET', '/account', { key: good })).status).toBe(200);
  });
  test('answers 401 without a key on every call that needs one, and 200 on public paths', async () => {
    const { paths } = (await first.call('GET', '/openapi.json', { key: null })).body;
    for (const [path, methods] of Object.entries<Record<string, Operation>>(paths)) {
      for (const [method, { security, responses }] of Object.entries(methods)) {
        if (security.length === 0) continue;
        const inCodes = JSON.stringify(responses['401']).includes('QrNoValidKey');
        const address = path.replaceAll(/\{\w+\}/g, '1');
        const answer = await first.call(method.toUpperCase(), address, { key: null });
        expectError(answer, 401, inCodes ? 'H401' : 401);
      }
    }
    for (const path of ['/status', '/healthz', '/readyz', '/openapi.json', '/docs/']) {
      expect((await first.call('GET', path, { key: null })).status).toBe(200);
    }
  });
});

test('accepts the scheme in any case, followed by spaces', async () => {
  for (const authorization of [`bearer ${testKey}`, `BEARER  ${testKey}`, ` Bearer ${testKey} `]) {
    const answer = await first.call('GET', '/account', { key: null, headers: { authorization } });
    expect(answer.status).toBe(200);
  }
});

describe('answers 403 to a key without the permission', () => {
  const calls: [KeyPermission, string, string][] = [
    ['read', 'GET', '/payment-request'],
    ['read', 'GET', '/payment-request/1'],
    ['read', 'GET', '/account'],
    ['read', 'GET', '/account/balances'],
    ['read', 'GET', '/helper/channel-installments/100'],
    ['read', 'POST', '/validator/next-business-day'],
    ['write', 'POST', '/payment-request'],
    ['sandbox', 'POST', '/sandbox/clock'],
    ['sandbox', 'GET', '/sandbox/clock'],
    ['sandbox', 'POST', '/sandbox/pay/1'],
    ['sandbox', 'POST', '/sandbox/refund/1'],
    ['sandbox', 'POST', '/sandbox/chargeback/1'],
  ];
  const all: KeyPermission[] = ['read', 'write', 'sandbox'];

  test.each(calls)('answers 403 to a key without %s: %s %s', async (permission, method, path) => {
    const { key } = await makeKey({ permissions: all.filter((one) => one !== permission) });
    const body = method === 'POST' ? { body: paymentRequestBody(first) } : {};
    const answer = await first.call(method, path, { key, ...body });
    expectError(answer, 403);
    const needed = permission === 'sandbox' ? permission : `:${permission}"`;
    expect(answer.body.message).toContain(needed);
    const { key: enough } = await makeKey({ permissions: [permission] });
    const allowed = await first.call(method, path, { key: enough, ...body });
    expect([200, 201, 400, 404]).toContain(allowed.status);
  });
});

describe('requests of another account', () => {
  test('answers 404 for another account’s request, as for one that does not exist', async () => {
    const { key } = await makeKey({ accountId: 'BBBBBBBB' });
    const made = await first.call('POST', '/payment-request', { body: paymentRequestBody(first) });
    const own = await first.call('GET', `/payment-request/${made.body.id}`);
    expect(own.status).toBe(200);
    const theirs = await first.call('GET', `/payment-request/${made.body.id}`, { key });
    const nobodys = await first.call('GET', '/payment-request/999999999999999', { key });
    expectError(theirs, 404);
    expectError(nobodys, 404);
    expect(theirs.text).toBe(nobodys.text);
    for (const verb of ['pay', 'refund', 'chargeback']) {
      const path = `/sandbox/${verb}/${made.body.id}`;
      expectError(await first.call('POST', path, { key, body: {} }), 404);
    }
    expect((await first.call('GET', `/payment-request/${made.body.id}`)).text).toBe(own.text);
  });
  test.each(['abc', '0', '-1', '1.5', '1e3', '9999999999999999', '%00', "1'--"])(
    'answers 400 for an invalid id (%s)',
    async (id) => {
      const answer = await first.call('GET', `/payment-request/${id}`);
      expectError(answer, 400);
      expect(answer.body.children.id.errors).toHaveLength(1);
    },
  );
});

describe('revocation', () => {
  test('revokes a key in every process at once', async () => {
    const { acting } = tools();
    for (let round = 0; round < 5; round += 1) {
      const { id, key } = await makeKey();
      const statuses = () =>
        Promise.all(
          [first, second].map(async ({ origin }) => {
            return (await call(origin, 'GET', '/account', { key })).status;
          }),
        );
      expect(await statuses()).toEqual([200, 200]);
      await revokeKey(acting, { accountId: testAccount, id });
      // The timeout ends well before a cached key would be reloaded.
      await expect.poll(statuses, { timeout: 2000, interval: 5 }).toEqual([401, 401]);
      await expectUnauthorized(`Bearer ${key}`);
    }
  });
  test('accepts a repeated revocation, and answers 404 for another account’s key', async () => {
    const { sql, acting } = tools();
    const { id, key } = await makeKey();
    const foreign = revokeKey(acting, { accountId: 'BBBBBBBB', id });
    await expect(foreign).rejects.toMatchObject({ kind: 'not_found' });
    expect((await first.call('GET', '/account', { key })).status).toBe(200);
    await revokeKey(acting, { accountId: testAccount, id });
    const once = (await listKeys(sql, testAccount)).find((one) => one.id === id)?.revoked_at;
    await revokeKey(acting, { accountId: testAccount, id });
    const twice = (await listKeys(sql, testAccount)).find((one) => one.id === id)?.revoked_at;
    expect(twice?.toString()).toBe(once?.toString());
    const events = await sql`
      select type, actor from events where entity = 'api_key' and entity_id = ${String(id)}
      order by version`;
    expect(events).toEqual([
      { type: 'api_key.created', actor: testOperatorText },
      { type: 'api_key.revoked', actor: testOperatorText },
    ]);
  });
});

describe('stored key data', () => {
  test('stores a key’s hash, prefix and last use, never the key itself', async () => {
    const { sql } = tools();
    const { id, key } = await makeKey({ permissions: ['read'] });
    expect(key).toMatch(/^rk_test_[\w-]{32}$/);
    const before = first.service.parts.clocks.wall.now();
    const find = async () => (await listKeys(sql, testAccount)).find((one) => one.id === id);
    expect((await find())?.last_used_at).toBeNull();
    await first.call('GET', '/account', { key });
    await first.service.parts.authenticator.flushUses();
    const used = await find();
    expect(used).toMatchObject({ name: 'test', permissions: ['read'], prefix: key.slice(0, 12) });
    const lastUsed = used?.last_used_at;
    expect(lastUsed && lastUsed.epochMilliseconds >= before.epochMilliseconds).toBe(true);
    const dump = JSON.stringify(await sql`select k::text, e.data::text from api_keys k, events e`);
    expect(dump).not.toContain(key);
    expect(dump).not.toContain(key.slice(12));
  });
  test('keeps a key’s newest use, even if an older one is written later', async () => {
    const { sql } = tools();
    const { id, key } = await makeKey();
    await call(first.origin, 'GET', '/account', { key });
    await call(second.origin, 'GET', '/account', { key });
    await second.service.parts.authenticator.flushUses();
    const find = async () => (await listKeys(sql, testAccount)).find((one) => one.id === id);
    const newer = (await find())?.last_used_at?.toString();
    await first.service.parts.authenticator.flushUses();
    expect((await find())?.last_used_at?.toString()).toBe(newer);
  });
});

describe('refuses invalid accounts and keys', () => {
  test.each([
    [{ id: 'abcdef01' }, 'id_invalid'],
    [{ id: 'ABC' }, 'id_invalid'],
    [{ name: ' ' }, 'name_length'],
    [{ name: 'x'.repeat(101) }, 'name_length'],
    [{ cuit: '30999999994' }, 'cuit_invalid'],
    [{ cuit: '3099999999' }, 'cuit_invalid'],
    [{ city: '' }, 'city_length'],
  ])('refuses an account with %j', async (wrong, code) => {
    const { acting } = tools();
    const good = { id: null, name: 'Una', cuit: '30999999995', city: 'Rosario' };
    const making = createAccount(acting, { ...good, ...wrong });
    await expect(making).rejects.toMatchObject({
      kind: 'invalid',
      errorCode: `account.${code}`,
    });
  });
  test('refuses an id or key that is already in use', async () => {
    const { acting } = tools();
    const taken = { id: testAccount, name: 'Una', cuit: '30999999995', city: 'Rosario' };
    const making = createAccount(acting, taken);
    await expect(making).rejects.toMatchObject({ errorCode: 'account.id_taken' });
    const again = createKey(acting, {
      id: 5,
      environment: 'sandbox',
      accountId: testAccount,
      name: 'again',
      permissions: ['read'],
      expiresAt: null,
      secret: testKey,
    });
    await expect(again).rejects.toMatchObject({ errorCode: 'api_key.exists' });
  });
  test('refuses a key for an unknown account', async () => {
    await expect(makeKey({ accountId: 'CCCCCCCC' })).rejects.toMatchObject({ kind: 'not_found' });
  });
});

test('returns the key’s account and balances from GET /account and GET /account/balances', async () => {
  const { key } = await makeKey({ accountId: 'BBBBBBBB' });
  const balances = { user_account_id: 'BBBBBBBB', available_balance: 0, unavailable_balance: 0 };
  expect((await first.call('GET', '/account/balances', { key })).body).toEqual(balances);
  const account = { id: 'BBBBBBBB', name: 'Otra', cuit: '30999999995', ...balances };
  expect((await first.call('GET', '/account', { key })).body).toEqual(account);
});
