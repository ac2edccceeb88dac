import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { looks, openAll, violationsOn } from '../harness/accessible.ts';
import { launchBrowser } from '../harness/browser.ts';
import { call, startService, type TestService } from '../harness/service.ts';

let service: TestService;
let browser: Browser;
const place = '/portal/styles';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test.each(looks)(
  'renders every component accessibly: $colorScheme $viewport.width',
  async (look) => {
    const page = await browser.newPage(look);
    const refused: string[] = [];
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
    for (const own of [place, `${place}/dialog`]) {
      await page.goto(service.origin + own);
      await openAll(page);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([own, sideways]).toEqual([own, look.viewport.width]);
      expect([own, ...(await violationsOn(page))]).toEqual([own]);
    }
    expect(refused).toEqual([]);
    await page.close();
  },
);

test('shows every component on the page of samples', async () => {
  const folder = path.join(packageRoot(), 'src/platform/pages/components');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.tsx'));
  const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
  const components = texts.flatMap((text) =>
    [...text.matchAll(/^export function ([A-Z]\w+)/gm)].map(([, name = '']) => name),
  );
  const shown = await Promise.all(
    ['page', 'tables', 'forms', 'charts'].map((name) =>
      readFile(path.join(packageRoot(), `src/portal/styles/${name}.tsx`), 'utf8'),
    ),
  );
  // Components that appear only inside others.
  const inner = ['ChartFigure', 'Labels', 'ErrorSummary'];
  const missing = components.filter(
    (name) => !inner.includes(name) && !shown.some((text) => text.includes(`<${name}`)),
  );
  expect(components.length).toBeGreaterThan(15);
  expect(missing).toEqual([]);
});

test('shows a confirmation on a separate page without scripts', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(service.origin + place);
  await page.click('a[data-dialog]');
  expect(new URL(page.url()).pathname).toBe(`${place}/dialog`);
  expect(await page.textContent('h1')).toBe('¿Retirar este cobro?');
  await page.click('[data-dialog-content] a[data-dialog-close]');
  expect(new URL(page.url()).pathname).toBe(place);
  await page.close();
});

test('opens a confirmation as a dialog with scripts, traps focus, and returns it', async () => {
  const page = await browser.newPage();
  await page.goto(service.origin + place);
  await page.focus('a[data-dialog]');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: '¿Retirar este cobro?' });
  await dialog.waitFor();
  expect(await violationsOn(page)).toEqual([]);
  for (let press = 0; press < 6; press += 1) await page.keyboard.press('Tab');
  expect(
    await page.evaluate(() => {
      const { activeElement: active } = document;
      return active === document.body || active?.closest('dialog') !== null;
    }),
  ).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe(place);
  expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-dialog'))).toBe(true);
  await page.close();
});

test('shows a file’s name and size before sending it', async () => {
  const page = await browser.newPage();
  await page.goto(service.origin + place);
  const buffer = Buffer.alloc(1_536);
  await page.setInputFiles('#sample-file', { name: 'socios.csv', mimeType: 'text/csv', buffer });
  await page.getByText('socios.csv (1.5 kB)').waitFor();
  await page.close();
});

test('offers "Skip to content" at the first Tab, and opens the menu without scripts', async () => {
  const page = await browser.newPage({
    javaScriptEnabled: false,
    viewport: { width: 360, height: 740 },
  });
  await page.goto(service.origin + place);
  await page.keyboard.press('Tab');
  expect(await page.textContent(':focus')).toBe('Skip to content');
  expect(await page.isVisible('.nav')).toBe(false);
  await page.click('.menu > summary');
  expect(await page.isVisible('.nav-menu')).toBe(true);
  await page.close();
});

test('names every chart, and lists its numbers in a table', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(service.origin + place);
  const charts = page.locator('figure.chart');
  expect(await charts.count()).toBe(2);
  for (const chart of await charts.all()) {
    const title = (await chart.locator('figcaption').textContent()) ?? '';
    await chart.getByRole('img', { name: title }).waitFor();
    await chart.locator('summary').click();
    expect(await chart.getByRole('row').count()).toBe(32);
  }
  await page.close();
});

test('hides the samples page in production', async () => {
  const port = await freePort('127.0.0.1');
  const production = await startService({
    ENVIRONMENT: 'production',
    ROLES: 'web',
    BARCODE_CONVENTION: '5150000001',
    PUBLIC_URL: 'https://recaudo.example',
    PORT: String(port),
  });
  try {
    const { status, headers } = await call(`http://127.0.0.1:${port}`, 'GET', place);
    // Production treats the path as an account, which does not exist.
    expect([status, headers.get('location')?.split('?')[0]]).toEqual([303, '/portal/sign-in']);
  } finally {
    await production.stop();
  }
});
