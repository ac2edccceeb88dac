import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, refuseClipboard } from '../harness/browser.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let office: Office;
const home = `/portal/${testAccount}`;
const styles = '/portal/styles';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  office = await signIn(service, 'owner');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const opened = (path: string): Promise<Page> =>
  openPage(browser, { origin: service.origin, office, path });

const held = (page: Page) => page.evaluate(() => document.activeElement?.id);

test('focuses a refused form’s faults, and keeps the input when their links are followed', async () => {
  const page = await opened(`${home}/requests/new`);
  await page.locator('#payer_name').fill('Ana Sosa');
  await page.locator('main form button[type=submit]').last().click();
  await page.locator('.faults').waitFor();
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('faults');
  const posts: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && posts.push(request.method()));
  await page.locator('#description').fill('Cuota de marzo');
  for (const link of (await page.locator('.faults a').all()).slice(0, 2)) {
    const field = (await link.getAttribute('href'))?.slice(1);
    await link.click();
    expect(await held(page)).toBe(field);
  }
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  await page.goBack();
  await page.goBack();
  await page.goForward();
  expect(await page.locator('#description').inputValue()).toBe('Cuota de marzo');
  expect(await page.locator('#payer_name').inputValue()).toBe('Ana Sosa');
  expect(posts).toEqual([]);
  await page.context().close();
});

test('restores the previous list on Back after a list was loaded in place', async () => {
  const page = await opened(`${home}/requests`);
  await page.locator('#q').fill('nadie');
  await page.keyboard.press('Enter');
  await page.locator('.chip').waitFor();
  expect(new URL(page.url()).search).toBe('?q=nadie');
  await page.goBack();
  await page.locator('.chip').waitFor({ state: 'detached' });
  expect([new URL(page.url()).search, await page.locator('#q').inputValue()]).toEqual(['', '']);
  await page.goForward();
  await page.locator('.chip').waitFor();
  expect(await page.locator('#q').inputValue()).toBe('nadie');
  await page.context().close();
});

test('shows copy buttons and file fields in parts that were replaced in place', async () => {
  const page = await opened(styles);
  await page.locator('form.filter-form').first().locator('button[type=submit]').waitFor();
  await page.evaluate(() => {
    document.getElementById('content')?.setAttribute('data-old', '');
  });
  await page.locator('form.filter-form button[type=submit]').first().click();
  await page.locator('#content:not([data-old])').waitFor();
  expect(await page.locator('[data-copy]').first().isVisible()).toBe(true);
  expect(await page.locator('[data-upload-drop]').first().isVisible()).toBe(true);
  await page.context().close();
});

test('refreshes running work that was loaded in place, and keeps the keyboard focus', async () => {
  const page = await opened(styles);
  let stage = 1;
  // Serves the page of styles with a part that refreshes itself until the test ends it.
  await page.route(`**${styles}?*`, async (route) => {
    const answer = await route.fetch();
    const text = await answer.text();
    const live = `<div data-live="0.05"><p>Look ${stage}</p><a href="${styles}">More</a></div>`;
    const body = text.replace(/(<main[^>]*>)/, stage < 3 ? `$1${live}` : '$1<p>Over</p>');
    await route.fulfill({ response: answer, body });
  });
  await page.locator('form.filter-form button[type=submit]').first().click();
  await page.getByText('Look 1').waitFor();
  await page.locator('[data-live] a').focus();
  stage = 2;
  await page.getByText('Look 2').waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('More');
  stage = 3;
  await page.getByText('Over').waitFor();
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  await page.context().close();
});

test('closes a menu on Escape, returning the focus, and when Tab leaves it', async () => {
  const page = await opened(home);
  const summary = page.locator('.own > summary');
  await summary.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.locator('.own').getAttribute('open')).not.toBeNull();
  await page.keyboard.press('Escape');
  expect(await page.locator('.own').getAttribute('open')).toBeNull();
  expect(await summary.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Tab');
  expect(await page.locator('.own').getAttribute('open')).toBeNull();
  await page.context().close();
});

test('shows that nothing was copied if the browser refuses to copy', async () => {
  const page = await opened(styles);
  const faults: Error[] = [];
  page.on('pageerror', (error) => faults.push(error));
  await refuseClipboard(page);
  const button = page.locator('[data-copy]').first();
  await button.click();
  await expect.poll(() => button.textContent()).toBe('Not copied');
  expect(faults).toEqual([]);
  await page.context().close();
});
