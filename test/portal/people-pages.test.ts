import { mkdir } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { looks, openAll, violationsOn } from '../harness/accessible.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, signIn, testPassword } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let service: TestService;
let browser: Browser;
let office: Office;
const home = `/portal/${testAccount}`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  office = await signIn(service, 'owner');
  await office.post('/portal/me/factor/begin');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function comeIn(page: Page): Promise<void> {
  await page.goto(`${service.origin}${home}/integrations`);
  await page.keyboard.press('Tab');
  await page.fill('#email', office.email);
  await page.fill('#password', testPassword);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${home}/integrations`);
}

/** Folder for screenshots; none by default. */
const pictures = process.env.PICTURES;

test.each(looks)(
  'renders pages of people, keys and users accessibly: $colorScheme $viewport.width',
  async (look) => {
    const page = await browser.newPage(look);
    const refused: string[] = [];
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
    const look1 = async (path: string): Promise<void> => {
      await page.goto(service.origin + path);
      await openAll(page);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([path, sideways]).toEqual([path, look.viewport.width]);
      expect([path, ...(await violationsOn(page))]).toEqual([path]);
      if (pictures === undefined) return;
      await mkdir(pictures, { recursive: true });
      const name = `${path.replaceAll('/', '_')}-${look.colorScheme}-${look.viewport.width}.png`;
      await page.screenshot({ path: `${pictures}/${name}`, fullPage: true });
    };
    for (const path of ['/portal/sign-in', '/portal/forgot']) await look1(path);
    await comeIn(page);
    for (const path of ['/portal/me', '/portal/me/factor', '/portal/confirm']) await look1(path);
    for (const path of ['', '/keys/new']) await look1(`${home}/integrations${path}`);
    for (const path of ['', '/new', `/${office.userId}`]) {
      await look1(`${home}/settings/users${path}`);
    }
    expect(refused).toEqual([]);
    await page.close();
  },
);

test('creates a key without scripts', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await comeIn(page);
  await page.click('text=Crear una clave');
  await page.fill('#name', 'Contable');
  await page.click('button[type=submit]:has-text("Crear la clave")');
  expect(await page.textContent('main code')).toMatch(/^rk_test_/);
  await page.click('text=Volver a Integraciones');
  expect(await page.textContent('main')).toContain('Contable');
  await page.close();
});
