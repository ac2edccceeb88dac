import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notFoundPage, receiptPage } from '../../../src/checkout/views/outcome.tsx';
import { payPage } from '../../../src/checkout/views/pay.tsx';
import { launchBrowser, refuseClipboard } from '../../harness/browser.ts';
import { faultyModel, payModel, receiptModel, request, sandboxModel } from './models.ts';
import { type PageServer, servePages } from './server.ts';

let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  const long = 'Palabralarguísimasinespacios'.repeat(9).slice(0, 255);
  server = await servePages({
    '/pay/token': payPage(payModel),
    '/sandbox': payPage(sandboxModel),
    '/once': payPage({
      ...payModel,
      actions: { ...payModel.actions, check: '/check', pay: '/stay' },
    }),
    '/faulty': payPage(faultyModel),
    '/receipt': receiptPage(receiptModel),
    '/simulator/frame': '<!doctype html><title>Tarjeta</title>',
    '/missing': notFoundPage(request),
    '/long': payPage({
      ...sandboxModel,
      payerName: long,
      reference: long,
      description: long,
      issuer: { name: long },
      items: [{ description: long, amount: payModel.due.amount }],
    }),
  });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const lastPost = () => server.posts.at(-1);

type Options = { javaScript: boolean; width?: number };

/** Opens a page. Fails on anything that the policy blocks or the console shows. */
async function open(path: string, { javaScript, width = 360 }: Options): Promise<Page> {
  const page = await browser.newPage({
    javaScriptEnabled: javaScript,
    viewport: { width, height: 740 },
  });
  const said: string[] = [];
  page.on('console', (message) => {
    if (!message.text().includes('favicon')) said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(error.message));
  await page.goto(server.origin + path);
  expect(said).toEqual([]);
  return page;
}

test.each(['/pay/token', '/sandbox', '/faulty', '/receipt', '/missing', '/long'])(
  'fits %s into 360 pixels without horizontal scrolling, with every section open or closed',
  async (path) => {
    const page = await open(path, { javaScript: true });
    const widest = await page.evaluate(() => {
      let width = document.documentElement.scrollWidth;
      for (const section of document.querySelectorAll('details')) {
        section.open = true;
        width = Math.max(width, document.documentElement.scrollWidth);
      }
      return width;
    });
    expect(widest).toBe(360);
    await page.close();
  },
);

test('lets a payer choose a channel and send the form without JavaScript', async () => {
  const page = await open('/pay/token', { javaScript: false });
  await page.click('#channel-debit_card > summary');
  expect(await page.isVisible('#credit_card-holder_email')).toBe(false);
  expect(await page.textContent('#channel-debit_card')).toContain('tocá “Usar esta tarjeta”');
  await page.fill('#debit_card-holder_email', 'maria@example.com');
  await page.click('#channel-debit_card button[type=submit]:not([name])');
  await expect
    .poll(() => Object.fromEntries(new URLSearchParams(lastPost())))
    .toEqual({
      channel: 'debit_card',
      lang: 'es',
      connector: 'simulator',
      token: '',
      brand: '',
      bin: '',
      last_four: '',
      card_holder_name: '',
      holder_email: 'maria@example.com',
    });
  await page.close();
});

test('offers all installments without JavaScript, and hides buttons that need it', async () => {
  const page = await open('/sandbox', { javaScript: false });
  expect(await page.locator('#credit_card-installments option').count()).toBe(7);
  expect(await page.locator('[data-copy]:visible, [data-print]:visible').count()).toBe(0);
  await page.click('#channel-wire_transfer > summary');
  await page.click('#channel-wire_transfer button[type=submit]:not([name])');
  await expect.poll(lastPost).toBe('channel=wire_transfer&lang=es');
  await page.close();
});

test('fills in and sends a DEBIN form with the keyboard alone', async () => {
  const page = await open('/pay/token', { javaScript: false });
  await page.focus('#channel-DEBIN > summary');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('mi.alias.banco');
  await page.keyboard.press('Tab');
  await page.keyboard.type('20-12345678-6');
  await page.keyboard.press('Enter');
  await expect
    .poll(lastPost)
    .toBe('channel=DEBIN&lang=es&account=mi.alias.banco&holder_cuit=20-12345678-6');
  await page.close();
});

test('sends nothing on a second press of the button', async () => {
  const page = await open('/once', { javaScript: true });
  const before = server.posts.length;
  await page.click('#channel-DEBIN > summary');
  await page.fill('#DEBIN-account', 'mi.alias.banco');
  await page.fill('#DEBIN-holder_cuit', '20123456786');
  const button = page.locator('#channel-DEBIN button[type=submit]:not([name])');
  await button.evaluate((element) => {
    if (!(element instanceof HTMLElement)) throw new Error('No button.');
    element.click();
    element.click();
  });
  await expect.poll(() => server.posts.length).toBe(before + 1);
  expect(await button.isDisabled()).toBe(true);
  expect(await button.textContent()).toBe('Procesando el pago…');
  await page.close();
});

test('focuses the fault summary, and links its entries to their fields', async () => {
  const page = await open('/faulty', { javaScript: true });
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('faults');
  await page.click('.faults a[href="#credit_card-holder_email"]');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('credit_card-holder_email');
  await page.close();
});

test('shows that nothing was copied if the browser refuses to copy', async () => {
  const page = await open('/pay/token', { javaScript: true });
  const faults: Error[] = [];
  page.on('pageerror', (error) => faults.push(error));
  await refuseClipboard(page);
  await page.click('#channel-wire_transfer > summary');
  const button = page.locator('[data-copy="0000003100062244154712"]');
  await button.click();
  await expect.poll(() => button.textContent()).toBe('No se copió');
  expect(faults).toEqual([]);
  await page.context().close();
});

test('copies codes with one press', async () => {
  const page = await open('/pay/token', { javaScript: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.click('#channel-wire_transfer > summary');
  const button = page.locator('[data-copy="0000003100062244154712"]');
  await button.click();
  await expect.poll(() => button.textContent()).toBe('Copiado');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe('0000003100062244154712');
  await page.close();
});
