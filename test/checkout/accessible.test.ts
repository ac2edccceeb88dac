import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { colors, openAll, violationsOn } from '../harness/accessible.ts';
import { launchBrowser } from '../harness/browser.ts';
import { adhesionBody, signingUrl } from '../harness/builders/mandates.ts';
import { startService, type TestService } from '../harness/service.ts';
import { code128In, qrIn, readImage, readPdf } from '../payment-requests/documents/readers.ts';
import {
  type Created,
  cardForm,
  create,
  fillCard,
  frameOf,
  payCard,
  post,
  submit,
} from './payer.ts';

let service: TestService;
let browser: Browser;
let pay: Created;
const pages: Record<string, string> = {};

const long = {
  payer_name: 'María de los Ángeles Fernández Gutiérrez de la Torre y Álvarez',
  external_reference: 'FAC-2026-001893-A-0000000000001',
  items: [{ quantity: 20, description: 'Comedor (almuerzo)', amount: 99_999_999.99 }],
};

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  pay = await create(service, { ...long, first_total: 24_350.5 });
  const big = await create(service, { ...long, first_total: 99_999_999.99 });
  const paid = await create(service, { ...long, first_total: 24_350.5 });
  await payCard(service.origin, paid.path, { ...cardForm, installments: '39:6' });
  const part = await create(service, { ...long, first_total: 24_350.5 });
  const body = { channel: 'wire_transfer', amount: 1_000 };
  await service.call('POST', `/sandbox/pay/${part.id}`, { body });
  const waiting = await create(service, { ...long, first_total: 1.94 });
  await payCard(service.origin, waiting.path);
  const refused = await create(service, { ...long, first_total: 24_350.91 });
  await payCard(service.origin, refused.path);
  const signing: string[] = [];
  for (const no of [1, 2]) {
    const email = `ana${no}+nosign@example.com`;
    const body = adhesionBody({ email });
    const { body: made } = await service.call('POST', '/adhesion', { body });
    signing.push(new URL(signingUrl(service, 'adhesion', made.id)).pathname);
  }
  const [unsigned = '', signed = ''] = signing;
  await post(service.origin, signed, { answer: 'accept' });
  Object.assign(pages, {
    pay: pay.path,
    large: `${big.path}?lang=en`,
    receipt: `${paid.path}/receipt`,
    paid: paid.path,
    part: part.path,
    waiting: waiting.path,
    rejected: `${refused.path}/rejected`,
    barcode: `${pay.path}/barcode`,
    home: '/',
    missing: '/checkout/x',
    unsigned,
    signed,
    nowhere: '/sign/adhesion/x',
  });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Rules that apply to whole pages, not to the frame. */
const wholePages = ['landmark-one-main', 'page-has-heading-one', 'region'];

const kinds = ['pay', 'large', 'receipt', 'paid', 'part', 'waiting', 'rejected', 'barcode', 'home'];
const names = [...kinds, 'missing', 'unsigned', 'signed', 'nowhere'];

test.each(names)(
  'renders the %s page accessibly at any width, in light and dark mode',
  async (name) => {
    const page = await browser.newPage();
    for (const width of [320, 360, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(service.origin + (pages[name] ?? ''));
      await openAll(page);
      for (const colorScheme of colors) {
        await page.emulateMedia({ colorScheme });
        const where = `${name} ${colorScheme} ${width}`;
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([where, sideways]).toEqual([where, width]);
        if (width === 320) continue;
        const found = await violationsOn(page, { colorsOnly: colorScheme === 'dark' });
        expect([where, ...found]).toEqual([where]);
      }
    }
    await page.close();
  },
);

test('keeps an amount on one line on any screen', async () => {
  for (const width of [320, 360, 768, 1280]) {
    for (const name of ['pay', 'large', 'receipt']) {
      const page = await browser.newPage({ viewport: { width, height: 740 } });
      await page.goto(service.origin + (pages[name] ?? ''));
      const fits = await page.$eval('.amount', (amount) => {
        const lines = amount.getClientRects().length;
        const size = Number.parseFloat(getComputedStyle(amount).fontSize);
        const oneLine = amount.getBoundingClientRect().height < size * 2;
        return lines === 1 && oneLine && amount.scrollWidth <= amount.clientWidth;
      });
      expect([name, width, fits]).toEqual([name, width, true]);
      await page.close();
    }
  }
});

test('aligns the expiry and code fields at any width, with and without faults', async () => {
  for (const width of [320, 360, 1280]) {
    const page = await browser.newPage({ viewport: { width, height: 740 } });
    await page.goto(pay.url);
    const frame = frameOf(page, 'credit_card');
    for (const faulty of [false, true]) {
      if (faulty) await fillCard(page, { number: '4507990000004914', cvv: '98', expiry: '08/20' });
      if (faulty) await submit(page, 'credit_card');
      if (faulty) await frame.locator('#code-fault:not(:empty)').waitFor();
      const tops = await Promise.all(
        ['#expiry', '#code'].map(async (id) => (await frame.locator(id).boundingBox())?.y ?? id),
      );
      expect([width, faulty, tops[1]]).toEqual([width, faulty, tops[0]]);
    }
    await page.close();
  }
});

test('renders the simulator’s frame accessibly at any width, in light and dark mode', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [280, 640]) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 740 } });
      await page.goto(`${service.origin}/simulator/frame`);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([colorScheme, width, sideways]).toEqual([colorScheme, width, width]);
      // The embedding page has the landmarks and the heading.
      const found = (await violationsOn(page)).filter(
        (one) => !wholePages.some((rule) => one.startsWith(`${rule}:`)),
      );
      expect(found).toEqual([]);
      await page.close();
    }
  }
});

test('keeps a collector’s tax id on one line on signing pages', async () => {
  for (const width of [320, 360, 412, 1280]) {
    const page = await browser.newPage({ viewport: { width, height: 740 } });
    for (const name of ['unsigned', 'signed']) {
      await page.goto(service.origin + (pages[name] ?? ''));
      const lines = await page.$$eval('p .whole', (all) =>
        all.map((one) => [one.textContent, one.getClientRects().length]),
      );
      expect([name, width, lines]).toEqual([name, width, [['30-99999999-5', 1]]]);
    }
    await page.close();
  }
});

test.each([
  ['upright', { width: 360, height: 740 }],
  ['sideways', { width: 740, height: 360 }],
])('makes the barcode wide enough for a scanner on a phone held %s', async (_how, viewport) => {
  const page = await browser.newPage({
    viewport,
    deviceScaleFactor: 3,
    javaScriptEnabled: false,
  });
  await page.goto(service.origin + (pages.barcode ?? ''));
  const modules = await page.$eval('.scan-bars', (bars) =>
    Number(bars.getAttribute('viewBox')?.split(' ')[2]),
  );
  const { width = 0, height = 0 } = (await page.locator('.scan-bars').boundingBox()) ?? {};
  // A CSS pixel of a phone is about 1/160 of an inch.
  const millimetres = ((Math.max(width, height) / modules) * 25.4) / 160;
  expect(millimetres).toBeGreaterThan(0.25);
  expect(await code128In(await readImage(await page.screenshot()))).toContain(pay.barcode);
  await page.close();
});

test('encodes in the QR’s image the text that the page shows', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(pay.url);
  await page.click('#channel-qr > summary');
  const text = await page.inputValue('#qr-text');
  const answer = await fetch(`${pay.url}/qr.png`);
  const picture = Buffer.from(await answer.arrayBuffer());
  expect(qrIn(await readImage(picture))).toBe(text);
  await page.close();
});

test('shows card faults in the frame, and keeps the card when our page has a fault', async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  await page.goto(pay.url);
  const frame = frameOf(page, 'credit_card');
  await fillCard(page, { number: '4507990000004914', cvv: '987' });
  expect(await frame.locator('#number').inputValue()).toBe('4507 9900 0000 4914');
  await submit(page, 'credit_card');
  await frame.locator('#number-fault:not(:empty)').waitFor();
  expect(await frame.locator('#number-fault').textContent()).toContain('no es válido');
  expect(await frame.locator('#code').inputValue()).toBe('987');
  await frame.locator('#number').fill('4507990000004905');
  await page.fill('#credit_card-holder_email', 'ana@');
  await submit(page, 'credit_card');
  await page.waitForSelector('.faults');
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('faults');
  expect(await page.textContent('.handed')).toBe('Visa terminada en 4905');
  expect(await page.inputValue('#credit_card-installments')).toBe('39:1');
  expect(await violationsOn(page)).toEqual([]);
  await page.fill('#credit_card-holder_email', 'ana@example.com');
  await Promise.all([page.waitForURL('**/receipt**'), submit(page, 'credit_card')]);
  expect(await page.textContent('h1')).toBe('Pago aprobado');
  await page.close();
});

test('adds an expiry’s slash while typing, and removes it while deleting', async () => {
  const page = await browser.newPage();
  await page.goto((await create(service)).url);
  const field = frameOf(page, 'credit_card').locator('#expiry');
  await field.pressSequentially('0830');
  expect(await field.inputValue()).toBe('08/30');
  for (const left of ['08/3', '08/', '08', '0']) {
    await field.press('Backspace');
    expect(await field.inputValue()).toBe(left);
  }
  await page.close();
});

test('reloads a page that waits for an outcome, without scripts', async () => {
  const answer = await fetch(service.origin + (pages.waiting ?? ''));
  expect(answer.headers.get('refresh')).toBe(`10; url=${pages.waiting}`);
  expect((await fetch(pay.url)).headers.get('refresh')).toBeNull();
});

test('offers the receipt as a PDF of one page, in the page’s language', async () => {
  for (const [lang, title] of [
    ['es', 'Pago aprobado'],
    ['en', 'Payment approved'],
  ]) {
    const answer = await fetch(`${service.origin}${pages.receipt}.pdf?lang=${lang}`);
    const [page, ...more] = await readPdf(Buffer.from(await answer.arrayBuffer()));
    expect(more).toEqual([]);
    expect(page?.text).toContain(title);
    expect(page?.text).toContain(long.payer_name.slice(0, 30));
    expect(page?.text).toContain(lang === 'es' ? '24.350,50' : '24,350.50');
  }
});
