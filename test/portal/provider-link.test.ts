import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { type Openid, openTab, startOpenid, type Tab } from '../harness/openid.ts';
import { officeOf, signIn, testPassword } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let openid: Openid;
let service: TestService;
let made = 0;

beforeAll(async () => {
  openid = await startOpenid();
  service = await startService({ ROLES: 'payments,web', ...openid.env });
});
afterAll(async () => {
  await service.stop();
  await openid.stop();
});
beforeEach(() => service.sql`delete from user_tries`);

/** Creates an owner of the account. `sub` is their id at the provider. */
async function person(): Promise<{ id: number; email: string; sub: string }> {
  made += 1;
  const email = `ana-${made}@coop.example`;
  const { id } = await service.service.parts.users.create(testOperator, {
    email,
    name: 'Ana',
    lang: 'es',
    password: testPassword,
    serviceRole: null,
    membership: { accountId: testAccount, role: 'owner' },
  });
  return { id, email, sub: `subject ${made}` };
}

const tab = (): Tab => openTab(service.origin);
const home = `/portal/${testAccount}`;
const faultOf = (location: string) => new URL(location, service.origin).searchParams.get('refused');

test('signs in a user whom the operator linked, although the provider does not verify addresses', async () => {
  const ana = await person();
  const eva = await person();
  openid.knows({ sub: ana.sub });
  expect(faultOf((await tab().signsIn()).location)).toBe('unverified');
  const env = { DATABASE_URL: service.databaseUrl, ...openid.env };
  const link = (...args: string[]) => recaudo(['users', 'link', ...args, '--json'], env);
  const linked = await link(ana.email, '--subject', ana.sub);
  expect(JSON.parse(linked.stdout)).toEqual({ email: ana.email, linked: true });
  const again = await link(ana.email, '--subject', ana.sub, '--issuer', openid.issuer);
  expect(JSON.parse(again.stdout)).toMatchObject({ linked: false });
  const mails = await service.sql`
    select 1 from mails where recipient = ${ana.email} and body like '%vinculado%'`;
  expect(mails).toHaveLength(1);
  expect((await tab().signsIn(home)).location).toBe(home);
  const events = await service.sql`
    select actor like 'operator:%:users link' as operator, data from operator_events
    where type = 'user.provider_linked' and entity_id = ${String(ana.id)}`;
  expect(events).toEqual([{ operator: true, data: { provider: openid.issuer, subject: ana.sub } }]);
  for (const [args, code] of [
    [['nobody@coop.example', '--subject', 'x'], 'user.not_found'],
    [[ana.email, '--subject', 'another'], 'provider.linked'],
    [[eva.email, '--subject', ana.sub], 'provider.subject_taken'],
    [[eva.email, '--subject', 'ñandú'], 'provider.identity_invalid'],
    [[eva.email, '--subject', 'x', '--issuer', 'login'], 'provider.identity_invalid'],
  ] as const) {
    const { code: status, stderr } = await link(...args);
    expect([code, status, stderr]).toEqual([code, 1, expect.stringContaining(code)]);
  }
  const none = await recaudo(['users', 'link', eva.email, '--subject', 'x'], {
    DATABASE_URL: service.databaseUrl,
  });
  expect(none.stderr).toMatch(/No OpenID provider/);
});

test('links an identity to one user when several commands run at the same time', async () => {
  const [ana, eva] = [await person(), await person()];
  const env = { DATABASE_URL: service.databaseUrl };
  const link = (email: string) =>
    recaudo(['users', 'link', email, '--subject', 'both', '--issuer', openid.issuer], env);
  const ended = await Promise.all([link(ana.email), link(eva.email), link(ana.email)]);
  const rows = await service.sql`select user_id from user_identities where subject = 'both'`;
  expect(rows).toHaveLength(1);
  expect(ended.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
  expect(ended.filter(({ code }) => code !== 0).length).toBeGreaterThan(0);
});

test('lets a linked user accept an invitation through a provider that does not verify addresses', async () => {
  const email = `invited-${made}@coop.example`;
  const env = { DATABASE_URL: service.databaseUrl, ...openid.env };
  const role = ['--account', testAccount, '--role', 'read_only'];
  await recaudo(['users', 'invite', email, '--name', 'Eva', ...role], env);
  await recaudo(['users', 'link', email, '--subject', 'invited'], env);
  const user = await service.service.parts.users.find(email);
  const [row] = await service.sql<{ id: number; account_id: string }[]>`
    select id, account_id from user_links where user_id = ${user?.id ?? 0}`;
  const { links } = service.service.parts;
  const token = links.tokenOf({ accountId: row?.account_id ?? '', id: row?.id ?? 0 }, 'invitation');
  openid.knows({ sub: 'invited' });
  const one = tab();
  const ended = await one.signsIn(home, `/portal/provider/invitations/${token}`);
  expect(faultOf(ended.location)).toBeNull();
  expect((await one.get(home)).status).toBe(200);
});

test('shows who is linked, and unlinks those who have a password', async () => {
  const ana = await person();
  const claims = { email: ana.email, email_verified: true } as const;
  openid.knows({ sub: ana.sub, ...claims });
  const owner = await signIn(service, 'owner');
  const list = () => owner.get(`${home}/settings/users`);
  const before = (await list()).text.split('ingresa con el proveedor').length;
  const one = tab();
  await one.signsIn();
  expect((await list()).text.split('ingresa con el proveedor')).toHaveLength(before + 1);
  const page = await one.get('/portal/me');
  expect(page.text).toContain('Ingresás con Padrón desde el');
  const mine = officeOf(service.origin, one.cookie(), { userId: ana.id, email: ana.email });
  const forged = await mine.post('/portal/me/provider/unlink', {}, 'x');
  expect(forged.status).toBe(403);
  expect((await mine.post('/portal/me/provider/unlink')).location).toBe('/portal/sign-in');
  expect((await one.get('/portal/me')).location).toMatch(/sign-in/);
  expect((await owner.get('/portal/me')).text).toContain('No tenés vínculo con Padrón');
});

test('keeps the link of a user without a password', async () => {
  const ana = await person();
  openid.knows({ sub: ana.sub, email: ana.email, email_verified: true });
  await service.sql`update users set password_hash = null where id = ${ana.id}`;
  const one = tab();
  await one.signsIn();
  expect((await one.get('/portal/me')).text).not.toContain('Desvincular');
  const mine = officeOf(service.origin, one.cookie(), { userId: ana.id, email: ana.email });
  expect((await mine.post('/portal/me/provider/unlink')).status).toBe(409);
  expect((await one.get('/portal/me')).status).toBe(200);
});

test('offers no sign-out at a provider that supports none, nor to strangers', async () => {
  const ana = await person();
  openid.knows({ sub: ana.sub, email: ana.email, email_verified: true });
  const one = tab();
  await one.signsIn();
  const mine = officeOf(service.origin, one.cookie(), { userId: ana.id, email: ana.email });
  expect((await mine.post('/portal/sign-out')).location).toBe('/portal/sign-in?out=1');
  const page = await tab().get('/portal/sign-in?out=1');
  expect([page.status, page.text.includes('Cerrarla')]).toEqual([200, false]);
  const owner = await signIn(service, 'owner');
  expect((await owner.post('/portal/sign-out')).location).toBe('/portal/sign-in');
});
