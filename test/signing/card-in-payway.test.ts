import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tablesWith } from '../checkout/payer.ts';
import { openPaywayPages, type PaywayPages, typeCard } from '../checkout/payway-pages.ts';
import { launchBrowser } from '../harness/browser.ts';
import { keptCardBody, signingUrl } from '../harness/builders/mandates.ts';
import type { TestService } from '../harness/service.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Covers a holder who signs a card mandate with a card typed in Payway's frame. */
const number = '4507990000004905';

let pages: PaywayPages;
let service: TestService;
let browser: Browser;
beforeAll(async () => {
  pages = await openPaywayPages();
  service = pages.service;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await pages?.stop();
});

async function visit(width: number) {
  const { body } = await service.call('POST', '/card-adhesion', { body: keptCardBody() });
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  await page.goto(signingUrl(service, 'card_adhesion', body.id));
  const frame = page.locator('iframe').contentFrame();
  await frame.locator('#number').waitFor();
  return { id: body.id as number, page, frame, refused };
}

test('signs a mandate with a card in Payway’s frame, which keeps the number', async () => {
  const { id, page, frame, refused } = await visit(360);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(service.origin)) sent.push(request.postData() ?? '');
  });
  await typeCard(frame, number);
  await page.locator('form[data-card] button').click();
  await page.waitForSelector('text=Autorización firmada');
  await page.close();
  const { body } = await service.call('GET', `/card-adhesion/${id}`);
  expect(body).toMatchObject({ state: 'signed', card: 'Visa', last_four_digits: '4905' });
  expect(sent.join()).toContain('token=');
  expect(sent.join()).not.toContain(number);
  expect(await tablesWith(service, number)).toEqual([]);
  expect(refused).toEqual([]);
});

test('waits for the frame’s script if the form is sent before it has loaded', async () => {
  const { body } = await service.call('POST', '/card-adhesion', { body: keptCardBody() });
  const page = await browser.newPage({ viewport: { width: 360, height: 900 } });
  const sent = Promise.withResolvers<void>();
  await page.route('**/assets/frame.js', async (route) => {
    if (!route.request().url().startsWith(service.origin)) await sent.promise;
    await route.continue();
  });
  await page.goto(signingUrl(service, 'card_adhesion', body.id), { waitUntil: 'commit' });
  const frame = page.locator('iframe').contentFrame();
  await typeCard(frame, number);
  const button = page.locator('form[data-card] button');
  await button.click();
  await expect.poll(() => button.isDisabled()).toBe(true);
  sent.resolve();
  await page.waitForSelector('text=Autorización firmada');
  await page.close();
});

test('resizes the frame with its form, in both directions', async () => {
  const { page, frame } = await visit(360);
  const whole = page.locator('iframe');
  const height = async () => (await whole.boundingBox())?.height ?? 0;
  const patience = { timeout: 20_000 };
  const fits = () =>
    expect
      .poll(async () => {
        const form = (await frame.locator('form').boundingBox())?.height ?? 0;
        const beyond = (await height()) - form;
        return beyond >= 0 && beyond <= 16 ? 'fits' : `${beyond} pixels beyond the form`;
      }, patience)
      .toBe('fits');
  await fits();
  const first = await height();
  await page.locator('form[data-card] button').click();
  await expect.poll(height, patience).toBeGreaterThan(first + 20);
  await fits();
  const narrow = await height();
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect.poll(height, patience).toBeLessThan(narrow);
  await fits();
  await page.close();
});
