import { afterAll, beforeAll, expect, test } from 'vitest';
import { recaudo } from '../cli/run.ts';
import { officeOf, postForm, type Shown, signIn, testPassword } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  // Hashes cost as much here as in the product.
  service = await startService({ ROLES: 'payments,web' }, undefined, {});
});
afterAll(() => service.stop());

const tries = (email: string, password: string, more: Record<string, string> = {}) =>
  postForm(service.origin, '/portal/sign-in', { email, password, ...more });

const cookieOf = ({ headers }: Shown): string => headers.getSetCookie()[0] ?? '';

test('signs in the demo user of a new sandbox with the printed password', async () => {
  const { demo } = service.service;
  if (!demo?.user) throw new Error('no demo user');
  const answer = await tries(demo.user.email, demo.user.password);
  expect([answer.status, answer.location]).toEqual([303, '/portal']);
  const cookie = cookieOf(answer);
  expect(cookie).toMatch(/^recaudo_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  const office = officeOf(service.origin, cookie.split(';')[0] ?? '', { userId: 0, email: '' });
  expect((await office.get('/portal')).location).toBe(`/portal/${testAccount}`);
  expect((await office.get(`/portal/${testAccount}`)).text).toContain('Cooperativa');
});

test('stores no session secret, and only an argon2id hash of a password', async () => {
  const office = await signIn(service, 'owner');
  const secret = office.cookie.split('=')[1] ?? '';
  const [row] = await service.sql<{ text: string; password_hash: string }[]>`
    select row_to_json(s)::text as text, password_hash
    from user_sessions s join users u on u.id = s.user_id where s.user_id = ${office.userId}`;
  expect(row?.text).not.toContain(secret);
  expect(row?.text).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
  expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('answers a wrong password and an unknown address alike', async () => {
  const { email } = await signIn(service, 'owner');
  const [wrong, unknown] = [await tries(email, 'x'), await tries('nobody@example.com', 'x')];
  expect(wrong.status).toBe(403);
  expect(wrong.text.replace(email, 'nobody@example.com')).toBe(unknown.text);
  expect(unknown.status).toBe(403);
});

test.each(['known', 'unknown'])(
  'allows ten attempts from one network for an address that is %s, then delays',
  async (kind) => {
    const email = kind === 'known' ? (await signIn(service, 'owner')).email : 'none@example.com';
    const answers = await Promise.all(Array.from({ length: 12 }, () => tries(email, 'x')));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(10).fill(403),
      ...Array(2).fill(429),
    ]);
    const late = await tries(email, testPassword);
    expect([late.status, cookieOf(late)]).toEqual([429, '']);
    expect(late.text).toContain('Probá de nuevo en 30 minutos');
    const seconds = Number(late.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(29 * 60 - 1);
    expect(seconds).toBeLessThanOrEqual(30 * 60);
  },
);

test('ends a session after 15 idle minutes or 12 hours', async () => {
  const office = await signIn(service, 'owner');
  const status = async () => (await office.get(`/portal/${testAccount}`)).status;
  const move = (column: string, minutes: number) => service.sql`
    update user_sessions set ${service.sql(column)} = ${service.sql(column)}
      - make_interval(mins => ${minutes}) where user_id = ${office.userId}`;
  await move('seen_at', 14);
  expect(await status()).toBe(200);
  await move('seen_at', 16);
  expect(await status()).toBe(303);
  const other = await signIn(service, 'owner');
  await service.sql`
    update user_sessions set created_at = created_at - interval '12 hours 1 second'
    where user_id = ${other.userId}`;
  expect((await other.get(`/portal/${testAccount}`)).status).toBe(303);
});

test('signs a user out for good, even with the same cookie', async () => {
  const office = await signIn(service, 'owner');
  const answer = await office.post('/portal/sign-out');
  expect([answer.status, cookieOf(answer)]).toEqual([303, expect.stringContaining('Max-Age=0')]);
  expect((await office.get(`/portal/${testAccount}`)).location).toMatch(/sign-in/);
});

test('lets an operator end a person’s sessions by command, after which they can sign in again', async () => {
  const office = await signIn(service, 'owner');
  const { email, userId } = office;
  await tries(email, testPassword);
  const env = { DATABASE_URL: service.databaseUrl };
  const ended = await recaudo(['users', 'sign-out', email, '--json'], env);
  expect(JSON.parse(ended.stdout)).toMatchObject({ email, sessions: 2 });
  expect((await office.get(`/portal/${testAccount}`)).location).toMatch(/sign-in/);
  expect((await tries(email, testPassword)).status).toBe(303);
  const events = await service.sql`
    select data from operator_events
    where entity_id = ${String(userId)} and type = 'user.signed_out'`;
  expect(events).toEqual([{ data: { sessions: 2 } }]);
});

test.each([
  ['sec-fetch-site', 'cross-site'],
  ['sec-fetch-site', 'same-site'],
  ['origin', 'https://evil.example'],
])('refuses a sign-in form from another site, with the header %s: %s', async (name, value) => {
  const { email } = await signIn(service, 'owner');
  const sent = (headers: Record<string, string>) =>
    postForm(service.origin, '/portal/sign-in', { email, password: testPassword }, headers);
  const forged = await sent({ [name]: value });
  expect([forged.status, cookieOf(forged)]).toEqual([403, '']);
  expect((await sent({})).status).toBe(303);
});

test('redirects to our own pages after sign-in, never to another site', async () => {
  const { email } = await signIn(service, 'owner');
  const next = async (to: string) => (await tries(email, testPassword, { next: to })).location;
  const page = `/portal/${testAccount}/requests?state=paid&page=2`;
  expect(await next(page)).toBe(page);
  for (const to of [
    '//evil.example',
    'https://evil.example',
    '/portal//evil.example',
    '/portal\\@x',
  ])
    expect(await next(to)).toBe('/portal');
});

test('varies form tokens in each answer, and sends browser policies', async () => {
  const office = await signIn(service, 'owner');
  const token = ({ text }: Shown) => /name="token" value="([\w-]+)"/.exec(text)?.[1];
  const [one, other] = [
    await office.get(`/portal/${testAccount}`),
    await office.get(`/portal/${testAccount}`),
  ];
  expect(token(one)).not.toBe(token(other));
  const policy = one.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("form-action 'self'");
  expect(policy).toContain("default-src 'none'");
  expect(one.headers.get('cache-control')).toBe('no-store');
});
