import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { unlinked } from '../../src/kernel/text.ts';
import { system } from '../../src/platform/actor.ts';
import { isLinkKind, peopleLinks, setStanding } from '../../src/users/index.ts';
import { recaudo } from '../cli/run.ts';
import { type Office, postForm, signIn, testPassword } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let service: TestService;
let owner: Office;
let operator: Office;
const home = `/portal/${testAccount}/settings/users`;
const operators = '/portal/operator/people';
const password = 'tres tristes tigres';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  owner = await signIn(service, 'owner');
  operator = await signIn(service, 'operator');
});
afterAll(() => service.stop());

const letters = (email: string) =>
  service.sql<
    { account_id: string; subject: string; body: string; link_kind: string; link_id: number }[]
  >`select account_id, subject, body, link_kind, link_id from mails
    where recipient = ${email} and link_kind is not null order by id`;

async function linkTo(email: string): Promise<string> {
  const mail = (await letters(email)).at(-1);
  if (!mail || !isLinkKind(mail.link_kind)) throw new Error(`no letter to ${email}`);
  const of = { accountId: mail.account_id, kind: mail.link_kind, id: mail.link_id, no: 1 };
  return peopleLinks(service.service.parts.links)(of).slice(service.origin.length);
}

const invite = (email: string, name = 'Eva') =>
  owner.post(`${home}/new`, { email, name, role: 'collections' });

async function rowOf(email: string): Promise<string> {
  const rows = (await owner.get(home)).text.split('<tr');
  return rows.find((row) => row.includes(email))?.split('</tr>')[0] ?? '';
}

test('limits an address to five invitations a day, even concurrent ones', async () => {
  const email = 'flooded@example.com';
  const answers = await Promise.all(Array.from({ length: 8 }, () => invite(email)));
  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array(5).fill(303),
    ...Array(3).fill(429),
  ]);
  expect(await letters(email)).toHaveLength(5);
  expect((await invite(email)).text).toContain('como máximo 5 invitaciones a un mismo correo');
  await service.sql`
    update user_links set created_at = created_at - interval '20 hours'
    where user_id = (select id from users where email = ${email})`;
  const { users } = service.service.parts;
  const account = { id: testAccount, name: 'Cooperativa' };
  const to = { account, role: 'collections', granting: null } as const;
  const input = { email, name: 'Eva', lang: 'es', serviceRole: null, to } as const;
  const refused = await users.invite(system, input).catch((error: unknown) => error);
  expect(refused).toMatchObject({ retryAfterSeconds: expect.any(Number) });
  const { retryAfterSeconds: seconds } = refused as { retryAfterSeconds: number };
  expect(seconds).toBeGreaterThan(3 * 60 * 60 + 3_000);
  expect(seconds).toBeLessThanOrEqual(4 * 60 * 60);
  await service.sql`
    update user_links set created_at = created_at - interval '24 hours 1 second'
    where user_id = (select id from users where email = ${email})`;
  expect((await invite(email)).status).toBe(303);
});

test('limits an account to fifty invitations a day', async () => {
  const id = 'B1B2C3D4';
  const acting = { ...service.service.parts.base, actor: system };
  await createAccount(acting, { id, name: 'Otra', cuit: '30999999995', city: 'Salta' });
  await service.sql`
    insert into user_links (account_id, id, user_id, kind, created_at, expires_at)
    select ${id}, n, n, 'invitation', now(), now() from generate_series(900001, 900050) as n`;
  const other = await signIn(service, 'owner', { accountId: id });
  const path = `/portal/${id}/settings/users/new`;
  const fields = { email: 'fifty-first@example.com', name: 'Eva', role: 'collections' };
  expect((await other.post(path, fields)).text).toContain(
    'como máximo 50 invitaciones en 24 horas',
  );
  expect(await letters(fields.email)).toEqual([]);
});

test('does not send the name that the inviter typed, and turns no name into a link', async () => {
  const email = 'spared@example.com';
  await invite(email, 'Entrá ya a https://evil.example/premio');
  const [letter] = await letters(email);
  expect(letter?.body).not.toContain('evil');
  expect(unlinked('Visitá www.evil.example')).toBe('Visitá www.\u200bevil.\u200bexample');
  expect(unlinked('Cooperativa Eléctrica S.A.')).toBe('Cooperativa Eléctrica S.A.');
  expect([...unlinked('x'.repeat(200))]).toHaveLength(60);
});

test('reveals nothing about a person to the inviter before they accept', async () => {
  const known = await signIn(service, 'owner', { accountId: 'B1B2C3D4' });
  await service.sql`
    update users set name = 'Nombre Verdadero', state = 'suspended' where id = ${known.userId}`;
  await invite(known.email);
  await invite('stranger@example.com', 'Nombre Inventado');
  const [row, other] = [await rowOf(known.email), await rowOf('stranger@example.com')];
  expect(row).not.toContain('Verdadero');
  const bare = (text: string, email: string) =>
    text.replaceAll(email, 'E').replace(/users\/\d+/g, 'users/N');
  expect(bare(row, known.email)).toBe(bare(other, 'stranger@example.com'));
  await service.sql`update users set state = 'active' where id = ${known.userId}`;
  await postForm(service.origin, await linkTo(known.email), {});
  expect(await rowOf(known.email)).toContain('Nombre Verdadero');
});

test('accepts an invitation for seven days, then offers to request a new link', async () => {
  const email = 'late@example.com';
  await invite(email);
  const link = await linkTo(email);
  const age = (days: number) => service.sql`
    update user_links set expires_at = expires_at - make_interval(days => ${days}),
      created_at = created_at - make_interval(days => ${days})
    where user_id = (select id from users where email = ${email})`;
  await age(6);
  expect((await fetch(service.origin + link)).status).toBe(200);
  expect(await rowOf(email)).toContain('Invitación enviada');
  await age(1);
  const gone = await fetch(service.origin + link);
  expect([gone.status, await gone.text()]).toEqual([
    404,
    expect.stringContaining('Mandarme otro enlace'),
  ]);
  expect(await rowOf(email)).toContain('Invitación vencida');
  expect((await postForm(service.origin, link, {})).text).toContain('el enlace va a tu correo');
  expect(await rowOf(email)).toContain('Invitación enviada');
  const fresh = await linkTo(email);
  expect(fresh).not.toBe(link);
  expect((await postForm(service.origin, fresh, { password, again: password })).status).toBe(303);
  // Once the invitation is accepted, its old link no longer sends e-mails.
  await postForm(service.origin, link, {});
  expect(await letters(email)).toHaveLength(2);
});

test('lets an owner resend an invitation up to the address’s daily limit', async () => {
  const email = 'again@example.com';
  await invite(email);
  const [user] = await service.sql<{ id: number }[]>`select id from users where email = ${email}`;
  const resend = () => owner.post(`${home}/${user?.id}/resend`);
  expect((await owner.get(`${home}/${user?.id}`)).text).toContain('Mandar otra invitación');
  for (let no = 0; no < 4; no += 1) expect((await resend()).status).toBe(303);
  expect((await resend()).status).toBe(429);
  expect(await letters(email)).toHaveLength(5);
});

test('lets a person invited by an account become an operator, and keeps that invitation open', async () => {
  const email = 'both@example.com';
  await invite(email);
  const fields = { email, name: 'Iris', role: 'operator' };
  expect((await operator.post(`${operators}/new`, fields)).status).toBe(303);
  expect((await operator.get(operators)).text).toContain(email);
  const link = await linkTo(email);
  expect((await postForm(service.origin, link, { password, again: password })).status).toBe(303);
  const [row] = await service.sql`
    select u.state, u.service_role, m.state as membership
    from users u join memberships m on m.user_id = u.id where u.email = ${email}`;
  expect(row).toMatchObject({ state: 'active', service_role: 'operator', membership: 'invited' });
});

test('grants and revokes service roles, but does not revoke the last operator’s', async () => {
  const person = await signIn(service, 'collections');
  expect((await person.get(operators)).status).toBe(404);
  const fields = { email: person.email, name: 'Any', role: 'operator_read_only' };
  expect((await operator.post(`${operators}/new`, fields)).status).toBe(303);
  expect((await operator.post(`${operators}/new`, fields)).text).toContain('Ya tiene ese rol');
  expect((await person.get(operators)).status).toBe(200);
  expect((await person.post(`${operators}/new`, fields)).status).toBe(403);
  expect((await operator.post(`${operators}/${person.userId}/remove`)).status).toBe(303);
  expect((await person.get(operators)).status).toBe(404);
  expect((await person.get(`/portal/${testAccount}`)).status).toBe(200);
  await service.sql`
    update users set service_role = null
    where service_role is not null and id <> ${operator.userId}`;
  const last = await operator.post(`${operators}/${operator.userId}/remove`);
  expect([last.status, last.text]).toEqual([409, expect.stringContaining('el último operador')]);
  const told = await service.sql`
    select subject from mails where recipient = ${person.email} order by id`;
  expect(told.map(({ subject }) => subject)).toEqual([
    'Recaudo: trabajás ahora para el servicio con el rol operator_read_only',
    'Recaudo: ya no trabajás para el servicio',
  ]);
});

test('does not suspend the last operator, even if two are suspended at once', async () => {
  const other = await signIn(service, 'operator');
  await service.sql`
    update users set service_role = null
    where service_role is not null and id not in (${operator.userId}, ${other.userId})`;
  const acting = { ...service.service.parts.base, actor: system };
  const suspend = (userId: number) => setStanding(acting, { userId, to: 'suspended' });
  const both = await Promise.allSettled([operator.userId, other.userId].map(suspend));
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both).toContainEqual({
    status: 'rejected',
    reason: expect.objectContaining({ errorCode: 'user.last_operator' }),
  });
  await service.sql`
    update users set state = 'active' where id in (${operator.userId}, ${other.userId})`;
  operator = await signIn(service, 'operator');
});

test('tells an operator to invite a reinstated user who never chose a password', async () => {
  const email = 'reinstated@example.com';
  await invite(email);
  const run = (...args: string[]) =>
    recaudo(['users', ...args, email], { DATABASE_URL: service.databaseUrl });
  expect((await run('suspend')).stdout).toContain(`${email} is suspended`);
  expect((await run('reopen')).stdout).toContain('send the invitation again');
  expect((await run('reopen')).stderr).toContain('has not accepted the invitation');
});

test('sends at most three unused reset links, even at once, and says when it sends none', async () => {
  const { email } = await signIn(service, 'collections');
  const run = (...args: string[]) =>
    recaudo(['users', 'reset', email, ...args], { DATABASE_URL: service.databaseUrl });
  const sent = await Promise.all(Array.from({ length: 5 }, () => run('--json')));
  expect(sent.map(({ stdout }) => JSON.parse(stdout).sent).sort()).toEqual([
    ...[false, false],
    ...[true, true, true],
  ]);
  expect(await letters(email)).toHaveLength(3);
  expect((await run()).stdout).toContain('sent nothing');
});

test('lets an operator unblock a user delayed by wrong passwords', async () => {
  const { email } = await signIn(service, 'owner');
  const tries = (text: string) =>
    postForm(service.origin, '/portal/sign-in', { email, password: text });
  for (let no = 0; no < 11; no += 1) await tries('x');
  expect((await tries(testPassword)).status).toBe(429);
  const released = await operator.post(`${operators}/release`, { email });
  expect(released.text).toContain('Ya puede probar de nuevo');
  expect((await tries(testPassword)).status).toBe(303);
  expect((await operator.post(`${operators}/release`, { email: 'x@example.com' })).status).toBe(
    404,
  );
});
