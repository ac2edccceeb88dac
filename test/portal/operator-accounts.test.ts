import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, readSettings } from '../../src/accounts/index.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playerOf } from '../scenarios/play.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let operator: Office;
const home = '/portal/operator/accounts';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  operator = await signIn(service, 'operator');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const look = (path: string, name: string) =>
  lookAtPage(browser, { origin: service.origin, office: operator, path }, name);

/** Opens a separate account for a test, without money. */
async function open(name: string): Promise<string> {
  const acting = { ...service.service.parts.base, actor: testOperator };
  const input = { id: null, name, cuit: '30999999995', city: 'Salta' };
  return (await createAccount(acting, input)).id;
}

const stateOf = async (id: string) => (await service.service.parts.readAccount(id))?.state;

const fields = {
  name: 'Cooperativa Ñandú',
  cuit: '30-99999999-5',
  city: 'Paraná',
  owner_name: 'Ana Sosa',
  email: 'ana@nandu.example',
};

/** Returns the address to which the account form posts. */
async function creation(): Promise<string> {
  const { text } = await operator.get(`${home}/new`);
  return /action="([^"]+\/create)"/.exec(text)?.[1] ?? '';
}

test('opens an account in the browser without scripts, and invites its first owner', async () => {
  const at = { origin: service.origin, office: operator, path: `${home}/new` };
  const page = await openPage(browser, at, { javaScriptEnabled: false });
  for (const [name, value] of Object.entries(fields))
    await page.locator(`[name=${name}]`).fill(value);
  await page.getByRole('button', { name: 'Crear una cuenta' }).click();
  expect(await page.locator('h1').textContent()).toBe(fields.name);
  expect(await page.locator('main').textContent()).toContain('La invitación va por correo.');
  expect(await page.locator('main').textContent()).toContain(fields.email);
  const id = /accounts\/([0-9A-F]{8})/.exec(page.url())?.[1] ?? '';
  expect(await service.service.parts.readAccount(id)).toMatchObject({
    name: fields.name,
    cuit: '30999999995',
    city: 'Paraná',
    state: 'active',
  });
  const [member] = await service.service.parts.users.membersOf(id);
  expect(member).toMatchObject({ role: 'owner', membership_state: 'invited' });
  const mails = await service.sql`select id from mails where recipient = ${fields.email}`;
  expect(mails).toHaveLength(1);
  const [event] = await service.sql<{ actor: string }[]>`
    select actor from events where account_id = ${id} and type = 'account.created'`;
  expect(event?.actor).toBe(`user:${operator.userId}`);
  await page.context().close();
});

test('opens one account for a form sent twice at once', async () => {
  const action = await creation();
  const twice = { ...fields, name: 'Dos veces', email: 'dos@example.com' };
  const answers = await Promise.all([operator.post(action, twice), operator.post(action, twice)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  const rows = await service.sql`select id from accounts where name = 'Dos veces'`;
  expect(rows).toHaveLength(1);
  const mails = await service.sql`select id from mails where recipient = 'dos@example.com'`;
  expect(mails).toHaveLength(1);
});

test('opens no account whose invitation fails, and creates both when the form is sent again', async () => {
  const action = await creation();
  const again = { ...fields, name: 'Otra vez', email: 'otra-vez@example.com' };
  const { users } = service.service.parts;
  const account = { id: await open('Otra'), name: 'Otra' };
  const invite = { email: again.email, name: 'Ana', lang: 'es', serviceRole: null } as const;
  for (let no = 0; no < 5; no += 1) {
    const to = { account, role: 'owner', granting: null } as const;
    await users.invite(testOperator, { ...invite, to });
  }
  const opened = () => service.sql`select id from accounts where name = 'Otra vez'`;
  expect((await operator.post(action, again)).status).toBe(429);
  expect(await opened()).toEqual([]);
  await service.sql`
    update user_links set created_at = created_at - interval '25 hours'
    where user_id = (select id from users where email = ${again.email})`;
  expect((await operator.post(action, again)).location).toContain('?sent=1');
  const [{ id } = { id: '' }] = await opened();
  expect(await users.membersOf(id)).toMatchObject([{ email: again.email, role: 'owner' }]);
  expect((await operator.post(action, again)).location).toMatch(new RegExp(`${id}$`));
});

test('refuses to open an account under the id of another account', async () => {
  const action = await creation();
  const id = /accounts\/([0-9A-F]{8})/.exec(action)?.[1] ?? '';
  const acting = { ...service.service.parts.base, actor: testOperator };
  await createAccount(acting, { id, name: 'Ajena', cuit: '30999999995', city: 'Salta' });
  const answer = await operator.post(action, { ...fields, email: 'ajena@example.com' });
  expect(answer.status).toBe(409);
  const mails = await service.sql`select id from mails where recipient = 'ajena@example.com'`;
  expect(mails).toEqual([]);
});

test.each([
  ['name', { name: '  ' }],
  ['name', { name: 'x'.repeat(101) }],
  ['name', { name: 'uno\ndos' }],
  ['cuit', { cuit: '30999999994' }],
  ['cuit', { cuit: '' }],
  ['city', { city: '' }],
  ['owner_name', { owner_name: '' }],
  ['email', { email: 'ana' }],
])('refuses an account with a wrong %s, and explains it in the form', async (field, wrong) => {
  const [before] = await service.sql<{ count: number }[]>`select count(*)::int from accounts`;
  const answer = await operator.post(await creation(), { ...fields, ...wrong });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(`href="#${field}"`);
  const [after] = await service.sql<{ count: number }[]>`select count(*)::int from accounts`;
  expect(after).toEqual(before);
});

test('finds accounts by part of the name regardless of accents, by CUIT, number and state', async () => {
  const id = await open('100% Ágil_Y S.A.');
  const shows = async (asked: Record<string, string>) =>
    (await operator.get(`${home}?${new URLSearchParams(asked)}`)).text.includes(`${home}/${id}`);
  for (const q of [
    'agil',
    'ÁGIL',
    'Ágil'.normalize('NFD'),
    '100%',
    'l_y',
    id.toLowerCase(),
    '30-99999999-5',
  ]) {
    expect([q, await shows({ q })]).toEqual([q, true]);
  }
  for (const q of ['agilx', '%%', 'l%y', '30999999994', "' or 1=1 --", '\\']) {
    expect([q, await shows({ q })]).toEqual([q, false]);
  }
  expect(await shows({ q: 'agil', state: 'active' })).toBe(true);
  expect(await shows({ q: 'agil', state: 'closed' })).toBe(false);
  expect(await shows({ q: 'agil', state: 'nothing' })).toBe(true);
});

test('shows each account once across the pages of the list', async () => {
  for (let no = 0; no < 60; no += 1) await open(`Lista ${String(no % 7)}`);
  const seen: string[] = [];
  let path = `${home}?q=lista`;
  for (;;) {
    const { text } = await operator.get(path);
    seen.push(...[...text.matchAll(/accounts\/([0-9A-F]{8})"/g)].map(([, id = '']) => id));
    const next = /rel="next" href="([^"]+)"/.exec(text)?.[1];
    if (next === undefined) break;
    path = next.replaceAll('&amp;', '&');
  }
  expect([seen.length, new Set(seen).size]).toEqual([60, 60]);
  for (const behind of ['x', 'FFFFFFFF', "'"]) {
    const { status } = await operator.get(`${home}?behind=${encodeURIComponent(behind)}`);
    expect([behind, status]).toEqual([behind, 200]);
  }
});

test('suspends and reopens an account with a reason, with immediate effect', async () => {
  const player = playerOf(service);
  const page = `${home}/${testAccount}`;
  expect((await operator.post(`${page}/suspend`, { reason: ' ' })).status).toBe(400);
  expect(await stateOf(testAccount)).toBe('active');
  const twice = await Promise.all([
    operator.post(`${page}/suspend`, { reason: 'fraude' }),
    operator.post(`${page}/suspend`, { reason: 'fraude' }),
  ]);
  expect(twice.map(({ status }) => status)).toEqual([303, 303]);
  const refused = await service.call('POST', '/payment-request', { body: {} });
  expect(refused.status).toBe(403);
  expect((await operator.get(page)).text).toContain('Suspendida');
  expect((await operator.post(`${page}/reopen`, { reason: 'aclarado' })).status).toBe(303);
  await player.create({ first_total: 100 });
  const events = await service.sql<{ type: string; data: { reason: string } }[]>`
    select type, data from events where account_id = ${testAccount}
      and type in ('account.suspended', 'account.reopened') order by id`;
  expect([...events]).toEqual([
    {
      type: 'account.suspended',
      data: { reason: 'fraude', state: 'suspended', before: { state: 'active' } },
    },
    {
      type: 'account.reopened',
      data: { reason: 'aclarado', state: 'active', before: { state: 'suspended' } },
    },
  ]);
});

test('closes a settled account once its number is typed, and makes it read-only', async () => {
  const id = await open('Se va');
  const page = `${home}/${id}`;
  const asked = await operator.get(`${page}/close`);
  expect(asked.text.slice(asked.text.indexOf('<main'))).toContain(`>${id}<`);
  const typed = await operator.post(`${page}/close`, { reason: 'se va', typed: 'cerrar' });
  expect([typed.status, await stateOf(id)]).toEqual([400, 'active']);
  const closed = await operator.post(`${page}/close`, { reason: 'se va', typed: id });
  expect(closed.location).toBe(`${page}?closed=0`);
  expect(await stateOf(id)).toBe('closed');
  const { text } = await operator.get(`${page}?closed=0`);
  expect(text).toContain('La cuenta está cerrada.');
  expect(text).not.toContain(`${page}/settings`);
  expect((await operator.get(`${page}/settings`)).status).toBe(404);
  expect((await operator.post(`${page}/settings`, { name: 'x' })).status).toBe(404);
  expect((await operator.post(`${page}/reopen`, { reason: 'x' })).status).toBe(409);
  expect(await stateOf(id)).toBe('closed');
});

test('does not close an account that is owed money, and explains why', async () => {
  const player = playerOf(service);
  const request = await player.create({ first_total: 1_000 });
  await player.pay(request, { channel: 'wire_transfer' });
  const path = `${home}/${testAccount}/close`;
  const answer = await operator.post(path, { reason: 'x', typed: testAccount });
  expect(answer.status).toBe(409);
  expect(answer.text).toContain('Todavía se le debe dinero');
  expect(await stateOf(testAccount)).toBe('active');
});

test('changes settings, records former values in the event, and explains invalid ones', async () => {
  const id = await open('Ajustes');
  const path = `${home}/${id}/settings`;
  const posted = {
    name: 'Ajustes Nuevos',
    returns_fees: 'yes',
    card_cut_day: '15',
    letters_a_day: '0',
    letters_a_minute: '',
    unsigned_mandates: '7',
  };
  expect((await operator.post(path, posted)).location).toBe(`${home}/${id}`);
  expect(await readSettings(service.sql, id)).toMatchObject({
    returns_fees: true,
    refunds_below_zero: false,
    card_cut_day: 15,
    letters_a_day: 0,
    letters_a_minute: null,
    unsigned_mandates: 7,
  });
  const { text } = await operator.get(path);
  expect(text).toMatch(/name="card_cut_day"[^>]*value="15"/);
  const [event] = await service.sql<{ data: { before: object } }[]>`
    select data from events where account_id = ${id} and type = 'account.changed'
    order by version desc limit 1`;
  expect(event?.data.before).toMatchObject({
    returns_fees: false,
    card_cut_day: null,
    letters_a_day: null,
    unsigned_mandates: null,
  });
  for (const [field, value] of [
    ['card_cut_day', '32'],
    ['card_cut_day', '0'],
    ['letters_a_day', '-1'],
    ['letters_a_minute', '1000000001'],
    ['unsigned_mandates', 'muchos'],
    ['name', ''],
  ] as const) {
    const answer = await operator.post(path, { ...posted, [field]: value });
    expect([field, answer.status]).toEqual([field, 400]);
    expect(answer.text).toContain(`href="#${field}"`);
  }
  expect((await service.service.parts.readAccount(id))?.name).toBe('Ajustes Nuevos');
});

test('shows concurrent settings changes to the second operator, and keeps the input', async () => {
  const id = await open('Entre Dos');
  const path = `${home}/${id}/settings`;
  const other = await signIn(service, 'operator');
  const seenIn = (text: string) => /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const seen = seenIn((await operator.get(path)).text);
  const blank = { letters_a_day: '', letters_a_minute: '', unsigned_mandates: '', seen };
  const mine = { ...blank, name: 'Entre Dos', returns_fees: 'yes', card_cut_day: '10' };
  const theirs = { ...blank, name: 'Otra Entre Dos', card_cut_day: '20' };
  const answers = await Promise.all([operator.post(path, mine), other.post(path, theirs)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  const again = seenIn((await operator.get(path)).text);
  const last = { ...mine, card_cut_day: '5', seen: again };
  expect((await operator.post(path, last)).status).toBe(303);
  expect((await operator.post(path, last)).status).toBe(303);
  const late = await other.post(path, { ...theirs, seen: again });
  expect([late.status, late.text]).toEqual([
    409,
    expect.stringContaining('Esto cambió mientras lo editabas'),
  ]);
  expect(late.text).toMatch(/name="card_cut_day"[^>]*value="20"/);
  expect((await readSettings(service.sql, id))?.card_cut_day).toBe(5);
  // The operator has seen the new values, so this change is saved.
  const known = { ...theirs, seen: seenIn(late.text) };
  expect((await other.post(path, known)).status).toBe(303);
  expect((await readSettings(service.sql, id))?.card_cut_day).toBe(20);
  expect((await service.service.parts.readAccount(id))?.name).toBe('Otra Entre Dos');
});

test('invites a user to an account, but not with a service role', async () => {
  const id = await open('Con usuarios');
  const path = `${home}/${id}/users/new`;
  const person = { name: 'Eva', email: 'eva@example.com', role: 'treasury' };
  expect((await operator.post(path, { ...person, role: 'operator' })).status).toBe(400);
  expect((await operator.post(path, person)).location).toBe(`${home}/${id}?sent=1`);
  expect(await service.service.parts.users.membersOf(id)).toMatchObject([
    { email: person.email, role: 'treasury' },
  ]);
});

test('shows accounts to read-only users, without forms', async () => {
  const reader = await signIn(service, 'operator_read_only');
  for (const path of [home, `${home}/${testAccount}`]) {
    const { status, text } = await reader.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).not.toMatch(/accounts\/(new|[0-9A-F]{8}\/(settings|suspend|close|users))/);
  }
  for (const path of ['new', `${testAccount}/close`]) {
    expect((await reader.get(`${home}/${path}`)).status).toBe(403);
  }
});

test('answers 404 for an unknown account', async () => {
  for (const id of ['FFFFFFFF', 'x', '1', 'ffffffff']) {
    for (const path of [id, `${id}/settings`, `${id}/close`, `${id}/users/new`]) {
      expect([path, (await operator.get(`${home}/${path}`)).status]).toEqual([path, 404]);
    }
  }
});

test.each([
  ['', 'operator-accounts'],
  ['?q=zzz', 'operator-accounts-none'],
  ['/new', 'operator-account-new'],
  [`/${testAccount}`, 'operator-account'],
  [`/${testAccount}/settings`, 'operator-account-settings'],
  [`/${testAccount}/suspend`, 'operator-account-suspend'],
  [`/${testAccount}/close`, 'operator-account-close'],
  [`/${testAccount}/users/new`, 'operator-account-invite'],
])('renders accounts%s accessibly', async (path, name) => {
  await look(`${home}${path}`, name);
  const { status, text } = await operator.get(
    `${home}${path}${path.includes('?') ? '&' : '?'}lang=en`,
  );
  expect([status, text.includes('<html lang="en"')]).toEqual([200, true]);
});
