import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { type Openid, openTab, startOpenid, type Tab, type Twist } from '../harness/openid.ts';
import { officeOf, postForm, testPassword } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let openid: Openid;
let service: TestService;
let made = 0;

beforeAll(async () => {
  openid = await startOpenid();
  service = await startService({ ROLES: 'payments,web', ...openid.env, OIDC_FACTOR_VALUES: 'mfa' });
});
afterAll(async () => {
  await service.stop();
  await openid.stop();
});
beforeEach(() => service.sql`delete from user_tries`);

interface Person {
  id: number;
  sub: string;
  email: string;
  email_verified: true;
}

/** Creates an owner of the account. Also returns claims for the provider. */
async function person(): Promise<Person> {
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
  return { id, sub: `subject ${made}`, email, email_verified: true };
}

const known = ({ id: _, ...claims }: Person) => claims;
const tab = (): Tab => openTab(service.origin);
const home = `/portal/${testAccount}`;
const faultOf = (location: string) => new URL(location, service.origin).searchParams.get('refused');
const eventsOf = (id: number) => service.sql<{ type: string; data: Record<string, unknown> }[]>`
  select type, data from operator_events where entity_id = ${String(id)} order by id`;
const ages = (minutes: number, id: number) => service.sql`
  update user_sessions set proved_at = now() - make_interval(mins => ${minutes})
  where user_id = ${id}`;

test('signs in and links a user by the provider’s verified address, in any letter case', async () => {
  const ana = await person();
  openid.knows({ ...known(ana), email: ana.email.toUpperCase() });
  const page = await tab().get('/portal/sign-in');
  expect(page.text).toContain('href="/portal/provider?next=%2Fportal"');
  expect(page.text).toContain('Ingresar con Padrón');
  const one = tab();
  const ended = await one.signsIn(`${home}/requests?state=paid`);
  expect([ended.status, ended.location]).toEqual([303, `${home}/requests?state=paid`]);
  expect([...one.cookies.keys()]).toEqual(['recaudo_session']);
  expect((await one.get(home)).status).toBe(200);
  const events = await eventsOf(ana.id);
  expect(events.map(({ type }) => type)).toEqual([
    'user.created',
    'user.provider_linked',
    'user.signed_in',
  ]);
  expect(events.at(-1)?.data).toMatchObject({ provider: openid.issuer, factor_due: false });
});

test('sends PKCE, state, nonce and a fixed redirect URI to the provider', async () => {
  const begun = await tab().get('/portal/provider?next=/portal&redirect_uri=https://evil.example');
  const { origin, searchParams } = new URL(begun.location);
  expect(origin).toBe(openid.issuer);
  const drawn = /^[\w-]{43}$/;
  expect(Object.fromEntries(searchParams)).toEqual({
    response_type: 'code',
    client_id: 'recaudo',
    redirect_uri: `${service.origin}/portal/provider/callback`,
    scope: 'openid email',
    state: expect.stringMatching(drawn),
    nonce: expect.stringMatching(drawn),
    code_challenge: expect.stringMatching(drawn),
    code_challenge_method: 'S256',
    ui_locales: 'es',
    max_age: '43200',
  });
  expect(begun.headers.get('set-cookie')).toMatch(
    /^recaudo_provider_[\w-]{43}=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
  );
});

const seconds = () => Math.floor(Date.now() / 1000);
test.each<[string, () => Twist]>([
  ['another nonce', () => ({ claims: { nonce: 'x'.repeat(43) } })],
  ['no nonce', () => ({ claims: { nonce: undefined } })],
  ['another issuer in the token', () => ({ claims: { iss: 'https://evil.example' } })],
  ['another issuer in the callback', () => ({ callback: { iss: 'https://evil.example' } })],
  ['no issuer in the callback', () => ({ callback: { iss: undefined } })],
  ['another audience', () => ({ claims: { aud: 'another' } })],
  ['an audience for another party', () => ({ claims: { aud: ['recaudo', 'b'], azp: 'b' } })],
  ['an expired token', () => ({ claims: { exp: seconds() - 120 } })],
  ['no subject', () => ({ claims: { sub: undefined } })],
  ['a long subject', () => ({ claims: { sub: 'x'.repeat(256) } })],
  ['no signature', () => ({ header: { alg: 'none' }, signs: 'nothing' as const })],
  ['a signature by another key', () => ({ signs: 'wrong' as const })],
  ['an unknown key', () => ({ header: { kid: 'two' }, signs: 'wrong' as const })],
  ['a shared secret as key', () => ({ header: { alg: 'HS256' } })],
  ['another code', () => ({ callback: { code: 'x' } })],
])('refuses an answer with %s', async (_name, twist) => {
  const ana = await person();
  openid.knows(known(ana), twist());
  const one = tab();
  const ended = await one.signsIn();
  expect([faultOf(ended.location), one.cookies.size]).toEqual(['invalid', 0]);
  const page = await one.get(ended.location);
  expect([page.status, page.text.includes('No pudimos verificar la respuesta')]).toEqual([
    403,
    true,
  ]);
  expect(await service.sql`select 1 from user_identities where user_id = ${ana.id}`).toEqual([]);
});

test('tolerates 30 seconds between the provider’s clock and ours', async () => {
  const ana = await person();
  openid.knows(known(ana), { claims: { exp: seconds() - 30, iat: seconds() + 30 } });
  expect((await tab().signsIn(home)).location).toBe(home);
});

test('refuses a callback with an unknown state, or of a sign-in that another browser began', async () => {
  openid.knows(known(await person()));
  const [one, other] = [tab(), tab()];
  const callback = await one.asks();
  expect(faultOf((await other.get(callback)).location)).toBe('lapsed');
  const url = new URL(callback);
  url.searchParams.set('state', 'x'.repeat(43));
  expect(faultOf((await one.get(url.href)).location)).toBe('lapsed');
  for (const bare of ['', '?state=', '?code=1', `?state=${'%00'.repeat(9)}`]) {
    const { location } = await one.get(`/portal/provider/callback${bare}`);
    expect(faultOf(location)).toBe('lapsed');
  }
  expect((await one.get(callback)).location).toBe('/portal');
});

test('accepts a callback once, and redirects to the portal on Back', async () => {
  openid.knows(known(await person()));
  const one = tab();
  const callback = await one.asks(home);
  const kept = new Map(one.cookies);
  expect((await one.get(callback)).location).toBe(home);
  expect((await one.get(callback)).location).toBe('/portal');
  // A copy of the cookie does not help: the provider accepts a code once.
  const copy = tab();
  for (const [name, value] of kept) copy.cookies.set(name, value);
  expect(faultOf((await copy.get(callback)).location)).toBe('invalid');
});

test('signs in from two concurrent tabs, but once from concurrent uses of one callback', async () => {
  const ana = await person();
  openid.knows(known(ana));
  const one = tab();
  const [first, second] = [await one.asks(home), await one.asks('/portal/me')];
  const ended = await Promise.all([one.get(first), one.get(second)]);
  expect(ended.map(({ location }) => location)).toEqual([home, '/portal/me']);
  const links = await service.sql`select 1 from user_identities where user_id = ${ana.id}`;
  expect(links).toHaveLength(1);
  const third = await one.asks(home);
  const twice = await Promise.all([one.get(third), one.get(third)]);
  expect(twice.map(({ location }) => faultOf(location)).sort()).toEqual(['invalid', null].sort());
});

test('limits a browser to four pending sign-ins, each valid for ten minutes', async () => {
  openid.knows(known(await person()));
  const one = tab();
  const callbacks = [];
  for (let no = 0; no < 5; no += 1) callbacks.push(await one.asks());
  expect(one.cookies.size).toBe(1);
  expect(faultOf((await one.get(callbacks[0] ?? '')).location)).toBe('lapsed');
  const [[name = '', text = ''] = []] = [...one.cookies];
  const flow = JSON.parse(Buffer.from(text, 'base64url').toString()) as { beganMs: number };
  const older = { ...flow, beganMs: flow.beganMs - 600_000 };
  one.cookies.set(name, Buffer.from(JSON.stringify(older)).toString('base64url'));
  expect(faultOf((await one.get(callbacks[4] ?? '')).location)).toBe('lapsed');
});

test('redirects only to pages of the portal, whatever the address or the cookie says', async () => {
  openid.knows(known(await person()));
  for (const next of ['//evil.example', 'https://evil.example', '/portal//evil', '/portal\\@x']) {
    expect((await tab().signsIn(next)).location).toBe('/portal');
  }
  const one = tab();
  const callback = await one.asks();
  const [[name = '', text = ''] = []] = [...one.cookies];
  const flow = JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
  const forged = { ...flow, next: 'https://evil.example' };
  one.cookies.set(name, Buffer.from(JSON.stringify(forged)).toString('base64url'));
  expect((await one.get(callback)).location).toBe('/portal');
});

test('never shows text from the provider’s answer or the address', async () => {
  openid.knows(known(await person()), {
    callback: {
      code: undefined,
      error: 'access_denied',
      error_description: '<script>alert(1)</script>',
    },
  });
  const one = tab();
  const ended = await one.signsIn();
  expect(ended.location).toBe('/portal/sign-in?refused=denied&next=%2Fportal');
  const page = await one.get(ended.location);
  expect([page.status, page.text.includes('alert(1)')]).toEqual([403, false]);
  expect(page.text).toContain('No ingresaste en el proveedor');
  const odd = await one.get('/portal/sign-in?refused=%3Cscript%3E');
  expect([odd.status, odd.text.includes('<script>')]).toEqual([200, false]);
});

test.each<[string, Twist]>([
  ['refuses', { callback: { code: undefined, error: '<b>server_error</b>' } }],
  ['answers 500', { broken: '/token' }],
  ['answers too much', { endless: '/token' }],
])('reports the provider as unavailable if it %s', async (_name, twist) => {
  openid.knows(known(await person()), twist);
  const one = tab();
  const ended = await one.signsIn(home);
  expect(ended.location).toBe(
    `/portal/sign-in?refused=unreachable&next=${encodeURIComponent(home)}`,
  );
  const page = await one.get(ended.location);
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
});

test('refuses an unknown person, creates no user, and records the failed sign-in', async () => {
  const before = await service.sql`select count(*) from users`;
  openid.knows({ sub: 'stranger', email: 'stranger@coop.example', email_verified: true });
  expect(faultOf((await tab().signsIn()).location)).toBe('unknown');
  expect(await service.sql`select count(*) from users`).toEqual(before);
  const [access] = await service.sql`
    select kind, user_id, detail from user_accesses order by last_at desc limit 1`;
  expect(access).toEqual({ kind: 'sign_in_failed', user_id: null, detail: 'provider: unknown' });
});

test.each([false, undefined, 'true'])(
  'refuses an address with email_verified = %s',
  async (email_verified) => {
    const ana = await person();
    openid.knows(known(ana), { claims: { email_verified } });
    expect(faultOf((await tab().signsIn()).location)).toBe('unverified');
  },
);

test('refuses a new identity with the address of a user who is already linked', async () => {
  const ana = await person();
  openid.knows(known(ana));
  await tab().signsIn();
  openid.knows({ ...known(ana), sub: 'someone new' });
  expect(faultOf((await tab().signsIn()).location)).toBe('reassigned');
  // The linked person can still sign in, with any address.
  openid.knows({ sub: ana.sub, email: 'new@coop.example', email_verified: true });
  expect((await tab().signsIn(home)).location).toBe(home);
});

test('ends the sessions of a user whom the operator unlinks, then links their new identity', async () => {
  const ana = await person();
  openid.knows(known(ana));
  const one = tab();
  await one.signsIn();
  const env = { DATABASE_URL: service.databaseUrl };
  const unlinked = await recaudo(['users', 'unlink', ana.email, '--json'], env);
  expect(JSON.parse(unlinked.stdout)).toEqual({ email: ana.email, unlinked: 1 });
  expect((await one.get(home)).location).toMatch(/sign-in/);
  openid.knows({ ...known(ana), sub: 'someone new' });
  expect((await tab().signsIn(home)).location).toBe(home);
  const types = (await eventsOf(ana.id)).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith('user.provider')).toSorted()).toEqual([
    'user.provider_linked',
    'user.provider_linked',
    'user.provider_unlinked',
  ]);
});

test('refuses a suspended user, linked or not', async () => {
  const ana = await person();
  openid.knows(known(ana));
  const env = { DATABASE_URL: service.databaseUrl };
  await recaudo(['users', 'suspend', ana.email], env);
  expect(faultOf((await tab().signsIn()).location)).toBe('suspended');
  await recaudo(['users', 'reopen', ana.email], env);
  const one = tab();
  expect((await one.signsIn(home)).location).toBe(home);
  await recaudo(['users', 'suspend', ana.email], env);
  expect((await one.get(home)).location).toMatch(/sign-in/);
  expect(faultOf((await tab().signsIn()).location)).toBe('suspended');
});

test('asks for our second factor, unless the provider vouches for one', async () => {
  const ana = await person();
  await service.sql`
    update users set totp_since = now(), totp_key_id = 'x', totp_ciphertext = 'x'
    where id = ${ana.id}`;
  openid.knows(known(ana));
  const one = tab();
  expect((await one.signsIn(home)).location).toBe(
    `/portal/sign-in/code?next=${encodeURIComponent(home)}`,
  );
  expect((await one.get(home)).location).toMatch(/^\/portal\/sign-in\/code/);
  for (const claims of [{ amr: ['pwd', 'mfa'] }, { acr: 'mfa' }]) {
    openid.knows(known(ana), { claims });
    const other = tab();
    expect((await other.signsIn(home)).location).toBe(home);
    expect((await other.get(home)).status).toBe(200);
  }
});

test('accepts a recent authentication of the same person at the provider as proof of identity', async () => {
  const ana = await person();
  openid.knows(known(ana));
  const one = tab();
  await one.signsIn();
  await ages(11, ana.id);
  const office = officeOf(service.origin, one.cookie(), { userId: ana.id, email: ana.email });
  const act = () => office.post(`${home}/settings/users/new`, {});
  expect((await act()).location).toMatch(/^\/portal\/confirm/);
  expect((await one.get('/portal/confirm')).text).toContain('Confirmar con Padrón');
  const begun = await one.get('/portal/provider/confirm?next=/portal');
  expect(Object.fromEntries(new URL(begun.location).searchParams)).toMatchObject({
    prompt: 'login',
    max_age: '0',
    login_hint: ana.email,
  });
  for (const claims of [{ auth_time: undefined }, { auth_time: seconds() - 660 }]) {
    openid.knows(known(ana), { claims });
    const ended = await one.signsIn('/portal', '/portal/provider/confirm');
    expect(ended.location).toMatch(/^\/portal\/confirm\?refused=stale/);
  }
  const other = await person();
  openid.knows(known(other));
  const foreign = await one.signsIn('/portal', '/portal/provider/confirm');
  expect(foreign.location).toMatch(/^\/portal\/confirm\?refused=another/);
  expect((await act()).location).toMatch(/^\/portal\/confirm/);
  expect(await service.sql`select 1 from user_identities where user_id = ${other.id}`).toEqual([]);
  openid.knows(known(ana), { claims: { auth_time: seconds() + 3_000 } });
  expect((await one.signsIn('/portal/me', '/portal/provider/confirm')).location).toBe('/portal/me');
  expect((await act()).location).toBeNull();
  expect((await eventsOf(ana.id)).at(-1)).toMatchObject({
    type: 'user.proved',
    data: { provider: openid.issuer },
  });
});

test('requires a confirmation before a first second factor if the authentication is an hour old', async () => {
  const ana = await person();
  openid.knows(known(ana), { claims: { auth_time: seconds() - 3_600 } });
  const one = tab();
  await one.signsIn();
  expect((await one.get('/portal/me/factor')).location).toMatch(/^\/portal\/confirm/);
});

test('refuses an authentication older than the requested maximum', async () => {
  const ana = await person();
  openid.knows(known(ana), { claims: { auth_time: seconds() - 13 * 3_600 } });
  expect(faultOf((await tab().signsIn()).location)).toBe('stale');
});

test('refuses the password of a linked user who has no second factor of ours', async () => {
  const ana = await person();
  const byPassword = () =>
    postForm(service.origin, '/portal/sign-in', { email: ana.email, password: testPassword });
  expect((await byPassword()).status).toBe(303);
  openid.knows(known(ana));
  await tab().signsIn();
  expect((await byPassword()).status).toBe(403);
  await service.sql`
    update users set totp_since = now(), totp_key_id = 'x', totp_ciphertext = 'x'
    where id = ${ana.id}`;
  expect((await byPassword()).location).toMatch(/^\/portal\/sign-in\/code/);
});

test('takes no password of a linked user without a second factor of ours as proof', async () => {
  const ana = await person();
  openid.knows(known(ana));
  const one = tab();
  await one.signsIn();
  await ages(11, ana.id);
  const office = officeOf(service.origin, one.cookie(), { userId: ana.id, email: ana.email });
  const page = (await one.get('/portal/confirm')).text;
  expect(page).toContain('Confirmar con Padrón');
  expect(page).not.toContain('type="password"');
  const proof = { password: testPassword, next: home };
  expect((await office.post('/portal/confirm', proof)).status).toBe(403);
  const [session] = await service.sql<{ is_old: boolean }[]>`
    select proved_at < now() - interval '10 minutes' as is_old from user_sessions
    where user_id = ${ana.id}`;
  expect(session).toEqual({ is_old: true });
  await service.sql`delete from user_identities where user_id = ${ana.id}`;
  expect((await one.get('/portal/confirm')).text).toContain('type="password"');
  expect((await office.post('/portal/confirm', proof)).location).toBe(home);
});

test('refuses an address that only looks like the person’s', async () => {
  const ana = await person();
  await service.sql`
    update users set email = 'kevin@coop.example', email_key = 'kevin@coop.example'
    where id = ${ana.id}`;
  openid.knows({ ...known(ana), email: '\u212aevin@coop.example' });
  expect(faultOf((await tab().signsIn()).location)).toBe('unverified');
});

test('opens no session through a link that is removed during the sign-in', async () => {
  const ana = await person();
  openid.knows(known(ana));
  await tab().signsIn();
  const one = tab();
  const ended = await service.sql.begin(async (tx) => {
    await tx`select 1 from users where id = ${ana.id} for update`;
    const signing = one.signsIn();
    await expect
      .poll(
        () => service.sql`
          select 1 from pg_stat_activity
          where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
        { timeout: 20_000 },
      )
      .not.toHaveLength(0);
    await tx`delete from user_identities where user_id = ${ana.id}`;
    return { signing };
  });
  expect(faultOf((await ended.signing).location)).toBe('reassigned');
  expect(one.cookies.has('recaudo_session')).toBe(false);
});

test('does not count a sign-in without an authentication time as a fresh proof', async () => {
  const ana = await person();
  openid.knows(known(ana), { claims: { auth_time: undefined } });
  const one = tab();
  await one.signsIn();
  const office = officeOf(service.origin, one.cookie(), { userId: ana.id, email: ana.email });
  expect((await office.post(`${home}/settings/users/new`, {})).location).toMatch(
    /^\/portal\/confirm/,
  );
  // The first second factor may be added shortly after any sign-in, and proves later acts.
  expect((await one.get('/portal/me/factor')).status).toBe(200);
  await service.sql`update user_sessions set created_at = created_at - interval '11 minutes'`;
  expect((await one.get('/portal/me/factor')).location).toMatch(/^\/portal\/confirm/);
});

test('asks for the second factor after a confirmation without one', async () => {
  const ana = await person();
  openid.knows(known(ana), { claims: { amr: ['mfa'] } });
  const one = tab();
  await one.signsIn();
  await service.sql`
    update users set totp_since = now(), totp_key_id = 'x', totp_ciphertext = 'x'
    where id = ${ana.id}`;
  openid.knows(known(ana));
  const ended = await one.signsIn('/portal/me', '/portal/provider/confirm');
  expect(ended.location).toBe('/portal/sign-in/code?next=%2Fportal%2Fme');
  expect((await one.get(home)).location).toMatch(/^\/portal\/sign-in\/code/);
});

test('limits a network’s failed sign-ins, and does not count successful ones', async () => {
  const ana = await person();
  openid.knows(known(ana));
  for (let no = 0; no < 3; no += 1) await tab().signsIn();
  const [row] = await service.sql<{ tries: number }[]>`select tries from user_tries`;
  expect(row?.tries).toBe(0);
  await service.sql`update user_tries set tries = 50`;
  const calls = openid.calls.length;
  const one = tab();
  const ended = await one.signsIn();
  expect(faultOf(ended.location)).toBe('busy');
  expect(openid.calls.slice(calls)).not.toContain('/token');
  expect((await one.get(ended.location)).status).toBe(429);
});
