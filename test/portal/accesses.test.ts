import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { type Office, postForm, signIn, testPassword } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let service: TestService;
let owner: Office;
let operator: Office;
const lines: string[] = [];
const home = `/portal/${testAccount}`;

beforeAll(async () => {
  service = await startService(
    { ROLES: 'payments,qr,web' },
    createLog('info', { write: (line) => void lines.push(line) }),
  );
  owner = await signIn(service, 'owner');
  operator = await signIn(service, 'operator');
});
afterAll(() => service.stop());

const rows = (kind: string) => service.sql<
  { account_id: string | null; user_id: number | null; detail: string; count: number }[]
>`
  select account_id, user_id, detail, count from user_accesses where kind = ${kind} order by id`;

const tries = (email: string) =>
  postForm(service.origin, '/portal/sign-in', { email, password: `${testPassword}-wrong` });

test('counts a user’s failed sign-ins in one row, and those of unknown addresses in one without a user', async () => {
  for (let nth = 0; nth < 3; nth += 1) await tries(owner.email);
  for (let nth = 0; nth < 3; nth += 1) await tries(`nobody-${nth}@example.com`);
  expect(await rows('sign_in_failed')).toEqual([
    { account_id: null, user_id: owner.userId, detail: 'password', count: 3 },
    { account_id: null, user_id: null, detail: 'password', count: 3 },
  ]);
  const told = lines.map((line) => JSON.parse(line)).filter(({ access }) => access);
  expect(told.map(({ access, user }) => [access, user])).toEqual([
    ['sign_in_failed', owner.userId],
    ['sign_in_failed', null],
  ]);
});

test('sends one e-mail to a user locked out by others', async () => {
  const target = await signIn(service, 'owner');
  // From many networks, because too many attempts from one lock out only that network.
  for (let nth = 0; nth < 60; nth += 1) {
    await service.service.parts.users.signIn({
      email: target.email,
      password: 'wrong',
      browser: { address: `198.51.100.${nth}`, userAgent: 'x' },
      network: `198.51.100.${nth}`,
    });
  }
  const mails = await service.sql`
    select subject from mails where recipient = ${target.email} and subject like '%intentos%'`;
  expect(mails).toHaveLength(1);
  expect((await rows('sign_in_waits')).some(({ user_id: id }) => id === target.userId)).toBe(true);
});

test('shows refused acts and downloads to owners, and outsiders’ attempts only to operators', async () => {
  const reader = await signIn(service, 'read_only');
  expect((await reader.get(`${home}/settings/users/new`)).status).toBe(403);
  expect((await owner.get(`${home}/requests/export.csv`)).status).toBe(200);
  const other = await anotherAccount(service);
  expect((await owner.get(`/portal/${other.id}/requests`)).status).toBe(404);
  const refused = await rows('act_refused');
  expect(refused.map(({ account_id: id, detail }) => [id, detail])).toEqual([
    [testAccount, 'users.manage'],
    [null, 'requests.see'],
  ]);
  expect((await rows('file_taken'))[0]).toMatchObject({ account_id: testAccount, count: 1 });
  const ofOwner = await owner.get(`${home}/settings/accesses`);
  for (const text of ['Archivo descargado', 'Ingreso fallido', 'users.manage']) {
    expect(ofOwner.text).toContain(text);
  }
  expect(ofOwner.text).not.toContain('Nadie conocido');
  const ofAll = await operator.get('/portal/operator/audit-log/accesses');
  expect(ofAll.text).toContain('requests.see');
  const [, next = ''] = /href="([^"]+behind=\d+)"/.exec(ofAll.text) ?? [];
  expect((await operator.get(next)).text).toContain('Nadie conocido');
});

test('logs user and account of each portal request', async () => {
  await owner.get(`${home}/requests`);
  const line = lines.map((text) => JSON.parse(text)).findLast(({ user }) => user !== undefined);
  expect(line).toMatchObject({ user: owner.userId, account: testAccount });
});
