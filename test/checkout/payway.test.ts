import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type TestService, testAccount } from '../harness/service.ts';
import { create, openChannel, read, submit } from './payer.ts';
import { openPaywayPages, type PaywayPages, typeCard } from './payway-pages.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let pages: PaywayPages;
let service: TestService;
let browser: Browser;
beforeAll(async () => {
  pages = await openPaywayPages({ PAYWAY_3DS: 'on' });
  service = pages.service;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await pages?.stop();
});

const digitOf = (body: string): string =>
  Array.from({ length: 10 }, (_none, digit) => `${body}${digit}`).find((number) => {
    const sum = [...number].reverse().reduce((total, one, at) => {
      const value = Number(one) * (at % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    return sum % 10 === 0;
  }) ?? '';

/** Types a card in the acquirer's frame and presses our button. */
async function payBy(page: Page, number: string): Promise<void> {
  await openChannel(page, 'credit_card');
  await typeCard(page.frameLocator('#channel-credit_card iframe'), number);
  await page.selectOption('#credit_card-installments', '39:3');
  await submit(page, 'credit_card');
}

async function visit() {
  const made = await create(service);
  const page = await browser.newPage({ viewport: { width: 360, height: 900 } });
  await page.goto(service.origin + made.path);
  return { made, page };
}

test('pays by card in the frame of Payway’s connector, in three installments', async () => {
  const { made, page } = await visit();
  await payBy(page, '4507990000004905');
  await page.waitForURL('**/receipt**');
  const { state, request_result } = await read(service, made);
  expect([state, request_result[0]]).toMatchObject([
    'paid',
    {
      channel: 'Visa',
      payment_metadata: { card_last_four_digits: '4905', installments: 3 },
    },
  ]);
  expect(request_result[0].payment_metadata.reference).toMatch(/^\d+$/);
  await page.close();
});

test.each([
  ['5', 'otra tarjeta'],
  ['51', 'más tarde'],
  ['1', 'la llames'],
  ['14', 'Revisalos'],
  ['96', 'más tarde'],
])('advises the payer on a refusal for reason %s', async (reason, words) => {
  const { made, page } = await visit();
  await payBy(page, digitOf(`450799010${reason.padStart(3, '0')}000`));
  await page.waitForURL('**/rejected**');
  expect(await page.textContent('main')).toContain(words);
  expect((await read(service, made)).state).toBe('pending');
  await page.close();
});

test('completes 3-D Secure in a frame, and shows the receipt', async () => {
  const { made, page } = await visit();
  await payBy(page, digitOf('450799020400000'));
  const challenge = () => page.frames().find((frame) => frame.url().endsWith('/acs/challenge'));
  // A hidden step precedes the challenge, in its own frame.
  await expect.poll(() => challenge() !== undefined, { timeout: 30_000 }).toBe(true);
  await challenge()?.locator('button').click();
  await page.waitForURL('**/receipt**');
  expect((await read(service, made)).state).toBe('paid');
  await page.close();
});

test('inquires about a lost answer, and records the payment once', async () => {
  const { made, page } = await visit();
  await payBy(page, digitOf('450799020200000'));
  await page.waitForURL(`**${made.path}`);
  expect((await read(service, made)).state).toBe('pending');
  await service.call('POST', '/sandbox/clock', { body: { minutes: 16 } });
  const { state, request_result } = await read(service, made);
  expect([state, request_result.length]).toEqual(['paid', 1]);
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
  await page.close();
});
