import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { releaseUser } from '../../src/users/index.ts';
import { testOperator } from '../harness/actors.ts';
import { postForm, signIn, testPassword } from '../harness/portal.ts';
import { startService, type TestService } from '../harness/service.ts';

vi.setConfig({ testTimeout: 120_000 });

let service: TestService;
beforeAll(async () => {
  // An attempt costs a password hash, so the limits are low: three per network, fifteen per person.
  service = await startService({ ROLES: 'payments,web', TRUST_PROXY: '1', SIGN_IN_TRIES: '3' });
});
afterAll(() => service.stop());

/** Tries to sign in from this IP address, with a device's cookie if one is given. */
const triesFrom = (address: string, email: string, password: string, device = '') =>
  postForm(
    service.origin,
    '/portal/sign-in',
    { email, password },
    { 'x-forwarded-for': address, ...(device && { cookie: device }) },
  );

test('limits attempts from one network without locking the user out elsewhere or on a known device', async () => {
  const { email } = await signIn(service, 'owner');
  const first = await triesFrom('198.51.100.1', email, testPassword);
  const device = first.headers.getSetCookie().find((one) => one.startsWith('recaudo_device='));
  expect(device).toMatch(
    /^recaudo_device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
  );
  for (let no = 0; no < 4; no += 1) await triesFrom('203.0.113.7', email, 'x');
  expect((await triesFrom('203.0.113.7', email, testPassword)).status).toBe(429);
  expect((await triesFrom('198.51.100.2', email, testPassword)).status).toBe(303);
  // After attempts from many networks, only a known device gets in, from any network, within a
  // limit.
  for (let network = 0; network < 5; network += 1) {
    const from = `203.0.113.${100 + network}`;
    await Promise.all(Array.from({ length: 3 }, () => triesFrom(from, email, 'x')));
  }
  expect((await triesFrom('198.51.100.3', email, testPassword)).status).toBe(429);
  const cookie = device?.split(';')[0] ?? '';
  expect((await triesFrom('203.0.113.7', email, testPassword, cookie)).status).toBe(303);
  const known = Array.from({ length: 4 }, () => triesFrom('203.0.113.7', email, 'x', cookie));
  expect(
    (await Promise.all(known))
      .map(({ status }) => status)
      .sort()
      .at(-1),
  ).toBe(429);
  // The device of one person does not work for another.
  const other = await signIn(service, 'owner');
  for (let no = 0; no < 3; no += 1) await triesFrom('203.0.113.9', other.email, 'x');
  expect((await triesFrom('203.0.113.9', other.email, testPassword, cookie)).status).toBe(429);
});

test('unlocks a user through an operator or a password reset', async () => {
  const { users } = service.service.parts;
  const locked = async () => {
    const office = await signIn(service, 'owner');
    for (let no = 0; no < 4; no += 1) await triesFrom('203.0.113.20', office.email, 'x');
    expect((await triesFrom('203.0.113.20', office.email, testPassword)).status).toBe(429);
    // Lifts the lock of the network, so that only the lock of the person remains.
    await service.sql`delete from user_tries where person is null`;
    return office;
  };
  const one = await locked();
  const user = await users.find(one.email);
  if (!user) throw new Error('no user');
  const acting = { ...service.service.parts.base, actor: testOperator };
  expect(await releaseUser(acting, user)).toBe(true);
  expect(await releaseUser(acting, user)).toBe(false);
  expect((await triesFrom('203.0.113.20', one.email, testPassword)).status).toBe(303);
  const two = await locked();
  expect(await users.askReset({ email: two.email, network: '198.51.100.9' })).toBe(null);
  const link = await vi.waitFor(async () => {
    const [row] = await service.sql<{ id: number }[]>`
      select id from user_links where user_id = ${two.userId} and kind = 'reset'`;
    if (!row) throw new Error('no link yet');
    return row;
  });
  const key = { accountId: '00000000', id: link.id, no: 1 };
  const password = 'otra-rosa-de-los-vientos';
  await users.useLink({ key, kind: 'reset', password, network: 'test' });
  expect((await triesFrom('203.0.113.20', two.email, password)).status).toBe(303);
});
