import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/platform/http/free-port.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { startOpenidProvider } from '../harness/openid-provider.ts';
import { testPassword } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let provider: Awaited<ReturnType<typeof startOpenidProvider>>;
let service: TestService;
let browser: Browser;

beforeAll(async () => {
  const port = await freePort('127.0.0.1');
  // A site other than the provider's, as in production.
  const PUBLIC_URL = `http://localhost:${port}`;
  provider = await startOpenidProvider(`${PUBLIC_URL}/portal/provider/callback`);
  const env = { ROLES: 'payments,web', PORT: String(port), PUBLIC_URL, ...provider.env };
  service = await startService({ ...env, OIDC_ONLY: 'true' });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await provider.stop();
});

test('signs in, confirms and signs out in a browser, through a certified provider', async () => {
  const email = 'ana@coop.example';
  const { id } = await service.service.parts.users.create(testOperator, {
    email,
    name: 'Ana Sosa',
    lang: 'es',
    password: testPassword,
    serviceRole: null,
    membership: { accountId: testAccount, role: 'owner' },
  });
  const page = await browser.newPage();
  const at = () => page.url().slice(service.origin.length);
  const users = `/portal/${testAccount}/settings/users/new`;

  await page.goto(`${service.origin}${users}`);
  expect(at()).toMatch(/^\/portal\/sign-in\?next=/);
  expect(await page.locator('input[type=password]').count()).toBe(0);
  await page.getByText('Ingresar con OpenID').click();
  await page.getByLabel('Who are you?').fill(email);
  await page.getByText('Continue').click();
  await page.waitForURL(/settings\/users\/new/);

  // The form needs a fresh proof: the provider asks again, though it knows the person.
  await service.sql`
    update user_sessions set proved_at = now() - interval '11 minutes',
      created_at = now() - interval '11 minutes'
    where user_id = ${id}`;
  await page.goto(`${service.origin}/portal/me/factor`);
  expect(at()).toMatch(/^\/portal\/confirm/);
  await page.getByText('Confirmar con OpenID').click();
  await page.getByLabel('Who are you?').fill(email);
  await page.getByText('Continue').click();
  await page.waitForURL(/me\/factor/);
  await page.goBack();
  await page.goto(`${service.origin}/portal/me`);
  expect(await page.content()).toContain(email);

  await page.goto(`${service.origin}/portal/${testAccount}`);
  await page.getByText('Ana Sosa').click();
  await page.getByRole('button', { name: 'Salir' }).click();
  await page.waitForURL(/portal\/sign-in\?out=1$/);
  // The provider still knows the person, and does not ask.
  await page.getByText('Ingresar con OpenID').click();
  await page.waitForURL(new RegExp(`/portal/${testAccount}$`));

  await page.getByText('Ana Sosa').click();
  await page.getByRole('button', { name: 'Salir' }).click();
  await page.getByText('Cerrarla también en OpenID').click();
  await page.getByRole('button', { name: /Yes/ }).click();
  await page.waitForURL(/portal\/sign-in$/);
  await page.getByText('Ingresar con OpenID').click();
  expect(await page.getByLabel('Who are you?').count()).toBe(1);
  await page.close();
});
