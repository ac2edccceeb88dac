import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../src/platform/http/free-port.ts';
import { removeFactor } from '../../src/users/index.ts';
import { testOperator } from '../harness/actors.ts';
import {
  type Asked,
  type Authenticator,
  createAuthenticator,
  type Wrong,
} from '../harness/authenticator.ts';
import { launchBrowser } from '../harness/browser.ts';
import {
  type Office,
  officeOf,
  postForm,
  type Shown,
  signIn,
  testPassword,
} from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { lookAtPage, openPage } from './look.ts';

vi.setConfig({ testTimeout: 60_000 });

const home = `/portal/${testAccount}`;
let service: TestService;
let browser: Browser;

beforeAll(async () => {
  const port = await freePort('127.0.0.1');
  const PUBLIC_URL = `http://localhost:${port}`;
  service = await startService({ ROLES: 'payments,web', PORT: String(port), PUBLIC_URL });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** What a page asks the browser for. */
const askedIn = ({ text }: Shown): Asked =>
  JSON.parse((/data-options="([^"]+)"/.exec(text)?.[1] ?? 'null').replaceAll('&quot;', '"'));

const cookieIn = ({ headers }: Shown): string => headers.get('set-cookie')?.split(';')[0] ?? '';

/** Somebody with a passkey, and the recovery codes that came with it. */
async function enrolled(): Promise<{ office: Office; key: Authenticator; codes: string[] }> {
  const office = await signIn(service, 'owner');
  const { key, answer } = await adds(office);
  const codes = [...answer.text.matchAll(/<code>([A-Z2-7-]+)<\/code>/g)].map(([, one = '']) => one);
  return { office, key, codes };
}

async function adds(
  office: Office,
  { key = createAuthenticator(service.origin), wrong = {} as Wrong, name = 'Notebook' } = {},
): Promise<{ key: Authenticator; answer: Shown; sent: string }> {
  const asked = askedIn(await office.post('/portal/me/passkeys/begin', { name }));
  const sent = key.makes(asked, wrong);
  return { key, sent, answer: await office.post('/portal/me/passkeys', { name, answer: sent }) };
}

/** A session of somebody that waits for the second factor. */
async function half({ email, userId }: Office): Promise<Office> {
  const answer = await postForm(service.origin, '/portal/sign-in', {
    email,
    password: testPassword,
  });
  expect(answer.location).toMatch(/^\/portal\/sign-in\/code/);
  return officeOf(service.origin, cookieIn(answer), { email, userId });
}

const begins = async (office: Office, at = '/portal/sign-in/passkey'): Promise<Asked> =>
  askedIn(await office.post(`${at}/begin`));

const sends = (office: Office, answer: string, at = '/portal/sign-in/passkey') =>
  office.post(at, { answer });

const isIn = async (office: Office): Promise<boolean> => (await office.get(home)).status === 200;

const forgiveTries = () => service.sql`delete from user_tries`;

async function passkeysOf({ userId }: Office): Promise<number> {
  return (await service.service.parts.users.listPasskeys(userId)).length;
}

describe('in a browser', () => {
  async function authenticatorOf(page: Page): Promise<void> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  }

  test('a person adds a passkey, signs in by it, proves by it and removes it', async () => {
    const office = await signIn(service, 'owner');
    const at = { origin: service.origin, office, path: '/portal/me/factor' };
    const page = await openPage(browser, at);
    const refused: string[] = [];
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
    await authenticatorOf(page);
    await page.getByLabel('Nombre').fill('Notebook de la oficina');
    await page.getByRole('button', { name: 'Agregar una llave de acceso' }).click();
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByText('Guardá tus códigos de recuperación').waitFor();
    await page.goto(`${service.origin}/portal/me/factor`);
    await page.getByRole('rowheader', { name: 'Notebook de la oficina' }).waitFor();

    // The same authenticator is not added twice.
    await page.getByLabel('Nombre').fill('Otra vez');
    await page.getByRole('button', { name: 'Agregar una llave de acceso' }).click();
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByText('No se completó. Probá otra vez.').waitFor();
    expect(await passkeysOf(office)).toBe(1);

    await page.getByText('Test owner').click();
    await page.getByRole('button', { name: 'Salir' }).click();
    await page.getByLabel('Correo electrónico').fill(office.email);
    await page.getByLabel('Contraseña').fill(testPassword);
    await page.getByRole('button', { name: 'Ingresar' }).click();
    await page.getByRole('button', { name: 'Usar una llave de acceso' }).click();
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.waitForURL(`**${home}`);

    await service.sql`
      update user_sessions set proved_at = proved_at - interval '11 minutes'
      where user_id = ${office.userId}`;
    await page.goto(`${service.origin}${home}/integrations/keys/new`);
    await page.getByRole('button', { name: 'Usar una llave de acceso' }).click();
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.waitForURL(`**${home}/integrations/keys/new`);

    await page.goto(`${service.origin}/portal/me/factor`);
    await page.getByRole('button', { name: 'Quitar Notebook de la oficina' }).click();
    await page.getByText('Todavía no hay llaves de acceso.').waitFor();
    expect([await passkeysOf(office), refused]).toEqual([0, []]);
    await page.context().close();
  });

  test('whoever says no may try again, and nothing changed', async () => {
    const { office } = await enrolled();
    const waiting = await half(office);
    const at = { origin: service.origin, office: waiting, path: '/portal/sign-in/code' };
    const page = await openPage(browser, at);
    // An authenticator that has no passkey of this person.
    await authenticatorOf(page);
    await page.getByRole('button', { name: 'Usar una llave de acceso' }).click();
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByText('No se completó. Probá otra vez.').waitFor();
    await page.getByRole('button', { name: 'Continuar' }).waitFor();
    expect(await isIn(waiting)).toBe(false);
    await page.context().close();
  });

  test('without scripts the page says to use a code', async () => {
    const { office } = await enrolled();
    const at = { origin: service.origin, office: await half(office), path: '/portal/sign-in/code' };
    const page = await openPage(browser, at, { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Usar una llave de acceso' }).click();
    await page.getByText('Las llaves de acceso necesitan JavaScript').waitFor();
    await page.context().close();
  });

  test('pages of passkeys are well made in every width and colour', async () => {
    const { office } = await enrolled();
    await adds(office, { name: 'Llave USB de la caja fuerte' });
    const at = (one: Office, path: string) => ({ origin: service.origin, office: one, path });
    await lookAtPage(browser, at(office, '/portal/me/factor'), 'factor-passkeys');
    await lookAtPage(browser, at(office, '/portal/confirm'), 'confirm-passkey');
    const waiting = await half(office);
    await lookAtPage(browser, at(waiting, '/portal/sign-in/code'), 'sign-in-passkey');
  });
});

test('with the first factor come ten recovery codes, with the next ones none', async () => {
  const { office, codes } = await enrolled();
  expect(codes).toHaveLength(10);
  const second = await adds(office, { name: 'Llave USB' });
  expect(second.answer.location).toBe('/portal/me/factor');
  const waiting = await half(office);
  const answer = await waiting.post('/portal/sign-in/code', { code: codes[0] ?? '' });
  expect(answer.status).toBe(303);
});

test('who has a passkey and adds codes by time keeps the recovery codes that he printed', async () => {
  const { office, codes } = await enrolled();
  await office.post('/portal/me/factor/begin');
  const { text } = await office.get('/portal/me/factor');
  const secret = Secret.fromBase32(
    /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(' ', '') ?? '',
  );
  const wrong = await office.post('/portal/me/factor', { code: '000000' });
  expect(wrong.status).toBe(400);
  const code = new TOTP({ secret }).generate();
  const answer = await office.post('/portal/me/factor', { code });
  expect([answer.status, answer.location]).toEqual([303, '/portal/me/factor']);
  const waiting = await half(office);
  expect((await waiting.post('/portal/sign-in/code', { code: codes[0] ?? '' })).status).toBe(303);
});

test('recovery codes that come while a passkey is added stay those that were shown', async () => {
  const office = await signIn(service, 'owner');
  const key = createAuthenticator(service.origin);
  const name = 'Notebook';
  const asked = askedIn(await office.post('/portal/me/passkeys/begin', { name }));
  const answer = key.makes(asked, {});
  let added: Promise<Shown> | null = null;
  await service.sql.begin(async (tx) => {
    const [own] = await tx<{ pid: number }[]>`
      select pg_backend_pid() as pid from users where id = ${office.userId} for update`;
    added = office.post('/portal/me/passkeys', { name, answer });
    const waits = async () => {
      const waiting = await service.sql`
        select from pg_locks
        where not granted and ${own?.pid ?? 0}::int = any(pg_blocking_pids(pid))`;
      expect(waiting.length).toBeGreaterThan(0);
    };
    await vi.waitFor(waits, { timeout: 10_000, interval: 20 });
    // As the other tab leaves it, in which codes by time were confirmed.
    await tx`
      update users set totp_since = now(), totp_key_id = 'x', totp_ciphertext = 'x'::bytea
      where id = ${office.userId}`;
    await tx`
      insert into user_recovery_codes (user_id, hash)
      values (${office.userId}, ${Buffer.from('printed')})`;
  });
  expect(await added).toMatchObject({ status: 303, location: '/portal/me/factor' });
  const left = await service.sql<{ hash: Buffer }[]>`
    select hash from user_recovery_codes where user_id = ${office.userId}`;
  expect(left.map(({ hash }) => hash.toString())).toEqual(['printed']);
});

test('a passkey opens a session that waits for it, which gets a new secret with it', async () => {
  const { office, key } = await enrolled();
  const waiting = await half(office);
  expect(await isIn(waiting)).toBe(false);
  const answer = await sends(waiting, key.shows(await begins(waiting)));
  const whole = officeOf(service.origin, cookieIn(answer), office);
  expect([answer.status, whole.cookie === waiting.cookie]).toEqual([303, false]);
  expect([await isIn(whole), await isIn(waiting)]).toEqual([true, false]);
});

test('what was drawn for codes and never confirmed opens nothing', async () => {
  const { office } = await enrolled();
  await office.post('/portal/me/factor/begin');
  const { text } = await office.get('/portal/me/factor');
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(' ', '') ?? '';
  const { Secret, TOTP } = await import('otpauth');
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const waiting = await half(office);
  expect((await waiting.post('/portal/sign-in/code', { code })).status).toBe(403);
  expect(await isIn(waiting)).toBe(false);
});

const other = createAuthenticator('http://localhost');

test.each<[string, Wrong]>([
  ['of another site', { origin: 'https://evil.example' }],
  ['of another port', { origin: 'http://localhost:1' }],
  ['for another host', { rpId: 'evil.example' }],
  ['that nobody touched', { present: false }],
  ['without proof of who it is', { verified: false }],
  ['of another kind', { type: 'webauthn.create' }],
  ['to another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ['by another key', { key: other }],
])('an answer %s opens nothing, and its challenge is used up', async (_what, wrong) => {
  const { office, key } = await enrolled();
  const waiting = await half(office);
  const asked = await begins(waiting);
  expect((await sends(waiting, key.shows(asked, wrong))).status).toBe(403);
  expect(await isIn(waiting)).toBe(false);
  // Nor does the right answer, to what was asked before.
  expect((await sends(waiting, key.shows(asked))).status).toBe(403);
  expect((await sends(waiting, key.shows(await begins(waiting)))).status).toBe(303);
  await forgiveTries();
});

test.each<[string, Wrong]>([
  ['of another site', { origin: 'https://evil.example' }],
  ['for another host', { rpId: 'evil.example' }],
  ['without proof of who it is', { verified: false }],
  ['of another kind', { type: 'webauthn.get' }],
  ['to another challenge', { challenge: 'AAAA' }],
])('a passkey %s is not added', async (_what, wrong) => {
  const office = await signIn(service, 'owner');
  const { answer } = await adds(office, { wrong });
  expect([answer.status, await passkeysOf(office)]).toEqual([400, 0]);
});

test.each([
  '',
  'null',
  '[]',
  '{}',
  '{"id":5,"response":{}}',
  '{"id":"x","response":null}',
  '{"id":"x","rawId":"x","type":"public-key","response":{}}',
  `{"id":"x","rawId":"x","type":"public-key","response":{"clientDataJSON":"${'A'.repeat(30_000)}"}}`,
])('what is no answer at all is one that is wrong: %.60s', async (text) => {
  const { office } = await enrolled();
  const waiting = await half(office);
  await begins(waiting);
  expect((await sends(waiting, text)).status).toBe(403);
  const added = await office.post('/portal/me/passkeys/begin', { name: 'x' });
  expect(added.status).toBe(200);
  const answer = await office.post('/portal/me/passkeys', { name: 'x', answer: text });
  expect([answer.status, await passkeysOf(office)]).toEqual([400, 1]);
  await forgiveTries();
});

test('an answer is taken once, also when it is sent twice at once', async () => {
  const { office, key } = await enrolled();
  const waiting = await half(office);
  const answer = key.shows(await begins(waiting));
  const both = await Promise.all([sends(waiting, answer), sends(waiting, answer)]);
  expect(both.filter((one) => cookieIn(one) !== '')).toHaveLength(1);
  const again = await half(office);
  await begins(again);
  expect((await sends(again, answer)).status).toBe(403);
});

test('a challenge is of one session and of one purpose, and of the last one that was drawn', async () => {
  const { office, key } = await enrolled();
  const [one, two] = [await half(office), await half(office)];
  const asked = await begins(one);
  await begins(two);
  expect((await sends(two, key.shows(asked))).status).toBe(403);
  expect((await sends(one, key.shows(asked))).status).toBe(303);
  const toAdd = askedIn(await office.post('/portal/me/passkeys/begin', { name: 'x' }));
  const shown = key.shows({ challenge: toAdd.challenge, rpId: 'localhost' });
  expect((await sends(office, shown, '/portal/confirm/passkey')).status).toBe(403);
  const first = await begins(office, '/portal/confirm/passkey');
  await begins(office, '/portal/confirm/passkey');
  const late = await sends(office, key.shows(first), '/portal/confirm/passkey');
  expect(late.status).toBe(403);
});

test('a challenge is over after five minutes', async () => {
  const { office, key } = await enrolled();
  const waiting = await half(office);
  const asked = await begins(waiting);
  await service.sql`update user_challenges set expires_at = expires_at - interval '5 minutes'`;
  expect((await sends(waiting, key.shows(asked))).status).toBe(403);
});

test('the passkey of one person opens nothing of another', async () => {
  const [one, another] = [await enrolled(), await enrolled()];
  const waiting = await half(one.office);
  const answer = await sends(waiting, another.key.shows(await begins(waiting)));
  expect([answer.status, await isIn(waiting)]).toEqual([403, false]);
  const taken = await adds(another.office, { key: one.key });
  expect([taken.answer.status, await passkeysOf(another.office)]).toEqual([409, 1]);
});

test('a copy that counts behind the original is refused, noted and told', async () => {
  const { office, key } = await enrolled();
  const first = await half(office);
  expect((await sends(first, key.shows(await begins(first), { counter: 9 }))).status).toBe(303);
  for (const counter of [9, 8, 0]) {
    const waiting = await half(office);
    const answer = await sends(waiting, key.shows(await begins(waiting), { counter }));
    expect([counter, answer.status, await isIn(waiting)]).toEqual([counter, 403, false]);
  }
  const events = await service.sql<{ actor: string }[]>`
    select actor from operator_events
    where entity = 'user' and entity_id = ${String(office.userId)}
      and type = 'user.passkey_refused'`;
  expect(events.map(({ actor }) => actor)).toEqual(Array(3).fill(`user:${office.userId}`));
  const mails = await service.sql`
    select 1 from mails where recipient = ${office.email} and subject like '%se rechazó la llave%'`;
  expect(mails).toHaveLength(3);
});

test('an authenticator that does not count is taken each time', async () => {
  const office = await signIn(service, 'owner');
  const { key } = await adds(office, { wrong: { counter: 0 } });
  for (let time = 0; time < 2; time += 1) {
    const waiting = await half(office);
    const answer = await sends(waiting, key.shows(await begins(waiting), { counter: 0 }));
    expect(answer.status).toBe(303);
  }
});

test('a passkey proves again who it is; a password alone does not where there is one', async () => {
  const { office, key } = await enrolled();
  const stale = () => service.sql`
    update user_sessions set proved_at = proved_at - interval '11 minutes'
    where user_id = ${office.userId}`;
  const page = `${home}/integrations/keys/new`;
  await stale();
  expect((await office.get(page)).status).toBe(303);
  const next = { next: page };
  const bare = await office.post('/portal/confirm', { password: testPassword, ...next });
  expect(bare.status).toBe(403);
  const asked = askedIn(await office.post('/portal/confirm/passkey/begin', next));
  const proved = await office.post('/portal/confirm/passkey', {
    answer: key.shows(asked),
    ...next,
  });
  expect([proved.status, proved.location]).toEqual([303, page]);
  expect((await office.get(page)).status).toBe(200);
});

test('adding and removing ask for a fresh proof', async () => {
  const { office } = await enrolled();
  await service.sql`
    update user_sessions set proved_at = proved_at - interval '11 minutes'
    where user_id = ${office.userId}`;
  const [one] = await service.service.parts.users.listPasskeys(office.userId);
  for (const path of ['begin', `${one?.id}/remove`]) {
    const { location } = await office.post(`/portal/me/passkeys/${path}`, { name: 'x' });
    expect(location).toMatch(/^\/portal\/confirm/);
  }
  expect(await passkeysOf(office)).toBe(1);
});

test('nobody removes the passkey of another, and recovery codes go with the last factor', async () => {
  const { office, codes } = await enrolled();
  const stranger = await signIn(service, 'owner');
  const [one] = await service.service.parts.users.listPasskeys(office.userId);
  for (const id of [one?.id, '1e300', '-1', 'x', '9'.repeat(30)]) {
    expect((await stranger.post(`/portal/me/passkeys/${id}/remove`)).status).toBe(303);
  }
  expect(await passkeysOf(office)).toBe(1);
  const { key } = await adds(office, { name: 'Segunda' });
  await office.post(`/portal/me/passkeys/${one?.id}/remove`);
  const waiting = await half(office);
  expect((await sends(waiting, key.shows(await begins(waiting)))).status).toBe(303);
  const left = async () => {
    const rows = await service.sql`
      select 1 from user_recovery_codes where user_id = ${office.userId}`;
    return rows.length;
  };
  expect([await left(), codes.length]).toEqual([10, 10]);
  const [last] = await service.service.parts.users.listPasskeys(office.userId);
  await office.post(`/portal/me/passkeys/${last?.id}/remove`);
  expect(await left()).toBe(0);
  const answer = await postForm(service.origin, '/portal/sign-in', {
    email: office.email,
    password: testPassword,
  });
  expect(answer.location).toBe('/portal');
});

test('a person has at most ten passkeys, also when two are added at once', async () => {
  const { office } = await enrolled();
  for (let no = 2; no < 10; no += 1) await adds(office, { name: `no ${no}` });
  const sessions = [office, await signedIn(office)];
  const answers = await Promise.all(
    sessions.map((one, no) => adds(one, { name: `tenth ${no}` }).then(({ answer }) => answer)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  expect(await passkeysOf(office)).toBe(10);
});

/** Another session of somebody, in by a recovery code that was put there. */
async function signedIn(office: Office): Promise<Office> {
  const waiting = await half(office);
  await service.sql`
    update user_sessions set factor_due = false where user_id = ${office.userId}`;
  return waiting;
}

test.each(['', ' ', 'x'.repeat(101), 'a\u202eb'])(
  'a passkey named %j is not added',
  async (name) => {
    const office = await signIn(service, 'owner');
    const begun = await office.post('/portal/me/passkeys/begin', { name });
    expect(begun.status).toBe(400);
    expect(begun.text).toContain('id="name-fault"');
  },
);

test('the operator takes every factor away from who lost them, and that is told', async () => {
  const { office } = await enrolled();
  await adds(office, { name: 'Segunda' });
  const { base, users } = service.service.parts;
  const user = await users.find(office.email);
  if (!user) throw new Error('no user');
  await removeFactor({ ...base, actor: testOperator }, user, { all: true });
  expect(await passkeysOf(office)).toBe(0);
  expect((await users.find(office.email))?.has_passkey).toBe(false);
  const mails = await service.sql`
    select 1 from mails where recipient = ${office.email} and subject like '%se quitó el segundo%'`;
  expect(mails).toHaveLength(1);
});

test('who adds and removes passkeys is told by mail, and each leaves its event', async () => {
  const { office } = await enrolled();
  const [one] = await service.service.parts.users.listPasskeys(office.userId);
  await office.post(`/portal/me/passkeys/${one?.id}/remove`);
  const mails = await service.sql<{ subject: string }[]>`
    select subject from mails where recipient = ${office.email} order by id`;
  expect(mails.map(({ subject }) => /se (agregó|quitó) la llave/.exec(subject)?.[1])).toEqual([
    'agregó',
    'quitó',
  ]);
  const events = await service.sql<{ type: string }[]>`
    select type from operator_events where entity = 'user'
      and entity_id = ${String(office.userId)} and type like 'user.passkey%' order by id`;
  expect(events.map(({ type }) => type)).toEqual(['user.passkey_added', 'user.passkey_removed']);
});

test('where the address of the service is a number, passkeys are not offered', async () => {
  const bare = await startService({ ROLES: 'payments,web' });
  try {
    const office = await signIn(bare, 'owner');
    expect((await office.get('/portal/me/factor')).text).not.toContain('passkey');
    const begun = await office.post('/portal/me/passkeys/begin', { name: 'x' });
    expect(begun.location).toBe('/portal/me/factor');
  } finally {
    await bare.stop();
  }
});
