import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { isAccountAct, mayDo } from '../../src/users/index.ts';
import { testOperator } from '../harness/actors.ts';
import { type Office, postForm, type Shown, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type ActRoute, actRoutes, addressOf } from './routes.ts';

const roles = [
  'owner',
  'administrator',
  'collections',
  'treasury',
  'read_only',
  'operator',
  'operator_read_only',
] as const;

const stranger = 'B1B2C3D4';
let service: TestService;
let offices: Record<(typeof roles)[number], Office>;

beforeAll(async () => {
  // Thousands of calls come from a single address here.
  service = await startService({ ROLES: 'payments,web', STRANGER_RATE: '0' });
  const acting = { ...service.service.parts.base, actor: testOperator };
  await createAccount(acting, { id: stranger, name: 'Otra', cuit: '30999999995', city: 'Salta' });
  const signed = [];
  for (const role of roles) signed.push([role, await signIn(service, role)] as const);
  offices = Object.fromEntries(signed) as typeof offices;
});
afterAll(() => service.stop());

const title = ({ text }: Shown): string => /<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? '';
const callOf = (office: Office, route: ActRoute, address: string): Promise<Shown> =>
  route.method === 'GET' ? office.get(address) : office.post(address);

const routes = actRoutes();
const table = routes.map((route) => [`${route.method} ${addressOf(route)}`, route] as const);

test.each(table)('admits to %s only the roles in the table of acts', async (_, route) => {
  for (const role of roles) {
    const answer = await callOf(offices[role], route, addressOf(route));
    const serves = role === 'operator' || role === 'operator_read_only';
    const refused =
      isAccountAct(route.act) === serves
        ? 'No encontramos esta página'
        : 'Tu rol no permite hacer esto';
    if (mayDo(role, route.act)) {
      expect([role, title(answer)]).not.toEqual([role, 'Tu rol no permite hacer esto']);
      expect([role, answer.status]).not.toEqual([role, 403]);
    } else expect([role, title(answer)]).toEqual([role, refused]);
  }
});

test.each(table)('redirects signed-out visitors from %s to sign in', async (_, route) => {
  const address = addressOf(route);
  const answer =
    route.method === 'GET'
      ? await fetch(`${service.origin}${address}`, { redirect: 'manual' })
      : await fetch(`${service.origin}${address}`, { method: 'POST', redirect: 'manual' });
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toMatch(/^\/portal\/sign-in/);
});

const ofAccounts = table.filter(([, { act }]) => isAccountAct(act));

// For each address, one role in turn calls a nonexistent account.
const inTurn = ofAccounts.map(([name, route], no) => {
  return [name, route, roles[no % roles.length] ?? 'owner'] as const;
});

test.each(inTurn)('hides %s of another account from every role', async (_, route, asking) => {
  const nowhere = addressOf(route, 'FFFFFFFF');
  const missing = await callOf(offices[asking], route, nowhere);
  const expected = [404, title(missing)];
  expect([missing.status, title(missing)]).toEqual([404, 'No encontramos esta página']);
  for (const role of roles) {
    const answer = await callOf(offices[role], route, addressOf(route, stranger));
    expect([role, answer.status, title(answer)]).toEqual([role, ...expected]);
  }
});

const forms = table.filter(([, { method }]) => method === 'POST');

test.each([
  ...forms.map(([, route]) => [addressOf(route)] as const),
  ['/portal/sign-out'] as const,
  ['/portal/confirm'] as const,
])('refuses forged forms at %s', async (address) => {
  const { owner, operator } = offices;
  const office = address.startsWith('/portal/operator') ? operator : owner;
  const elsewhere = office.token(`${address}/x`);
  const ofAnother = offices.treasury.token(address);
  for (const token of ['', 'x', elsewhere, ofAnother]) {
    const answer = await office.post(address, {}, token);
    expect([answer.status, title(answer)]).toEqual([403, 'Este formulario ya no sirve']);
  }
  const { cookie } = office;
  const token = office.token(address);
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: service.origin, 'sec-fetch-site': 'same-site' },
  ]) {
    const answer = await postForm(service.origin, address, { token }, { cookie, ...headers });
    expect([answer.status, title(answer)]).toEqual([403, 'Este formulario ya no sirve']);
  }
  expect((await office.get(`/portal/${testAccount}`)).status).toBe(office === owner ? 200 : 404);
});
