import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, signIn, testPassword } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn } from '../scenarios/play.ts';
import { tabTo } from './keyboard.ts';
import { openPage } from './look.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let owner: Office;
const home = `/portal/${testAccount}`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  owner = await signIn(service, 'owner');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const opened = (path: string, width = 1280): Promise<Page> =>
  openPage(
    browser,
    { origin: service.origin, office: owner, path },
    { locale: 'es-AR', viewport: { width, height: 740 } },
  );

/** Tabs to a field and types into it. */
async function write(page: Page, field: string, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

/** Tabs to a control, presses it and waits for the next page. */
async function press(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
}

test('signs in with password and code by keyboard', async () => {
  const office = await signIn(service, 'collections');
  await office.post('/portal/me/factor/begin');
  const { text } = await office.get('/portal/me/factor');
  const secret = Secret.fromBase32(
    /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(' ', '') ?? '',
  );
  const totp = new TOTP({ secret });
  await office.post('/portal/me/factor', { code: totp.generate() });
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  await page.goto(`${service.origin}/portal/sign-in`);
  await write(page, '#email', office.email);
  await write(page, '#password', testPassword);
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  expect(page.url()).toContain('/sign-in/code');
  await write(page, '[name=code]', totp.generate({ timestamp: Date.now() + 30_000 }));
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  expect(page.url()).toContain(`/portal/${testAccount}`);
  await page.close();
});

test.each([360, 1280])(
  'writes, corrects, previews and creates a payment request at %i px by keyboard',
  async (width) => {
    const page = await opened(`${home}/requests`, width);
    await press(page, 'main a[href$="/requests/new"]');
    await write(page, '#payer_name', 'Ana Sosa');
    await press(page, 'main form .form-buttons button');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('faults');
    // The first of January is unambiguous in browsers with either order of day and month.
    for (const [field, text] of [
      ['#description', 'Cuota de marzo'],
      ['#first_due_date', `0101${Number(dayIn(service, 0).slice(-4)) + 1}`],
      ['#first_total', '1430,50'],
    ] as const) {
      await page.locator('.faults').focus();
      await tabTo(page, `.faults a[href="${field}"]`);
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => `#${document.activeElement?.id}`)).toBe(field);
      await page.keyboard.type(text);
    }
    await press(page, 'main form .form-buttons button');
    await page.keyboard.press('Tab');
    const before = await service.sql`select from requests where account_id = ${testAccount}`;
    await press(page, 'main form .button:not(.button-quiet)');
    expect(page.url()).toMatch(/\/requests\/\d+/);
    const after = await service.sql`select from requests where account_id = ${testAccount}`;
    expect(after.length).toBe(before.length + 1);
    await page.context().close();
  },
);

test('creates a key by keyboard', async () => {
  const page = await opened(`${home}/integrations`);
  await press(page, 'main a[href$="/keys/new"]');
  await write(page, '#name', 'Sistema de socios');
  await tabTo(page, '[name=permissions]');
  if (!(await page.locator('[name=permissions]').first().isChecked())) {
    await page.keyboard.press('Space');
  }
  await press(page, 'main form .form-buttons button');
  const keys = await service.sql`select from api_keys where name = 'Sistema de socios'`;
  expect(keys).toHaveLength(1);
  await page.context().close();
});

test('chooses, uploads, reviews and confirms a spreadsheet by keyboard', async () => {
  const page = await opened(`${home}/imports`, 360);
  // Start waiting before tabbing, so that the browser leaves the choice of file to the test.
  const choosing = page.waitForEvent('filechooser');
  await tabTo(page, 'input[type=file]');
  await page.keyboard.press('Enter');
  const chooser = await choosing;
  const lines = [
    'Socio;Concepto;Vencimiento;Importe;Referencia',
    `Ana;Cuota;${dayIn(service, 20)};100,50;K-1`,
  ];
  const buffer = Buffer.from(lines.join('\n'));
  await chooser.setFiles({ name: 'socios.csv', mimeType: 'text/csv', buffer });
  await press(page, 'main form .form-buttons button');
  expect(page.url()).toMatch(/\/imports\/\d+/);
  await press(page, 'form[action$="/confirm"] button[type=submit]');
  const [one] = await service.sql`select state from imports where file_name = 'socios.csv'`;
  expect(one?.state).toBe('running');
  await page.context().close();
});
