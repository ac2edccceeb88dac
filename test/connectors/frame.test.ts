import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { passesLuhn } from '../../src/kernel/card-number.ts';
import { launchBrowser } from '../harness/browser.ts';
import { newAttempt, orderOf } from './caller.ts';
import { type Office, openOffice } from './payway.ts';

const axe = readFileSync(
  path.join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'),
  'utf8',
);

/** Serves a page that embeds a frame like the checkout, and records the frame's messages. */
async function openHolder(): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://holder').searchParams.get('frame') ?? '';
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>holder</title><script>
window.heard=[];addEventListener('message',(e)=>heard.push({...e.data,from:e.origin}));</script>
<iframe src="${url.replaceAll('&', '&amp;')}" width="340" height="600"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, origin: `http://127.0.0.1:${port}` };
}

let browser: Browser;
let holder: { server: Server; origin: string };
let office: Office;
beforeAll(async () => {
  [browser, holder] = await Promise.all([launchBrowser(), openHolder()]);
  office = await openOffice({
    env: { PAYWAY_3DS: 'on', CONNECTOR_CHECKOUT_ORIGINS: holder.origin },
  });
}, 60_000);
afterAll(async () => {
  await browser?.close();
  holder?.server.close();
  await office?.stop();
});

interface Heard {
  recaudo: string;
  token?: string;
  from: string;
  [name: string]: unknown;
}
const heardBy = (page: Page): Promise<Heard[]> =>
  page.evaluate(() => (window as unknown as { heard: Heard[] }).heard);

/** Waits until the frame has sent a message. */
const hears = (page: Page, word: string): Promise<void> =>
  expect
    .poll(async () => (await heardBy(page)).map(({ recaudo }) => recaudo), { timeout: 20_000 })
    .toContain(word);

async function hold(url: string, origin = holder.origin): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${origin}/?frame=${encodeURIComponent(url)}`);
  return page;
}

const submit = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.querySelector('iframe')?.contentWindow?.postMessage({ recaudo: 'submit' }, '*');
  });

async function type(page: Page, number: string): Promise<void> {
  const frame = page.frameLocator('iframe');
  await frame.locator('#number').pressSequentially(number);
  await frame.locator('#holder').fill('Ana Pérez');
  await frame.locator('#expiry').pressSequentially('0830');
  await frame.locator('#code').fill('123');
  await frame.locator('#document').fill('25.123.456');
}

const visa = '4507990000004905';
/** Completes a card number with its check digit. */
const withCheckDigit = (number: string): string =>
  [...'0123456789'].map((digit) => number.slice(0, -1) + digit).find(passesLuhn) ?? '';

/** Opens a connector whose site lets its fraud control see browsers. */
const openWatched = (): Promise<Office> =>
  openOffice({
    env: {
      PAYWAY_FRAUD_CONTROL: 'on',
      PAYWAY_FRAUD_DEVICE: 'on',
      CONNECTOR_CHECKOUT_ORIGINS: holder.origin,
    },
    emulator: { fraudControl: true },
  });

describe('the card frame', () => {
  test('loads the fraud control’s images for the token’s device id, and sends no referrer', async () => {
    const seen = await openWatched();
    try {
      const page = await browser.newPage();
      const loaded: string[] = [];
      await page.route('https://h.online-metrix.net/**', async (route) => {
        loaded.push(route.request().url());
        expect(await route.request().headerValue('referer')).toBeNull();
        await route.fulfill({ status: 200, contentType: 'image/png', body: '' });
      });
      const made = page.waitForRequest(`${seen.acquirer.url}/tokens`);
      await page.goto(`${holder.origin}/?frame=${encodeURIComponent(`${seen.origin()}/frame`)}`);
      await expect.poll(() => loaded.length).toBe(2);
      await type(page, visa);
      await submit(page);
      const { fraud_detection: told } = (await made).postDataJSON();
      expect(told.device_unique_identifier).toMatch(/^[0-9a-f-]{36}$/);
      for (const url of loaded) {
        expect(new URL(url).searchParams.get('org_id')).toBe('emulator');
        expect(url).toContain(`session_id=merchant-${told.device_unique_identifier}`);
      }
      await page.close();
    } finally {
      await seen.stop();
    }
  });

  test('allows images only from the provider’s address, and loads none without a merchant id', async () => {
    const seen = await openWatched();
    try {
      const frame = await fetch(`${seen.origin()}/frame`);
      expect(frame.headers.get('referrer-policy')).toBe('no-referrer');
      expect(frame.headers.get('content-security-policy')).toContain(
        'img-src https://h.online-metrix.net/fp/clear.png;',
      );
      const page = await browser.newPage();
      await page.route('**/frauddetectionconf', (route) =>
        route.fulfill({
          json: { org_id: 'emulator' },
          headers: { 'access-control-allow-origin': '*' },
        }),
      );
      const loaded: string[] = [];
      await page.route('https://h.online-metrix.net/**', async (route) => {
        loaded.push(route.request().url());
        await route.fulfill({ status: 200, contentType: 'image/png', body: '' });
      });
      const made = page.waitForRequest(`${seen.acquirer.url}/tokens`);
      const asked = page.waitForResponse(/frauddetectionconf/);
      await page.goto(`${holder.origin}/?frame=${encodeURIComponent(`${seen.origin()}/frame`)}`);
      await asked;
      await type(page, visa);
      await submit(page);
      expect([(await made).postDataJSON().fraud_detection, loaded]).toEqual([undefined, []]);
      await page.close();
    } finally {
      await seen.stop();
    }
  });

  test.each([
    ['Visa', '4870170000000000'],
    ['Mastercard', '5200530000000000'],
    ['Maestro', '5888000000000000'],
  ])('omits the brand of regional cards in the range of %s', async (_brand, from) => {
    const number = withCheckDigit(from);
    const regional = await openOffice({
      env: { PAYWAY_REGIONAL: 'nativa,tuya', CONNECTOR_CHECKOUT_ORIGINS: holder.origin },
    });
    try {
      const page = await hold(`${regional.origin()}/frame`);
      await hears(page, 'ready');
      await type(page, number);
      await submit(page);
      await hears(page, 'token');
      const heard = await heardBy(page);
      const token = heard.find(({ recaudo }) => recaudo === 'token');
      expect(token).toMatchObject({ bin: number.slice(0, 6) });
      expect(token?.brand).toBeUndefined();
      await page.close();
    } finally {
      await regional.stop();
    }
  });

  test('passes a chargeable token on, and sends the number only to the acquirer', async () => {
    const page = await hold(`${office.origin()}/frame`);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes(visa)) sent.push(request.url());
    });
    await hears(page, 'ready');
    await type(page, visa);
    await submit(page);
    await hears(page, 'token');
    const heard = await heardBy(page);
    const token = heard.find(({ recaudo }) => recaudo === 'token');
    expect(token).toMatchObject({
      brand: 'visa',
      bin: '450799',
      last_four: '4905',
      holder_name: 'Ana Pérez',
      from: office.origin(),
    });
    expect(heard).toContainEqual(expect.objectContaining({ recaudo: 'brand', brand: 'visa' }));
    expect(sent).toEqual([`${office.acquirer.url}/tokens`]);
    expect(JSON.stringify(heard)).not.toContain(visa);
    const attempt = newAttempt();
    const instrument = { type: 'token', token: token?.token, brand: 'visa', bin: '450799' };
    const charged = await office.call(
      'PUT',
      `/charges/${attempt}`,
      orderOf(attempt, { instrument }),
    );
    expect(charged.body.outcome).toBe('approved');
    await page.close();
  });

  test('shows a fault at each invalid field, and passes no token on', async () => {
    const page = await hold(`${office.origin()}/frame`);
    await type(page, '4507990000004906');
    await page.frameLocator('iframe').locator('#code').fill('1');
    await submit(page);
    await hears(page, 'faults');
    const frame = page.frameLocator('iframe');
    expect(await frame.locator('#number-fault').textContent()).toContain('Revisá');
    expect(await frame.locator('#number').getAttribute('aria-invalid')).toBe('true');
    expect(await frame.locator('#code-fault').textContent()).not.toBe('');
    expect((await heardBy(page)).some(({ recaudo }) => recaudo === 'token')).toBe(false);
    await page.close();
  });

  test('does not load in another origin’s page', async () => {
    const other = await openHolder();
    const page = await hold(`${office.origin()}/frame`, other.origin);
    const frame = page.frameLocator('iframe');
    expect(await frame.locator('#number').count()).toBe(0);
    expect(await heardBy(page)).toEqual([]);
    await page.close();
    other.server.close();
  });

  test.each(['es', 'en'])('is accessible, with a numeric keypad, in %s', async (lang) => {
    const page = await browser.newPage({ bypassCSP: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 360, height: 640 });
      await page.goto(`${office.origin()}/frame?lang=${lang}`);
      await page.evaluate(axe);
      const found = await page.evaluate(() =>
        (
          window as unknown as { axe: { run: () => Promise<{ violations: { id: string }[] }> } }
        ).axe.run(),
      );
      const own = found.violations.map(({ id }) => id);
      // The embedding page has the landmarks and the heading.
      const around = ['landmark-one-main', 'page-has-heading-one', 'region'];
      expect(own.filter((id) => !around.includes(id))).toEqual([]);
    }
    for (const name of ['number', 'expiry', 'code', 'document']) {
      expect(await page.locator(`#${name}`).getAttribute('inputmode')).toBe('numeric');
    }
    expect(await page.title()).toBe(lang === 'en' ? 'Card details' : 'Datos de la tarjeta');
    await page.close();
  });
});

describe('3-D Secure', () => {
  async function begin(number: string): Promise<{ attempt: string; url: string; until: string }> {
    const attempt = newAttempt();
    const token = await office.token(number);
    const instrument = { type: 'token', token, brand: 'visa', bin: '450799' };
    const { body } = await office.call(
      'PUT',
      `/charges/${attempt}`,
      orderOf(attempt, { instrument }),
    );
    expect(body).toMatchObject({ outcome: 'action_required', kind: 'frame' });
    return { attempt, url: body.url, until: body.until };
  }

  test('finishes without the payer if there is no challenge', async () => {
    const { attempt, url } = await begin('4507990205000005');
    const page = await hold(url);
    await hears(page, 'finished');
    expect((await office.ask(`/charges/${attempt}`)).body.outcome).toBe('approved');
    await page.close();
  });

  test.each([
    ['123456', 'approved'],
    ['000000', 'rejected'],
  ])('asks the payer for a code: %s is %s', async (code, outcome) => {
    const { attempt, url, until } = await begin('4507990204000006');
    const asked = await office.ask(`/charges/${attempt}`);
    expect(asked.body).toEqual({ outcome: 'action_required', kind: 'frame', url, until });
    const page = await hold(url);
    const issuer = page.frameLocator('iframe').frameLocator('iframe');
    await issuer.locator('[name=code]').fill(code);
    await issuer.locator('button').click();
    await hears(page, 'finished');
    expect((await office.ask(`/charges/${attempt}`)).body.outcome).toBe(outcome);
    await page.close();
  });

  test('rejects guessed addresses', async () => {
    const { url } = await begin('4507990204000006');
    const guessed = new URL(url);
    guessed.searchParams.set('mark', 'A'.repeat(43));
    expect((await fetch(guessed)).status).toBe(404);
    guessed.searchParams.set('attempt', newAttempt());
    expect((await fetch(guessed)).status).toBe(404);
  });

  test('closes the step before its deadline, so that nothing reaches the acquirer afterwards', async () => {
    const { attempt, url } = await begin('4507990204000006');
    const go = new URL(url.replace('/3ds?', '/3ds/continue?'));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 14 * 60_000 });
    try {
      expect((await fetch(url)).status).toBe(410);
      const told = { method: 'POST', body: JSON.stringify({ instruction_value: 'Y' }) };
      expect((await fetch(go, told)).status).toBe(410);
    } finally {
      vi.useRealTimers();
    }
    expect((await office.ask(`/charges/${attempt}`)).body.outcome).toBe('action_required');
  });

  test('keeps an unfinished step open after its deadline until the acquirer rejects it', async () => {
    let ahead = 0;
    const site = await openOffice({
      env: { PAYWAY_3DS: 'on' },
      emulator: { now: () => Date.now() + ahead },
    });
    try {
      const attempt = newAttempt();
      const token = await site.token('4507990204000006');
      const instrument = { type: 'token', token, brand: 'visa', bin: '450799' };
      await site.call('PUT', `/charges/${attempt}`, orderOf(attempt, { instrument }));
      const later = new Date(Date.now() + 16 * 60_000).toISOString();
      const { body: waited } = await site.ask(`/charges/${attempt}`, later);
      expect(waited.outcome).toBe('action_required');
      expect(Date.parse(waited.until)).toBeLessThan(Date.parse(later));
      ahead = 601_000;
      expect((await site.ask(`/charges/${attempt}`, later)).body.outcome).toBe('rejected');
    } finally {
      await site.stop();
    }
  });
});
