import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { removeFactor } from '../../src/users/index.ts';
import { testOperator } from '../harness/actors.ts';
import { createAuthenticator, type Wrong } from '../harness/authenticator.ts';
import {
  type Office,
  officeOf,
  postForm,
  type Shown,
  signIn,
  testPassword,
} from '../harness/portal.ts';
import { type TestService, testAccount } from '../harness/service.ts';
import {
  askedIn,
  cookieIn,
  type PasskeyDesk,
  passkeyDesk,
  startNamedService,
} from './passkey-desk.ts';

vi.setConfig({ testTimeout: 60_000 });

const home = `/portal/${testAccount}`;
let service: TestService;
let desk: PasskeyDesk;

beforeAll(async () => {
  service = await startNamedService();
  desk = passkeyDesk(service);
});
afterAll(() => service?.stop());

test('issues ten recovery codes, only with the first factor', async () => {
  const { office, codes } = await desk.enrolled();
  expect(codes).toHaveLength(10);
  const second = await desk.adds(office, { name: 'Llave USB' });
  expect(second.answer.location).toBe('/portal/me/factor');
  const waiting = await desk.half(office);
  const answer = await waiting.post('/portal/sign-in/code', { code: codes[0] ?? '' });
  expect(answer.status).toBe(303);
});

test('stores recovery codes only as hashes', async () => {
  const { office, codes } = await desk.enrolled();
  const rows = await service.sql<{ hash: Buffer; text: string }[]>`
    select hash, row_to_json(c)::text as text from user_recovery_codes c
    where user_id = ${office.userId}`;
  expect(rows.map(({ hash }) => hash.length)).toEqual(codes.map(() => 32));
  const stored = rows.map(({ text }) => text.toLowerCase()).join('\n');
  for (const code of codes) {
    for (const form of [code, code.replaceAll('-', '')]) {
      expect(stored).not.toContain(form.toLowerCase());
      expect(stored).not.toContain(Buffer.from(form).toString('hex'));
    }
  }
});

test('keeps printed recovery codes when a passkey user adds TOTP', async () => {
  const { office, codes } = await desk.enrolled();
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
  const waiting = await desk.half(office);
  expect((await waiting.post('/portal/sign-in/code', { code: codes[0] ?? '' })).status).toBe(303);
});

test('keeps recovery codes issued while a passkey is being added', async () => {
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
    // Simulates another tab that has just confirmed TOTP.
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

test('opens the waiting session with a passkey, under a new secret', async () => {
  const { office, key } = await desk.enrolled();
  const waiting = await desk.half(office);
  expect(await desk.isIn(waiting)).toBe(false);
  const answer = await desk.sends(waiting, key.shows(await desk.begins(waiting)));
  const whole = officeOf(service.origin, cookieIn(answer), office);
  expect([answer.status, whole.cookie === waiting.cookie]).toEqual([303, false]);
  expect([await desk.isIn(whole), await desk.isIn(waiting)]).toEqual([true, false]);
});

test('does not accept a code of an unconfirmed TOTP secret', async () => {
  const { office } = await desk.enrolled();
  await office.post('/portal/me/factor/begin');
  const { text } = await office.get('/portal/me/factor');
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(' ', '') ?? '';
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const waiting = await desk.half(office);
  expect((await waiting.post('/portal/sign-in/code', { code })).status).toBe(403);
  expect(await desk.isIn(waiting)).toBe(false);
});

const other = createAuthenticator('http://localhost');

test.each<[string, Wrong]>([
  ['of another site', { origin: 'https://evil.example' }],
  ['of another port', { origin: 'http://localhost:1' }],
  ['for another host', { rpId: 'evil.example' }],
  ['without user presence', { present: false }],
  ['without user verification', { verified: false }],
  ['of another kind', { type: 'webauthn.create' }],
  ['to another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ['by another key', { key: other }],
])('refuses an answer %s, and consumes its challenge', async (_what, wrong) => {
  const { office, key } = await desk.enrolled();
  const waiting = await desk.half(office);
  const asked = await desk.begins(waiting);
  expect((await desk.sends(waiting, key.shows(asked, wrong))).status).toBe(403);
  expect(await desk.isIn(waiting)).toBe(false);
  // The right response to an earlier challenge is refused too.
  expect((await desk.sends(waiting, key.shows(asked))).status).toBe(403);
  expect((await desk.sends(waiting, key.shows(await desk.begins(waiting)))).status).toBe(303);
  await desk.forgiveTries();
});

test.each<[string, Wrong]>([
  ['of another site', { origin: 'https://evil.example' }],
  ['for another host', { rpId: 'evil.example' }],
  ['without user verification', { verified: false }],
  ['of another kind', { type: 'webauthn.get' }],
  ['to another challenge', { challenge: 'AAAA' }],
])('refuses to add a passkey %s', async (_what, wrong) => {
  const office = await signIn(service, 'owner');
  const { answer } = await desk.adds(office, { wrong });
  expect([answer.status, await desk.passkeysOf(office)]).toEqual([400, 0]);
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
])('counts a malformed answer as a wrong one: $0', async (text) => {
  const { office } = await desk.enrolled();
  const waiting = await desk.half(office);
  await desk.begins(waiting);
  expect((await desk.sends(waiting, text)).status).toBe(403);
  const added = await office.post('/portal/me/passkeys/begin', { name: 'x' });
  expect(added.status).toBe(200);
  const answer = await office.post('/portal/me/passkeys', { name: 'x', answer: text });
  expect([answer.status, await desk.passkeysOf(office)]).toEqual([400, 1]);
  await desk.forgiveTries();
});

test('accepts an answer once, even when sent twice at once', async () => {
  const { office, key } = await desk.enrolled();
  const waiting = await desk.half(office);
  const answer = key.shows(await desk.begins(waiting));
  const both = await Promise.all([desk.sends(waiting, answer), desk.sends(waiting, answer)]);
  expect(both.filter((one) => cookieIn(one) !== '')).toHaveLength(1);
  const again = await desk.half(office);
  await desk.begins(again);
  expect((await desk.sends(again, answer)).status).toBe(403);
});

test('accepts a challenge only in its session, for its purpose, and if it is the latest', async () => {
  const { office, key } = await desk.enrolled();
  const [one, two] = [await desk.half(office), await desk.half(office)];
  const asked = await desk.begins(one);
  await desk.begins(two);
  expect((await desk.sends(two, key.shows(asked))).status).toBe(403);
  expect((await desk.sends(one, key.shows(asked))).status).toBe(303);
  const toAdd = askedIn(await office.post('/portal/me/passkeys/begin', { name: 'x' }));
  const shown = key.shows({ challenge: toAdd.challenge, rpId: 'localhost' });
  expect((await desk.sends(office, shown, '/portal/confirm/passkey')).status).toBe(403);
  const first = await desk.begins(office, '/portal/confirm/passkey');
  await desk.begins(office, '/portal/confirm/passkey');
  const late = await desk.sends(office, key.shows(first), '/portal/confirm/passkey');
  expect(late.status).toBe(403);
});

test('expires a challenge after five minutes', async () => {
  const { office, key } = await desk.enrolled();
  const waiting = await desk.half(office);
  const asked = await desk.begins(waiting);
  await service.sql`update user_challenges set expires_at = expires_at - interval '5 minutes'`;
  expect((await desk.sends(waiting, key.shows(asked))).status).toBe(403);
});

test('refuses another person’s passkey', async () => {
  const [one, another] = [await desk.enrolled(), await desk.enrolled()];
  const waiting = await desk.half(one.office);
  const answer = await desk.sends(waiting, another.key.shows(await desk.begins(waiting)));
  expect([answer.status, await desk.isIn(waiting)]).toEqual([403, false]);
  const taken = await desk.adds(another.office, { key: one.key });
  expect([taken.answer.status, await desk.passkeysOf(another.office)]).toEqual([409, 1]);
});

test('refuses, records and reports a cloned passkey, whose counter does not grow', async () => {
  const { office, key } = await desk.enrolled();
  const first = await desk.half(office);
  expect(
    (await desk.sends(first, key.shows(await desk.begins(first), { counter: 9 }))).status,
  ).toBe(303);
  for (const counter of [9, 8, 0]) {
    const waiting = await desk.half(office);
    const answer = await desk.sends(waiting, key.shows(await desk.begins(waiting), { counter }));
    expect([counter, answer.status, await desk.isIn(waiting)]).toEqual([counter, 403, false]);
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

test('accepts an authenticator whose counter stays at zero, more than once', async () => {
  const office = await signIn(service, 'owner');
  const { key } = await desk.adds(office, { wrong: { counter: 0 } });
  for (let time = 0; time < 2; time += 1) {
    const waiting = await desk.half(office);
    const answer = await desk.sends(waiting, key.shows(await desk.begins(waiting), { counter: 0 }));
    expect(answer.status).toBe(303);
  }
});

test('proves identity with a passkey, and refuses the password alone once there is one', async () => {
  const { office, key } = await desk.enrolled();
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

test('requires a fresh proof to add or remove a passkey', async () => {
  const { office } = await desk.enrolled();
  await service.sql`
    update user_sessions set proved_at = proved_at - interval '11 minutes'
    where user_id = ${office.userId}`;
  const [one] = await service.service.parts.users.listPasskeys(office.userId);
  for (const path of ['begin', `${one?.id}/remove`]) {
    const { location } = await office.post(`/portal/me/passkeys/${path}`, { name: 'x' });
    expect(location).toMatch(/^\/portal\/confirm/);
  }
  expect(await desk.passkeysOf(office)).toBe(1);
});

test('lets users remove only their own passkeys, and drops recovery codes with the last factor', async () => {
  const { office, codes } = await desk.enrolled();
  const stranger = await signIn(service, 'owner');
  const [one] = await service.service.parts.users.listPasskeys(office.userId);
  for (const id of [one?.id, '1e300', '-1', 'x', '9'.repeat(30)]) {
    expect((await stranger.post(`/portal/me/passkeys/${id}/remove`)).status).toBe(303);
  }
  expect(await desk.passkeysOf(office)).toBe(1);
  const { key } = await desk.adds(office, { name: 'Segunda' });
  await office.post(`/portal/me/passkeys/${one?.id}/remove`);
  const waiting = await desk.half(office);
  expect((await desk.sends(waiting, key.shows(await desk.begins(waiting)))).status).toBe(303);
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

test('limits a person to ten passkeys, even when two are added at once', async () => {
  const { office } = await desk.enrolled();
  for (let no = 2; no < 10; no += 1) await desk.adds(office, { name: `no ${no}` });
  const sessions = [office, await signedIn(office)];
  const answers = await Promise.all(
    sessions.map((one, no) => desk.adds(one, { name: `tenth ${no}` }).then(({ answer }) => answer)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  expect(await desk.passkeysOf(office)).toBe(10);
});

/** Opens a second session, and lifts its need for a second factor by SQL. */
async function signedIn(office: Office): Promise<Office> {
  const waiting = await desk.half(office);
  await service.sql`
    update user_sessions set factor_due = false where user_id = ${office.userId}`;
  return waiting;
}

test.each(['', ' ', 'x'.repeat(101), 'a\u202eb'])('refuses a passkey named %j', async (name) => {
  const office = await signIn(service, 'owner');
  const begun = await office.post('/portal/me/passkeys/begin', { name });
  expect(begun.status).toBe(400);
  expect(begun.text).toContain('id="name-fault"');
});

test('lets the operator remove every factor of a user who lost them, with a notice', async () => {
  const { office } = await desk.enrolled();
  await desk.adds(office, { name: 'Segunda' });
  const { base, users } = service.service.parts;
  const user = await users.find(office.email);
  if (!user) throw new Error('no user');
  await removeFactor({ ...base, actor: testOperator }, user, { all: true });
  expect(await desk.passkeysOf(office)).toBe(0);
  expect((await users.find(office.email))?.has_passkey).toBe(false);
  const mails = await service.sql`
    select 1 from mails where recipient = ${office.email} and subject like '%se quitó el segundo%'`;
  expect(mails).toHaveLength(1);
});

test('e-mails and logs each added and removed passkey', async () => {
  const { office } = await desk.enrolled();
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
