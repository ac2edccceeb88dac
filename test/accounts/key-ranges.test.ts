import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addressRanges,
  createKey,
  findCalls,
  listKeys,
  mostRanges,
  restrictKey,
  revokeKey,
} from '../../src/accounts/index.ts';
import { testOperator, testOperatorText } from '../harness/actors.ts';
import { expectError } from '../harness/errors.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { call, startService, type TestService, testAccount } from '../harness/service.ts';

/** Two services on one database, behind one proxy. */
let first: TestService;
let second: TestService;
let owner: Office;
beforeAll(async () => {
  first = await startService({ TRUST_PROXY: '1' });
  second = await startService({ TRUST_PROXY: '1', DATABASE_URL: first.databaseUrl });
  owner = await signIn(first, 'owner');
});
afterAll(async () => {
  await second?.stop();
  await first?.stop();
});

const acting = () => ({ ...first.service.parts.base, actor: testOperator });

let id: number;
let key: string;
beforeEach(async () => {
  id = await acting().recordIds.next();
  const terms = { name: 'test', permissions: ['read' as const], expiresAt: null, secret: null };
  const of = { id, environment: 'sandbox', accountId: testAccount };
  key = await createKey(acting(), { ...of, ...terms, ranges: ['203.0.113.0/24'] });
});

const from = (address: string, { origin } = first) =>
  call(origin, 'GET', '/account', { key, headers: { 'x-forwarded-for': address } });

const restrict = (...ranges: string[]) =>
  restrictKey(acting(), { accountId: testAccount, id, ranges });

const rangesNow = async () =>
  (await listKeys(first.sql, testAccount)).find((one) => one.id === id)?.ranges;

describe('a key that is limited to addresses', () => {
  test('accepts calls from these addresses only, and names the address in the 403', async () => {
    expect((await from('203.0.113.9')).status).toBe(200);
    const refused = await from('198.51.100.9');
    expectError(refused, 403);
    expect(refused.body).toMatchObject({ error_code: 'api_key.address_refused' });
    expect(refused.body.message).toContain('198.51.100.9');
    expect((await from('203.0.113.9')).status).toBe(200);
  });

  test('trusts only the last address forwarded by the trusted proxy', async () => {
    expect((await from('203.0.113.9, 198.51.100.9')).status).toBe(403);
    expect((await from('198.51.100.9, 203.0.113.9')).status).toBe(200);
    const direct = await call(first.origin, 'GET', '/account', { key });
    expectError(direct, 403);
    expect(direct.body.message).toContain('127.0.0.1');
  });

  test('does not count a refused call as a use or against the rate limit', async () => {
    const refused = await from('198.51.100.9');
    expect(refused.headers.get('ratelimit-limit')).toBeNull();
    await first.service.parts.authenticator.flushUses();
    const found = (await listKeys(first.sql, testAccount)).find((one) => one.id === id);
    expect(found?.last_used_at).toBeNull();
  });

  test('reads forwarded addresses with a port', async () => {
    expect((await from('203.0.113.9:50123')).status).toBe(200);
    expect((await from('198.51.100.9:50123')).status).toBe(403);
  });

  test('logs refused calls for the account, including those with a revoked key', async () => {
    await from('198.51.100.9');
    await revokeKey(acting(), { accountId: testAccount, id });
    await expect.poll(async () => (await from('203.0.113.9')).status).toBe(401);
    await first.service.parts.calls.flush();
    const none = { text: null, method: null, from: null, before: null, slowerThanMs: null };
    const filters = { ...none, status: [400, 499] as const, keyId: id };
    const { calls } = await findCalls(first.sql, testAccount, filters, { after: null, limit: 9 });
    expect(calls.map(({ status }) => status)).toEqual(expect.arrayContaining([401, 403]));
    expect(calls.every((one) => one.path === '/account' && one.key?.id === id)).toBe(true);
    const { text } = await owner.get(`/portal/${testAccount}/log?status=403`);
    expect(text).toContain('/account');
  });
});

describe('a change of addresses', () => {
  test('applies to cached keys in every process at once', async () => {
    const statuses = () =>
      Promise.all(
        [first, second].map(async (service) => (await from('198.51.100.9', service)).status),
      );
    expect(await statuses()).toEqual([403, 403]);
    expect(await restrict('198.51.100.0/24')).toBe(true);
    await expect.poll(statuses, { timeout: 2000, interval: 5 }).toEqual([200, 200]);
    expect(await restrict('2001:db8::/32')).toBe(true);
    await expect.poll(statuses, { timeout: 2000, interval: 5 }).toEqual([403, 403]);
    expect((await from('2001:db8::9')).status).toBe(200);
    expect(await restrict()).toBe(true);
    await expect.poll(statuses, { timeout: 2000, interval: 5 }).toEqual([200, 200]);
    expect(await rangesNow()).toBeNull();
  });

  test('writes one event for two concurrent identical changes, with the former ranges', async () => {
    const both = await Promise.all([restrict('198.51.100.7'), restrict('198.51.100.7')]);
    expect(both.sort()).toEqual([false, true]);
    await revokeKey(acting(), { accountId: testAccount, id });
    const events = await first.sql`
      select version, type, actor, data from events
      where entity = 'api_key' and entity_id = ${String(id)} order by version`;
    expect(events).toMatchObject([
      { version: 1, type: 'api_key.created', data: { ranges: ['203.0.113.0/24'] } },
      {
        version: 2,
        type: 'api_key.restricted',
        actor: testOperatorText,
        data: { ranges: ['198.51.100.7'], before: { ranges: ['203.0.113.0/24'] } },
      },
      { version: 3, type: 'api_key.revoked' },
    ]);
  });

  test('refuses to change another account’s key, or one that has ended', async () => {
    const foreign = restrictKey(acting(), { accountId: 'BBBBBBBB', id, ranges: [] });
    await expect(foreign).rejects.toMatchObject({ errorCode: 'api_key.not_found' });
    await revokeKey(acting(), { accountId: testAccount, id });
    await expect(restrict()).rejects.toMatchObject({ errorCode: 'api_key.ended' });
    expect(await rangesNow()).toEqual(['203.0.113.0/24']);
  });
});

describe('a list of ranges', () => {
  test('accepts commas, spaces and line breaks, normalizes ranges and drops duplicates', () => {
    const read = addressRanges.parse('203.0.113.7/24, 2001:DB8::/32\n::ffff:203.0.113.0/120\r\n');
    expect(read).toEqual({ ok: true, value: ['203.0.113.0/24', '2001:db8::/32'] });
    expect(addressRanges.parse('any')).toEqual({ ok: true, value: [] });
  });

  const codeOf = (text: string) => {
    const read = addressRanges.parse(text);
    return read.ok ? null : read.errors?.map((one) => (typeof one === 'string' ? one : one.key));
  };
  test.each([
    ['203.0.113.7 example.com', 'api_key.range_malformed'],
    ['any, 203.0.113.7', 'api_key.range_malformed'],
    [`${'1'.repeat(10_000)}`, 'api_key.range_malformed'],
    [',', 'api_key.ranges_wanted'],
    [
      Array(mostRanges + 1)
        .fill('203.0.113.7')
        .join(','),
      'api_key.ranges_too_many',
    ],
  ])('refuses $0 with $1', (text, code) => expect(codeOf(text)).toEqual([code]));
});

describe('the portal', () => {
  const page = () => `/portal/${testAccount}/integrations/keys/${id}/restrict`;

  test('creates a limited key, and explains a wrong range at its field', async () => {
    const { text } = await owner.get(`/portal/${testAccount}/integrations/keys/new`);
    const action = /action="([^"]+\/create)"/.exec(text)?.[1] ?? '';
    const fields = { name: 'Oficina', permissions: 'read', expires: '' };
    const wrong = await owner.post(action, { ...fields, ranges: '203.0.113.300' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('“203.0.113.300” no es una dirección IP');
    expect(wrong.text).toContain('href="#ranges"');
    const made = await owner.post(action, { ...fields, ranges: '198.51.100.9\n2001:db8::/32' });
    key = /<code>(rk_test_[\w-]+)<\/code>/.exec(made.text)?.[1] ?? '';
    expect((await from('198.51.100.9')).status).toBe(200);
    expect((await from('203.0.113.9')).status).toBe(403);
    const list = await owner.get(`/portal/${testAccount}/integrations`);
    expect(list.text).toContain('Solo desde 198.51.100.9, 2001:db8::/32');
  });

  test('changes a key’s addresses, and e-mails the owners', async () => {
    expect((await owner.get(page())).text).toContain('203.0.113.0/24');
    const wrong = await owner.post(page(), { ranges: 'x' });
    expect([wrong.status, await rangesNow()]).toEqual([400, ['203.0.113.0/24']]);
    expect((await owner.post(page(), { ranges: '198.51.100.0/24' })).status).toBe(303);
    await expect.poll(async () => (await from('198.51.100.9')).status).toBe(200);
    expect((await owner.post(page(), { ranges: '' })).status).toBe(303);
    expect(await rangesNow()).toBeNull();
    const mails = await first.sql`
      select body from mails where account_id = ${testAccount} and recipient = ${owner.email}
        and body like '%cambiaron las direcciones%'`;
    expect(mails.length).toBe(2);
  });

  test('answers 404 on the page of a key that the account does not have', async () => {
    const other = page().replace(String(id), '999999999');
    expect((await owner.get(other)).status).toBe(404);
    expect((await owner.post(other, { ranges: '' })).status).toBe(404);
  });
});
