import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, signIn, testPassword } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { lookAtPage, openPage } from './look.ts';
import { type PasskeyDesk, passkeyDesk, startNamedService } from './passkey-desk.ts';

vi.setConfig({ testTimeout: 60_000 });

const home = `/portal/${testAccount}`;
let service: TestService;
let browser: Browser;
let desk: PasskeyDesk;

beforeAll(async () => {
  service = await startNamedService();
  desk = passkeyDesk(service);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

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

test('adds a passkey, signs in with it, proves identity with it, and removes it', async () => {
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
  expect(await desk.passkeysOf(office)).toBe(1);

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
  await page.waitForURL(`**${home}/integrations/keys/new?*`);

  await page.goto(`${service.origin}/portal/me/factor`);
  await page.getByRole('button', { name: 'Quitar Notebook de la oficina' }).click();
  await page.getByText('Todavía no hay llaves de acceso.').waitFor();
  expect([await desk.passkeysOf(office), refused]).toEqual([0, []]);
  await page.context().close();
});

test('lets a user retry after an authenticator finds no passkey, and opens no session', async () => {
  const { office } = await desk.enrolled();
  const waiting = await desk.half(office);
  const at = { origin: service.origin, office: waiting, path: '/portal/sign-in/code' };
  const page = await openPage(browser, at);
  // This authenticator has no passkey for this person.
  await authenticatorOf(page);
  await page.getByRole('button', { name: 'Usar una llave de acceso' }).click();
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByText('No se completó. Probá otra vez.').waitFor();
  await page.getByRole('button', { name: 'Continuar' }).waitFor();
  expect(await desk.isIn(waiting)).toBe(false);
  await page.context().close();
});

test('explains that passkeys need scripts if these are off', async () => {
  const { office } = await desk.enrolled();
  const at = {
    origin: service.origin,
    office: await desk.half(office),
    path: '/portal/sign-in/code',
  };
  const page = await openPage(browser, at, { javaScriptEnabled: false });
  await page.getByRole('button', { name: 'Usar una llave de acceso' }).click();
  await page.getByText('Las llaves de acceso necesitan JavaScript').waitFor();
  await page.context().close();
});

test('renders pages of passkeys correctly in every width and color scheme', async () => {
  const { office } = await desk.enrolled();
  await desk.adds(office, { name: 'Llave USB de la caja fuerte' });
  const at = (one: Office, path: string) => ({ origin: service.origin, office: one, path });
  await lookAtPage(browser, at(office, '/portal/me/factor'), 'factor-passkeys');
  await lookAtPage(browser, at(office, '/portal/confirm'), 'confirm-passkey');
  const waiting = await desk.half(office);
  await lookAtPage(browser, at(waiting, '/portal/sign-in/code'), 'sign-in-passkey');
});

test('offers no passkeys if the service’s address is an IP address', async () => {
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
