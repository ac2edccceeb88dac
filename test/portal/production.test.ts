import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { testOperator } from '../harness/actors.ts';
import { officeOf, postForm, testPassword } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

const origin = 'https://portal.example.com';
let service: TestService;
let local: string;

beforeAll(async () => {
  const port = await freePort('127.0.0.1');
  local = `http://127.0.0.1:${port}`;
  service = await startService({
    ENVIRONMENT: 'production',
    PUBLIC_URL: origin,
    BARCODE_CONVENTION: '5150009346',
    PORT: String(port),
    ROLES: 'payments,web',
  });
  const acting = { ...service.service.parts.base, actor: testOperator };
  await createAccount(acting, { id: testAccount, name: 'Coop', cuit: '30999999995', city: 'X' });
});
afterAll(() => service.stop());

test.each(['owner', 'administrator', 'treasury', 'collections', 'read_only'] as const)(
  'admits %s in production only with a second factor',
  async (role) => {
    const email = `${role}@example.com`;
    await service.service.parts.users.create(testOperator, {
      email,
      name: role,
      lang: 'es',
      serviceRole: null,
      password: testPassword,
      membership: { accountId: testAccount, role },
    });
    const fields = { email, password: testPassword };
    const answer = await postForm(local, '/portal/sign-in', fields, { origin });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-recaudo_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const office = officeOf(local, cookie.split(';')[0] ?? '', { userId: 0, email });
    const { status, location } = await office.get(`/portal/${testAccount}`);
    expect([status, location]).toEqual([303, '/portal/me/factor']);
    const page = await office.get('/portal/me/factor');
    expect([page.status, page.text.includes('para seguir tenés que activarlo')]).toEqual([
      200,
      true,
    ]);
  },
);

test('holds a new name for an operator’s approval in production', async () => {
  const { settings, readAccount } = service.service.parts;
  const change = { accountId: testAccount, name: 'AFIP' };
  const place = { id: testAccount, name: 'Coop' };
  expect(await settings.changeLook(testOperator, place, change)).toBe('waits');
  expect((await readAccount(testAccount))?.name).toBe('Coop');
  expect((await settings.pendingLook(testAccount))?.changes).toEqual({ name: 'AFIP' });
});
