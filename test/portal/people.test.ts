import { hash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLinkKind, peopleLinks, setStanding } from '../../src/users/index.ts';
import { testOperator } from '../harness/actors.ts';
import { type Office, officeOf, postForm, signIn, testPassword } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
});
afterAll(() => service.stop());

const account = { id: testAccount, name: 'Cooperativa de Demostración' };
const words = 'tres tristes tigres';
const chosen = { password: words, again: words };
const users = () => service.service.parts.users;
const tries = (email: string, password: string) =>
  postForm(service.origin, '/portal/sign-in', { email, password });

/** Returns the path of the link in the last e-mail to a person. */
async function linkTo(email: string): Promise<string> {
  const [mail] = await service.sql<
    { account_id: string; link_kind: string; link_id: number; link_no: number }[]
  >`
    select account_id, link_kind, link_id, link_no from mails
    where recipient = ${email} and link_kind is not null order by id desc limit 1`;
  if (!mail || !isLinkKind(mail.link_kind)) throw new Error(`no letter to ${email}`);
  const { account_id: accountId, link_kind: kind, link_id: id, link_no: no } = mail;
  const url = peopleLinks(service.service.parts.links)({ accountId, kind, id, no });
  return url.slice(service.origin.length);
}

const follow = (link: string, fields: Record<string, string> = chosen) =>
  postForm(service.origin, link, fields);

let invited = 0;
async function inviteNew(role: 'owner' | 'collections' = 'collections'): Promise<string> {
  invited += 1;
  const email = `invited-${invited}@example.com`;
  await users().invite(testOperator, {
    email,
    name: 'Eva',
    lang: 'es',
    serviceRole: null,
    to: { account, role, granting: null },
  });
  return email;
}

// Must run first, because e-mails of more than ten invitations a day are combined.
test('e-mails owners about invitations, and stores no token of their links', async () => {
  const owner = await signIn(service, 'owner');
  const email = await inviteNew();
  const told = await service.sql<{ body: string }[]>`
    select body from mails where recipient = ${owner.email}`;
  expect(told.some(({ body }) => body.includes(email))).toBe(true);
  const token = (await linkTo(email)).split('/').at(-1) ?? '-';
  const rows = await service.sql<{ text: string }[]>`
    select row_to_json(l)::text as text from user_links l
    union all select row_to_json(m)::text from mails m`;
  expect(rows.filter(({ text }) => text.includes(token.slice(-22)))).toEqual([]);
});

test('does not reactivate a user who was suspended while choosing a password', async () => {
  for (const wait of [0, 5, 20]) {
    const email = await inviteNew();
    const link = await linkTo(email);
    const [{ id: userId } = { id: 0 }] = await service.sql<{ id: number }[]>`
      select id from users where email = ${email}`;
    const acting = { ...service.service.parts.base, actor: testOperator };
    const suspend = async (): Promise<void> => {
      for (let asked = 0; asked < wait; asked += 1) await service.sql`select 1`;
      await setStanding(acting, { userId, to: 'suspended' });
    };
    await Promise.all([follow(link), suspend()]);
    const after = await service.sql`select state from users where id = ${userId}`;
    expect([wait, after]).toEqual([wait, [{ state: 'suspended' }]]);
  }
});

test('explains to a suspended person why their link does not work', async () => {
  const email = await inviteNew();
  const link = await linkTo(email);
  const standing = async (state: string) =>
    await service.sql`update users set state = ${state} where email = ${email}`;
  await standing('suspended');
  const seen = await fetch(`${service.origin}${link}`);
  const sent = await follow(link);
  expect([seen.status, sent.status]).toEqual([403, 403]);
  for (const text of [await seen.text(), sent.text]) {
    expect(text).toContain('Tu usuario está suspendido');
  }
  await standing('invited');
  expect((await follow(link)).status).toBe(303);
});

test('lets an invited person choose a password and work for the account', async () => {
  const email = await inviteNew();
  const link = await linkTo(email);
  const page = await fetch(`${service.origin}${link}`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(email)]);
  expect((await follow(link)).location).toBe('/portal/sign-in?done=1');
  const answer = await tries(email, words);
  expect(answer.status).toBe(303);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const office = officeOf(service.origin, cookie, { userId: 0, email });
  expect((await office.get(`/portal/${testAccount}`)).status).toBe(200);
});

test('accepts a link once, even when followed twice at once', async () => {
  const email = await inviteNew();
  const link = await linkTo(email);
  const other = 'otra frase distinta';
  const answers = await Promise.all([
    follow(link),
    follow(link, { password: other, again: other }),
    follow(link),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404]);
  expect((await follow(link)).status).toBe(404);
  expect((await fetch(`${service.origin}${link}`)).status).toBe(404);
});

test('accepts a link only before it expires and for its purpose', async () => {
  const email = await inviteNew();
  const link = await linkTo(email);
  expect((await follow(link.replace('invitations', 'reset'))).status).toBe(404);
  expect((await follow(`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`)).status).toBe(404);
  await service.sql`
    update user_links set expires_at = expires_at - interval '7 days 1 second'
    where user_id = (select id from users where email = ${email})`;
  expect((await fetch(`${service.origin}${link}`)).status).toBe(404);
  expect((await follow(link)).text).toContain('Si la invitación sigue en pie');
  const [user] = await service.sql`select state from users where email = ${email}`;
  expect(user).toEqual({ state: 'invited' });
});

test.each([
  ['short', 'corta'],
  ['long', 'x'.repeat(129)],
  ['common', 'Password2026!'],
  ['common', '1234567890'],
  ['common', 'qwertyqwerty'],
  ['different', words],
])(
  'refuses a new password for the reason “%s”, and keeps the link valid',
  async (kind, password) => {
    const link = await linkTo(await inviteNew());
    const again = kind === 'different' ? `${password}x` : password;
    expect((await follow(link, { password, again })).status).toBe(400);
    expect((await follow(link)).status).toBe(303);
  },
);

test('ends all sessions on a reset, and gives unknown addresses the same answer', async () => {
  const office = await signIn(service, 'owner');
  const ask = (email: string) => postForm(service.origin, '/portal/forgot', { email });
  const [known, unknown] = [await ask(office.email), await ask('nobody@example.com')];
  expect([known.status, known.location]).toEqual([unknown.status, unknown.location]);
  await expect.poll(() => linkTo(office.email).catch(() => null)).not.toBeNull();
  expect((await follow(await linkTo(office.email))).status).toBe(303);
  expect((await office.get(`/portal/${testAccount}`)).status).toBe(303);
  expect((await tries(office.email, testPassword)).status).toBe(403);
  expect((await tries(office.email, words)).status).toBe(303);
});

interface Enrolled {
  office: Office;
  secret: string;
  recovery: string[];
}

const codeOf = (secret: string, aheadMs = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + aheadMs });

/** Forgets the last accepted code, so that the test need not wait for the next one. */
const forgetStep = (office: Office) =>
  service.sql`update users set totp_step = 0 where id = ${office.userId}`;

async function enrol(): Promise<Enrolled> {
  const office = await signIn(service, 'owner');
  await office.post('/portal/me/factor/begin');
  const { text } = await office.get('/portal/me/factor');
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(' ', '') ?? '';
  const wrong = codeOf(secret) === '000000' ? '111111' : '000000';
  expect((await office.post('/portal/me/factor', { code: wrong })).status).toBe(400);
  const shown = await office.post('/portal/me/factor', { code: codeOf(secret) });
  const recovery = [...shown.text.matchAll(/<code>([A-Z2-7-]+)<\/code>/g)].map(([, one]) => one);
  expect(recovery).toHaveLength(10);
  await forgetStep(office);
  return { office, secret, recovery: recovery as string[] };
}

/** Starts a session that waits for the second factor. */
async function half({ office }: Enrolled): Promise<Office> {
  const answer = await tries(office.email, testPassword);
  expect(answer.location).toBe('/portal/sign-in/code?next=%2Fportal');
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return officeOf(service.origin, cookie, office);
}

const shows = (office: Office, code: string) => office.post('/portal/sign-in/code', { code });

test('opens nothing before the second factor, and changes the session secret with it', async () => {
  const enrolled = await enrol();
  const waiting = await half(enrolled);
  for (const path of ['/portal', '/portal/me', `/portal/${testAccount}`]) {
    expect((await waiting.get(path)).location).toMatch(/^\/portal\/sign-in\/code/);
  }
  expect((await waiting.post('/portal/me/factor/remove')).location).toMatch(/code$/);
  const answer = await shows(waiting, codeOf(enrolled.secret));
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect([answer.status, cookie === waiting.cookie]).toEqual([303, false]);
  const whole = officeOf(service.origin, cookie, enrolled.office);
  expect((await whole.get(`/portal/${testAccount}`)).status).toBe(200);
  expect((await waiting.get(`/portal/${testAccount}`)).location).toMatch(/sign-in\?/);
});

test('accepts a TOTP code once, even from two sessions at once', async () => {
  const enrolled = await enrol();
  const [one, other] = [await half(enrolled), await half(enrolled)];
  const code = codeOf(enrolled.secret);
  const answers = await Promise.all([shows(one, code), shows(other, code)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 403]);
  expect((await shows(await half(enrolled), code)).status).toBe(403);
});

test('accepts a recovery code once, even from two sessions at once', async () => {
  const enrolled = await enrol();
  const [code = ''] = enrolled.recovery;
  const [one, other] = [await half(enrolled), await half(enrolled)];
  const answers = await Promise.all([shows(one, code), shows(other, code.toLowerCase())]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 403]);
  expect((await shows(await half(enrolled), code)).status).toBe(403);
});

test('accepts ten code attempts, then blocks even the right one', async () => {
  const enrolled = await enrol();
  const waiting = await half(enrolled);
  for (let tried = 0; tried < 10; tried += 1) await shows(waiting, 'ABCD-ABCD');
  expect((await shows(waiting, codeOf(enrolled.secret))).status).toBe(429);
});

test('asks again for the password, and also for a code if the user has a second factor', async () => {
  const plain = await signIn(service, 'owner');
  const age = (office: Office) => service.sql`
    update user_sessions set proved_at = proved_at - interval '11 minutes',
      created_at = created_at - interval '11 minutes'
    where user_id = ${office.userId}`;
  await age(plain);
  expect((await plain.get('/portal/me/factor')).location).toBe(
    '/portal/confirm?next=%2Fportal%2Fme%2Ffactor',
  );
  expect((await plain.post('/portal/confirm', { password: 'x' })).status).toBe(403);
  const again = await plain.post('/portal/confirm', {
    password: testPassword,
    next: '/portal/me/factor',
  });
  expect(again.location).toBe('/portal/me/factor');
  expect((await plain.get('/portal/me/factor')).status).toBe(200);
  const { office, secret } = await enrol();
  await age(office);
  expect((await office.post('/portal/confirm', { password: testPassword })).status).toBe(403);
  const code = codeOf(secret);
  expect((await office.post('/portal/confirm', { password: testPassword, code })).status).toBe(303);
});

test('lists a user’s sessions and ends one, and ends the others on a password change', async () => {
  const office = await signIn(service, 'owner');
  const open = async () => {
    const answer = await tries(office.email, testPassword);
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    return officeOf(service.origin, cookie, office);
  };
  const [one, two] = [await open(), await open()];
  const { text } = await one.get('/portal/me');
  const ends = [...text.matchAll(/action="(\/portal\/me\/sessions\/\d+\/end)"/g)];
  expect(ends).toHaveLength(2);
  await one.post(ends[0]?.[1] ?? '');
  expect((await two.get('/portal/me')).status).toBe(303);
  const wrong = await one.post('/portal/me/password', { ...chosen, current: 'not-this-one' });
  expect(wrong.status).toBe(403);
  await one.post('/portal/me/password', { ...chosen, current: testPassword });
  expect((await one.get('/portal/me')).status).toBe(200);
  expect((await office.get('/portal/me')).status).toBe(303);
  const stranger = await signIn(service, 'owner');
  const [own] = await service.sql<{ id: number }[]>`
    select id from user_sessions where user_id = ${office.userId}`;
  await stranger.post(`/portal/me/sessions/${own?.id}/end`);
  expect((await one.get('/portal/me')).status).toBe(200);
});

test('a new password ends reset links, and forgets other browsers', async () => {
  const office = await signIn(service, 'owner');
  const { users } = service.service.parts;
  const own = await tries(office.email, testPassword);
  const other = await tries(office.email, testPassword);
  const cookieOf = (answer: typeof own, name: string) =>
    answer.headers
      .getSetCookie()
      .find((one) => one.startsWith(`recaudo_${name}=`))
      ?.split(';')[0];
  const cookie = cookieOf(own, 'session') ?? '';
  const path = '/portal/me/password';
  const token = officeOf(service.origin, cookie, office).token(path);
  expect(await users.askReset({ email: office.email, network: '198.51.100.7' })).toBeNull();
  const links = () => service.sql`
    select 1 from user_links where user_id = ${office.userId} and used_at is null`;
  await expect.poll(links).toHaveLength(1);
  const fields = { token, ...chosen, current: testPassword };
  const headers = { cookie: `${cookie}; ${cookieOf(own, 'device')}` };
  const changed = await postForm(service.origin, path, fields, headers);
  expect(changed.location).toBe('/portal/me?changed=1');
  expect(await links()).toEqual([]);
  const devices = await service.sql<{ hash: Buffer }[]>`
    select hash from user_devices where user_id = ${office.userId}`;
  const secret = cookieOf(own, 'device')?.split('=')[1] ?? '';
  expect(devices.map(({ hash }) => hash)).toEqual([hash('sha256', secret, 'buffer')]);
  expect(cookieOf(other, 'device')).toBeDefined();
});

test('limits guesses of the current password on one’s own page', async () => {
  const office = await signIn(service, 'owner');
  const guess = (current: string) => office.post('/portal/me/password', { ...chosen, current });
  const statuses = [];
  for (let no = 0; no < 11; no += 1) statuses.push((await guess(`guess-number-${no}`)).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429]);
  expect((await guess(testPassword)).headers.get('retry-after')).toMatch(/^\d+$/);
});

test('refuses a user’s last four passwords on their own page', async () => {
  const office = await signIn(service, 'owner');
  const words = ['uno', 'dos', 'tres', 'cuatro'].map((word) => `paloma-de-papel-${word}`);
  const change = (current: string, password: string) =>
    office.post('/portal/me/password', { current, password, again: password });
  let current = testPassword;
  for (const password of words) {
    expect((await change(current, password)).location).toBe('/portal/me?changed=1');
    current = password;
  }
  for (const used of words) {
    const refused = await change(current, used);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('una de tus últimas cuatro contraseñas'),
    ]);
  }
  expect((await change(current, testPassword)).location).toBe('/portal/me?changed=1');
});

test('keeps an account’s last owner, even if two leave at once', async () => {
  const { createAccount } = await import('../../src/accounts/index.ts');
  const acting = { ...service.service.parts.base, actor: testOperator };
  const place = await createAccount(acting, {
    id: null,
    name: 'Dos dueños',
    cuit: '30999999995',
    city: 'Salta',
  });
  const owners = await Promise.all(
    [1, 2].map(() => signIn(service, 'owner', { accountId: place.id })),
  );
  const left = await Promise.allSettled(
    owners.map(({ userId }) =>
      users().changeMember(testOperator, { account: place, userId, granting: 'owner', role: null }),
    ),
  );
  expect(left.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const members = await users().membersOf(place.id);
  expect(members.map(({ role }) => role)).toEqual(['owner']);
});

test('does not let the last owner leave if the other owner is only invited', async () => {
  const { createAccount } = await import('../../src/accounts/index.ts');
  const acting = { ...service.service.parts.base, actor: testOperator };
  const named = { name: 'Una dueña', cuit: '30999999995', city: 'Salta' };
  const place = await createAccount(acting, { id: null, ...named });
  const { userId } = await signIn(service, 'owner', { accountId: place.id });
  await users().invite(testOperator, {
    email: 'otra-duena@example.com',
    name: 'Otra',
    lang: 'es',
    serviceRole: null,
    to: { account: place, role: 'owner', granting: 'owner' },
  });
  const leave = { account: place, userId, granting: 'owner' } as const;
  for (const role of [null, 'read_only'] as const) {
    const left = users().changeMember(testOperator, { ...leave, role });
    await expect(left).rejects.toMatchObject({ errorCode: 'member.last_owner' });
  }
  // Setting the role that they already have changes nothing.
  await users().changeMember(testOperator, { ...leave, role: 'owner' });
  expect((await users().membersOf(place.id)).find(({ id }) => id === userId)?.role).toBe('owner');
});

test('does not let an administrator create or change owners', async () => {
  const owner = await signIn(service, 'owner');
  const granting = 'administrator' as const;
  const change = (role: 'owner' | 'read_only', userId: number) =>
    users().changeMember(testOperator, { account, userId, granting, role });
  await expect(change('read_only', owner.userId)).rejects.toMatchObject({ kind: 'forbidden' });
  const clerk = await signIn(service, 'collections');
  await expect(change('owner', clerk.userId)).rejects.toMatchObject({ kind: 'forbidden' });
  const person = { email: 'x@example.com', name: 'X', lang: 'es', serviceRole: null } as const;
  const to = { account, role: 'owner', granting } as const;
  await expect(users().invite(testOperator, { ...person, to })).rejects.toMatchObject({
    kind: 'forbidden',
  });
  const invitee = { ...person, email: await inviteNew('owner') };
  const again = { ...invitee, to: { account, role: 'read_only', granting } as const };
  await expect(users().invite(testOperator, again)).rejects.toMatchObject({ kind: 'forbidden' });
  const members = await users().membersOf(testAccount);
  expect(members.find(({ email }) => email === invitee.email)?.role).toBe('owner');
});
