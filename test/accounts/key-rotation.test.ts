import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createKey,
  listKeys,
  overlapTime,
  revokeKey,
  rotateKey,
} from '../../src/accounts/index.ts';
import { testOperator } from '../harness/actors.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { call, startService, type TestService, testAccount } from '../harness/service.ts';

/** Two services on one database, which stand for two processes. */
let first: TestService;
let second: TestService;
let owner: Office;
beforeAll(async () => {
  first = await startService();
  second = await startService({ DATABASE_URL: first.databaseUrl });
  owner = await signIn(first, 'owner');
});
afterAll(async () => {
  await second?.stop();
  await first?.stop();
});

const acting = () => ({ ...first.service.parts.base, actor: testOperator });
const now = () => first.service.parts.clocks.wall.now();

let id: number;
let key: string;
const makeKey = async (expiresAt: Temporal.Instant | null = null) => {
  id = await acting().recordIds.next();
  const terms = { name: 'test', permissions: ['read' as const], ranges: ['127.0.0.0/8'] };
  const of = { id, environment: 'sandbox', accountId: testAccount, secret: null };
  key = await createKey(acting(), { ...of, ...terms, expiresAt });
};
beforeEach(() => makeKey());

const rotate = (overlap = 3_600, of = id, accountId = testAccount) =>
  rotateKey(acting(), { accountId, id: of, environment: 'sandbox', overlap });

const statuses = (keys: readonly string[]) =>
  Promise.all(
    [first, second].flatMap(({ origin }) =>
      keys.map(async (one) => (await call(origin, 'GET', '/account', { key: one })).status),
    ),
  );

const listed = async (of: number) =>
  (await listKeys(first.sql, testAccount)).find((one) => one.id === of);

describe('a rotation', () => {
  test('creates a key with the same terms, and both work during the overlap', async () => {
    const began = now();
    const made = await rotate();
    expect(await statuses([key, made.key])).toEqual([200, 200, 200, 200]);
    const terms = { name: 'test', permissions: ['read'], ranges: ['127.0.0.0/8'] };
    expect(await listed(made.id)).toMatchObject({ ...terms, expires_at: null, replaced_by: null });
    const old = await listed(id);
    expect(old).toMatchObject({ ...terms, replaced_by: made.id });
    expect(old?.expires_at?.since(began).total('seconds')).toBeGreaterThanOrEqual(3_600);
    const events = await first.sql`
      select type, data->>'replaces' as replaces, data->>'replaced_by' as replaced_by from events
      where entity = 'api_key' and entity_id = any(${[String(id), String(made.id)]}::text[])
      order by id`;
    expect(events).toHaveLength(3);
    expect(events).toContainEqual({
      type: 'api_key.created',
      replaces: String(id),
      replaced_by: null,
    });
    expect(events).toContainEqual({
      type: 'api_key.rotated',
      replaces: null,
      replaced_by: String(made.id),
    });
  });

  test('ends a cached key at once in every process if it has no overlap', async () => {
    expect(await statuses([key])).toEqual([200, 200]);
    const made = await rotate(0);
    const poll = { timeout: 2000, interval: 5 };
    await expect.poll(() => statuses([key, made.key]), poll).toEqual([401, 200, 401, 200]);
  });

  test('succeeds for one of two concurrent calls, and names the new key in the other’s refusal', async () => {
    const both = await Promise.allSettled([rotate(), rotate()]);
    const [made] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const [refused] = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toMatchObject({ errorCode: 'api_key.rotated' });
    expect(String(refused)).toContain(String(made?.id));
    await expect(rotate()).rejects.toMatchObject({ errorCode: 'api_key.rotated' });
  });

  test('can be repeated with the new key during the overlap, and a revocation ends the old key alone', async () => {
    const next = await rotate();
    const last = await rotate(3_600, next.id);
    expect(await statuses([key, next.key, last.key])).toEqual([200, 200, 200, 200, 200, 200]);
    await revokeKey(acting(), { accountId: testAccount, id });
    const poll = { timeout: 2000, interval: 5 };
    await expect.poll(() => statuses([key, next.key]), poll).toEqual([401, 200, 401, 200]);
  });

  test('never extends the old key, and gives the new one the same lifetime', async () => {
    await makeKey(now().add({ minutes: 10 }));
    const former = await listed(id);
    const made = await rotate();
    expect(made.until.toString()).toBe(former?.expires_at?.toString());
    const lifetime = (await listed(made.id))?.expires_at?.since(now()).total('minutes') ?? 0;
    expect([lifetime > 9, lifetime < 11]).toEqual([true, true]);
  });

  test('gives the new key no end after the year 9999', async () => {
    await makeKey(Temporal.Instant.from('9999-12-31T23:00:00Z'));
    await first.sql`
      update api_keys set created_at = created_at - interval '40 days' where id = ${id}`;
    const made = await rotate();
    expect(String((await listed(made.id))?.expires_at)).toBe('9999-12-31T23:59:59Z');
  });

  test('is refused for another account’s key and for a revoked one', async () => {
    const { base } = first.service.parts;
    const foreign = rotateKey(
      { ...base, actor: testOperator },
      { accountId: 'BBBBBBBB', id, environment: 'sandbox', overlap: 0 },
    );
    await expect(foreign).rejects.toMatchObject({ kind: 'not_found' });
    await revokeKey(acting(), { accountId: testAccount, id });
    await expect(rotate()).rejects.toMatchObject({ errorCode: 'api_key.ended' });
  });
});

test.each<[string, number | null]>([
  ['0', 0],
  ['90m', 5_400],
  ['24h', 86_400],
  ['30d', 2_592_000],
  ['31d', null],
  ['721h', null],
  ['1', null],
  ['-1h', null],
  ['1.5h', null],
  ['24 h', null],
  ['1w', null],
  ['h', null],
  ['99999m', null],
  ['', null],
])('reads the overlap %j as %s', (text, seconds) => {
  const read = overlapTime.parse(text);
  expect(read.ok ? read.value : null).toBe(seconds);
});

test('rotates a key once in the portal, shows the new key only then, and e-mails owners', async () => {
  const page = `/portal/${testAccount}/integrations/keys/${id}/rotate`;
  expect((await owner.get(page)).text).toContain('¿Rotar la clave?');
  expect((await owner.post(page, { overlap: '31d' })).status).toBe(400);
  const made = await owner.post(page, { overlap: '1h' });
  const next = /<code>(rk_test_[\w-]+)<\/code>/.exec(made.text)?.[1] ?? '';
  expect(await statuses([key, next])).toEqual([200, 200, 200, 200]);
  const again = await owner.post(page, { overlap: '1h' });
  expect(again.status).toBe(409);
  expect(again.text).toContain('ya se rotó');
  const list = await owner.get(`/portal/${testAccount}/integrations`);
  expect(list.text).toContain('Reemplazada; sirve hasta que vence');
  expect(list.text).not.toContain(next);
  const mails = await first.sql`
    select 1 from mails where recipient = ${owner.email} and body like '%se rotó la clave%'`;
  expect(mails).toHaveLength(1);
});
