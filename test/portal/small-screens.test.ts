import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { correct } from '../harness/money.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playerOf } from '../scenarios/play.ts';
import { openPage } from './look.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let owner: Office;
const name =
  'Cooperativa de Provisión de Electricidad, Obras y Servicios Públicos Limitada de Villa';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  owner = await signIn(service, 'owner');
  await service.sql`update accounts set name = ${name} where id = ${testAccount}`;
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const narrow = { viewport: { width: 360, height: 740 } };

test('opens the menu over the page without moving the pressed button', async () => {
  const at = { origin: service.origin, office: owner, path: `/portal/${testAccount}` };
  const page = await openPage(browser, at, narrow);
  const summary = page.locator('.menu > summary');
  const heading = page.locator('h1');
  const before = [await summary.boundingBox(), await heading.boundingBox()];
  await summary.click();
  expect(await page.locator('.menu .nav-menu a').first().isVisible()).toBe(true);
  expect([await summary.boundingBox(), await heading.boundingBox()]).toEqual(before);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.context().close();
});

test('fits large amounts on the home page at every width', async () => {
  await correct(service.service.parts.base)({
    accountId: testAccount,
    amount: centavos(99_999_999_999_99),
    reference: 'large',
    note: 'n',
    actor: testOperator,
  });
  const at = { origin: service.origin, office: owner, path: `/portal/${testAccount}` };
  for (const width of [1280, 1024, 960, 360]) {
    const page = await openPage(browser, at, { viewport: { width, height: 800 } });
    expect([width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
      width,
      width,
    ]);
    const cut = await page
      .locator('main *')
      .evaluateAll((all) =>
        all
          .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
          .map((one) => `${one.tagName} ${one.className}`),
      );
    expect([width, cut.filter((one) => !/unseen|scroll|TABLE|svg/i.test(one))]).toEqual([
      width,
      [],
    ]);
    await page.context().close();
  }
});

test('keeps the checkout’s header short despite a long name, and its frames dark in a dark scheme', async () => {
  const player = playerOf(service);
  const { body } = await service.call('GET', `/payment-request/${await player.create()}`);
  const page = await browser.newPage({ ...narrow, colorScheme: 'dark' });
  await page.goto(body.checkout_url);
  const header = await page.locator('header.top').boundingBox();
  expect(header?.height).toBeLessThan(170);
  await page.locator('summary', { hasText: 'Tarjeta de crédito' }).first().click();
  const colors = await page
    .locator('.connector-frame iframe')
    .first()
    .evaluate((frame) => getComputedStyle(frame).backgroundColor);
  expect(colors).not.toBe('rgb(255, 255, 255)');
  await page.close();
});
