import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../src/accounts/index.ts';
import { testOperator } from '../harness/actors.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openAccount } from '../webhooks/account.ts';

let service: TestService;
let owner: Office;
const home = `/portal/${testAccount}`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  owner = await signIn(service, 'owner');
});
afterAll(() => service.stop());

/** Empty fields, as browsers send them. */
const unlimited = { expires: '', ranges: '' };

/** Returns the address to which the key form posts. */
async function keyForm(office: Office): Promise<string> {
  const { text } = await office.get(`${home}/integrations/keys/new`);
  return /action="([^"]+\/create)"/.exec(text)?.[1] ?? '';
}

const keyIn = (text: string): string => /<code>(rk_test_[\w-]+)<\/code>/.exec(text)?.[1] ?? '';
const reads = async (key: string): Promise<number> =>
  (await service.call('GET', '/payment-request', { key })).status;

test('shows a key once, activates it at once, and disables it on revocation', async () => {
  const action = await keyForm(owner);
  const made = await owner.post(action, { name: 'ERP', permissions: ['read'], ...unlimited });
  const key = keyIn(made.text);
  expect([made.status, await reads(key)]).toEqual([200, 200]);
  expect((await service.call('POST', '/payment-request', { key, body: {} })).status).toBe(403);
  const list = await owner.get(`${home}/integrations`);
  expect(list.text).toContain('ERP');
  expect(list.text).not.toContain(key);
  const [, revoke = ''] =
    new RegExp(
      `href="(${home}/integrations/keys/\\d+/revoke)"[^>]*>[^<]*<span class="unseen"> ERP`,
    ).exec(list.text) ?? [];
  expect((await owner.post(revoke)).status).toBe(303);
  await expect.poll(() => reads(key)).toBe(401);
  const actors = await service.sql<{ type: string; actor: string }[]>`
    select type, actor from events
    where account_id = ${testAccount} and entity = 'api_key' and actor like 'user:%' order by id`;
  const actor = `user:${owner.userId}`;
  expect([...actors]).toEqual([
    { type: 'api_key.created', actor },
    { type: 'api_key.revoked', actor },
  ]);
});

test('preselects the permissions of a preset, and creates a key with only these', async () => {
  const { text } = await owner.get(`${home}/integrations/keys/new?preset=accounting`);
  const ticked = [...text.matchAll(/value="([\w:]+)" checked/g)].map(([, name]) => name);
  expect(ticked).toEqual(['reports:read', 'account:read']);
  const action = /action="([^"]+\/create)"/.exec(text)?.[1] ?? '';
  const made = await owner.post(action, {
    name: 'Contador',
    permissions: ticked.map(String),
    ...unlimited,
  });
  const key = keyIn(made.text);
  expect([await reads(key), (await service.call('GET', '/account', { key })).status]).toEqual([
    403, 200,
  ]);
  expect((await owner.get(`${home}/integrations`)).text).toContain('Reportes: leer');
});

test('creates one key for a form sent twice at once', async () => {
  const action = await keyForm(owner);
  const fields = { name: 'twice', permissions: ['read', 'write'], ...unlimited };
  const answers = await Promise.all([owner.post(action, fields), owner.post(action, fields)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from api_keys where name = 'twice'`;
  expect(row?.count).toBe(1);
});

test.each([
  ['name', { name: ' ', permissions: 'read' }],
  ['permissions', { name: 'x' }],
  ['permissions', { name: 'x', permissions: 'everything' }],
  ['expires', { name: 'x', permissions: 'read', expires: '2020-01-01' }],
  ['expires', { name: 'x', permissions: 'read', expires: '31/12/2030' }],
] as const)('refuses a key with a wrong %s, and explains it in the form', async (field, fields) => {
  const answer = await owner.post(await keyForm(owner), { ...unlimited, ...fields });
  expect([answer.status, keyIn(answer.text)]).toEqual([400, '']);
  expect(answer.text).toContain(`href="#${field}"`);
});

test('refuses concurrent keys beyond the account’s limit', async () => {
  const { id } = await openAccount(service);
  const office = await signIn(service, 'owner', { accountId: id });
  const { base } = service.service.parts;
  const byCommand = async () =>
    await createKey(
      { ...base, actor: testOperator },
      {
        id: await base.recordIds.next(),
        environment: 'sandbox',
        accountId: id,
        name: 'cli',
        permissions: ['read'],
        expiresAt: null,
        secret: null,
      },
    );
  for (let made = 1; made < 46; made += 1) await byCommand();
  const page = `/portal/${id}/integrations/keys/new`;
  const forms = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const { text } = await office.get(page);
      return /action="([^"]+\/create)"/.exec(text)?.[1] ?? '';
    }),
  );
  const fields = { name: 'ERP', permissions: ['read'], ...unlimited };
  const answers = await Promise.all(forms.map((action) => office.post(action, fields)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.text).toContain('La cuenta ya tiene 50 claves activas');
  await expect(byCommand()).rejects.toThrow(/at most 50 working API keys/);
  const [first] = await service.service.parts.keys.list(id);
  await revokeKey({ ...base, actor: testOperator }, { accountId: id, id: first?.id ?? 0 });
  expect(await byCommand()).toMatch(/^rk_test_/);
});

test('notifies owners of a created key', async () => {
  await owner.post(await keyForm(owner), { name: 'told', permissions: ['read'], ...unlimited });
  const rows = await service.sql<{ subject: string }[]>`
    select subject from mails where recipient = ${owner.email} and subject like '%told%'`;
  expect(rows).toHaveLength(1);
});

test('requires a fresh proof to create a key or manage users', async () => {
  const office = await signIn(service, 'owner');
  const action = await keyForm(office);
  await service.sql`
    update user_sessions set proved_at = proved_at - interval '11 minutes'
    where user_id = ${office.userId}`;
  for (const path of ['/integrations/keys/new', '/settings/users']) {
    const { location } = await office.get(`${home}${path}`);
    expect(location).toBe(`/portal/confirm?next=${encodeURIComponent(home + path)}`);
  }
  const back = `${home}/integrations/keys/new`;
  const sent = await office.post(action, { name: 'x', permissions: ['read'], back });
  expect(sent.location).toBe(`/portal/confirm?next=${encodeURIComponent(back)}`);
});

test('lets an owner invite a member, change the role and remove the member', async () => {
  const email = 'nueva@example.com';
  const fields = { name: 'Nueva', email, role: 'collections' };
  const sent = await owner.post(`${home}/settings/users/new`, fields);
  expect(sent.location).toBe(`${home}/settings/users?sent=1`);
  const { users } = service.service.parts;
  const user = await users.find(email);
  const role = async () =>
    (await users.membersOf(testAccount)).find((one) => one.email === email)?.role;
  const page = `${home}/settings/users/${user?.id}`;
  await owner.post(`${page}/role`, { role: 'treasury' });
  expect(await role()).toBe('treasury');
  expect((await owner.post(`${page}/role`, { role: 'operator' })).status).toBe(400);
  await owner.post(`${page}/remove`);
  expect(await role()).toBeUndefined();
  expect((await owner.get(page)).status).toBe(404);
});

test('does not let an administrator become an owner through any form', async () => {
  const office = await signIn(service, 'administrator');
  const own = `${home}/settings/users/${office.userId}`;
  expect((await office.get(own)).text).not.toContain('value="owner"');
  expect((await office.post(`${own}/role`, { role: 'owner' })).status).toBe(403);
  const boss = `${home}/settings/users/${owner.userId}`;
  expect((await office.post(`${boss}/remove`)).status).toBe(403);
  const friend = { name: 'F', email: 'f@example.com', role: 'owner' };
  expect((await office.post(`${home}/settings/users/new`, friend)).status).toBe(403);
  const { users } = service.service.parts;
  expect(await users.roleOf(testAccount, office.userId)).toBe('administrator');
});
