import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProvider } from '../../src/users/provider/provider.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import {
  type Openid,
  openidClient,
  openTab,
  startOpenid,
  type Tab,
  type Twist,
} from '../harness/openid.ts';
import { postForm, testPassword } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let openid: Openid;
let service: TestService;
let made = 0;

beforeAll(async () => {
  openid = await startOpenid();
  service = await startService({
    ROLES: 'payments,web',
    ...openid.env,
    OIDC_ONLY: 'true',
    OIDC_EMAIL_DOMAINS: 'coop.example',
  });
});
afterAll(async () => {
  await service.stop();
  await openid.stop();
});

const tab = (): Tab => openTab(service.origin);
const faultOf = (location: string) => new URL(location, service.origin).searchParams.get('refused');

/**
 * Invites a person to the account. Returns the user's id, the link's token and the provider's
 * claims.
 */
async function invited(domain = 'coop.example') {
  made += 1;
  const email = `eva-${made}@${domain}`;
  const { users, links } = service.service.parts;
  const account = { id: testAccount, name: 'Coop' };
  const to = { account, role: 'collections', granting: null } as const;
  const asked = { email, name: 'Eva', lang: 'es', to, serviceRole: null } as const;
  const { id } = await users.invite(testOperator, asked);
  const [link] = await service.sql<{ id: number }[]>`
    select id from user_links where user_id = ${id}`;
  const key = { accountId: testAccount, id: link?.id ?? 0, no: 1 };
  const claims = { sub: `subject ${made}`, email, email_verified: true };
  return { id, token: links.tokenOf(key, 'invitation'), claims };
}

test('refuses passwords, and shows no field for one, if only the provider signs people in', async () => {
  const email = 'ana@coop.example';
  await service.service.parts.users.create(testOperator, {
    email,
    name: 'Ana',
    lang: 'es',
    password: testPassword,
    serviceRole: null,
    membership: { accountId: testAccount, role: 'owner' },
  });
  const page = await tab().get('/portal/sign-in');
  expect(page.text).not.toContain('type="password"');
  const posted = await postForm(service.origin, '/portal/sign-in', {
    email,
    password: testPassword,
  });
  expect([posted.status, posted.headers.get('set-cookie')]).toEqual([403, null]);
  expect((await tab().get('/portal/forgot')).location).toBe('/portal/sign-in');
  const asked = await postForm(service.origin, '/portal/forgot', { email });
  expect(asked.location).toBe('/portal/sign-in');
  expect(await service.sql`select 1 from user_links where kind = 'reset'`).toEqual([]);
  openid.knows({ sub: 'ana', email, email_verified: true });
  const one = tab();
  await one.signsIn();
  expect((await one.get('/portal/me')).text).not.toContain('type="password"');
  expect((await one.get('/portal/confirm')).text).not.toContain('type="password"');
});

test('accepts an invitation once through the provider, without a password', async () => {
  const { id, token, claims } = await invited();
  openid.knows(claims);
  expect(faultOf((await tab().signsIn()).location)).toBe('invited');
  const at = `/portal/provider/invitations/${token}`;
  const page = await tab().get(`/portal/invitations/${token}`);
  expect(page.text).toContain(`href="${at}"`);
  expect(page.text).not.toContain('type="password"');
  openid.knows({ ...claims, email: 'someone-else@coop.example' });
  expect(faultOf((await tab().signsIn('/portal', at)).location)).toBe('another');
  openid.knows(claims, { claims: { email_verified: false } });
  expect(faultOf((await tab().signsIn('/portal', at)).location)).toBe('unverified');
  openid.knows(claims);
  const one = tab();
  const [first, second] = [await one.asks('/portal', at), await one.asks('/portal', at)];
  const ended = await Promise.all([one.get(first), one.get(second)]);
  expect(ended.map(({ location }) => faultOf(location)).toSorted()).toEqual(
    [null, 'lapsed'].toSorted(),
  );
  expect((await one.get(`/portal/${testAccount}`)).status).toBe(200);
  const [user] = await service.sql`
    select state, password_hash from users where id = ${id}`;
  expect(user).toEqual({ state: 'active', password_hash: null });
  expect(faultOf((await tab().signsIn('/portal', at)).location)).toBe('lapsed');
});

test('lets a user without a password sign in again after a suspension', async () => {
  const { id, token, claims } = await invited();
  openid.knows(claims);
  await tab().signsIn('/portal', `/portal/provider/invitations/${token}`);
  const { base } = service.service.parts;
  const { setStanding } = await import('../../src/users/index.ts');
  const acting = { ...base, actor: testOperator };
  await setStanding(acting, { userId: id, to: 'suspended' });
  expect(faultOf((await tab().signsIn()).location)).toBe('suspended');
  await setStanding(acting, { userId: id, to: 'active' });
  expect((await tab().signsIn('/portal/me')).location).toBe('/portal/me');
});

test('does not link an address in a domain that the provider does not vouch for', async () => {
  const { token, claims } = await invited('gmail.example');
  openid.knows(claims);
  const ended = await tab().signsIn('/portal', `/portal/provider/invitations/${token}`);
  expect(faultOf(ended.location)).toBe('unknown');
  expect(faultOf((await tab().signsIn()).location)).toBe('unknown');
});

const settings = () => ({
  issuer: openid.issuer,
  clientId: openidClient.id,
  clientSecret: openidClient.secret,
  name: 'Padrón',
  domains: null,
  factorValues: [],
});
const short = { discoverMs: 300, exchangeMs: 300, signOutMs: 300 };
const reader = { lang: 'es', email: null } as const;
const purpose = { purpose: 'sign-in', invitation: '', next: '/portal' } as const;

test.each(['/.well-known/openid-configuration', '/token', '/keys'])(
  'times out if the provider does not answer at %s',
  async (slow) => {
    const { base } = service.service.parts;
    const provider = createProvider(base, settings(), 'http://localhost/back', short);
    openid.knows({ sub: 'ana' }, { slow });
    const ends = async (): Promise<unknown> => {
      const { to, flow } = await provider.begin(purpose, reader);
      const { headers } = await fetch(to, { redirect: 'manual' });
      const { searchParams } = new URL(headers.get('location') ?? '');
      return await provider.claimsOf(flow, searchParams, '10.0.0.1');
    };
    await expect(ends()).rejects.toMatchObject({ fault: 'unreachable' });
  },
);

test('refuses a provider whose discovery document names another issuer', async () => {
  const { base } = service.service.parts;
  const provider = createProvider(base, settings(), 'http://localhost/back', short);
  openid.knows({ sub: 'ana' }, { issuer: 'https://evil.example' });
  await expect(provider.begin(purpose, reader)).rejects.toMatchObject({ fault: 'invalid' });
});

test('reports an unreachable provider when a sign-in begins', async () => {
  const gone = await startOpenid();
  await gone.stop();
  const { base } = service.service.parts;
  const there = { ...settings(), issuer: gone.issuer };
  const provider = createProvider(base, there, 'http://localhost/back', short);
  await expect(provider.begin(purpose, reader)).rejects.toMatchObject({ fault: 'unreachable' });
});

test.each<[string, Twist, string | null]>([
  ['an endpoint', { discovery: { end_session_endpoint: 'http://127.0.0.1/out?x=1' } }, 'x=1&'],
  ['no endpoint', {}, null],
  ['a script', { discovery: { end_session_endpoint: 'javascript:alert(1)' } }, null],
  ['no answer', { broken: '/.well-known/openid-configuration' }, null],
])(
  'links to a provider’s sign-out page only if discovery has a safe one: %s',
  async (_, twist, start) => {
    const { base } = service.service.parts;
    const provider = createProvider(base, settings(), 'http://localhost/back', short);
    openid.knows({ sub: 'ana' }, twist);
    const rest = new URLSearchParams({
      client_id: openidClient.id,
      post_logout_redirect_uri: 'http://localhost/portal/sign-in',
      ui_locales: 'es',
    });
    const address = start === null ? null : `http://127.0.0.1/out?${start}${rest}`;
    expect(await provider.signOutAt(reader)).toBe(address);
  },
);

test('gives up quickly on the sign-out page of a provider that does not answer', async () => {
  const { base } = service.service.parts;
  const deadlines = { ...short, discoverMs: 20_000, signOutMs: 20 };
  const provider = createProvider(base, settings(), 'http://localhost/back', deadlines);
  openid.knows({ sub: 'ana' }, { slow: '/.well-known/openid-configuration' });
  const begun = performance.now();
  expect(await provider.signOutAt(reader)).toBe(null);
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test('reports in doctor whether users can sign in through the provider', async () => {
  const env = { DATABASE_URL: service.databaseUrl, PUBLIC_URL: 'https://pagos.example.com' };
  const look = async (twist: Twist, more: Record<string, string> = {}) => {
    openid.knows({ sub: 'ana' }, twist);
    const { stdout } = await recaudo(['doctor', '--json'], { ...env, ...openid.env, ...more });
    const findings = JSON.parse(stdout) as { what: string; state: string; found: string }[];
    const { state, found } = findings.find(({ what }) => what === 'sign-in') ?? {};
    return [state, found];
  };
  expect(await look({})).toEqual([
    'ok',
    `${openid.issuer} answers; register the redirect URI https://pagos.example.com/portal/provider/callback`,
  ]);
  expect((await look({ issuer: 'https://evil.example' }))[0]).toBe('broken');
  expect((await look({ broken: '/.well-known/openid-configuration' }))[0]).toBe('broken');
  expect((await look({ broken: '/keys' }))[0]).toBe('broken');
  expect(await look({ empty: true })).toEqual(['broken', `${openid.issuer}/keys has no key`]);
  expect(await look({ plain: true })).toEqual(['look', 'the provider does not list PKCE (S256)']);
  expect(await look({ discovery: { claims_supported: ['sub', 'email'] } })).toEqual([
    'look',
    'the provider does not list the claim email_verified',
  ]);
});
