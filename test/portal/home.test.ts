import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { adhesionBody } from '../harness/builders/mandates.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let player: Player;
const path = `/portal/${testAccount}`;

/** Formats an amount as people write it: `$ 1.430,00`, with a non-breaking space. */
const pesos = (amount: number): string =>
  `$\u00a0${amount.toLocaleString('es-AR', { minimumFractionDigits: 2 })}`;

/** Returns the figures of a page by their labels. */
async function figuresOf(office: Office, lang = 'es'): Promise<Record<string, string>> {
  const { text } = await office.get(`${path}?lang=${lang}`);
  const figures = text.matchAll(/<dt>(.*?)<\/dt><dd class="figure-value">(?:<a[^>]*>)?(.*?)<\//g);
  return Object.fromEntries([...figures].map(([, label, value]) => [label, value]));
}

async function collect(channel: string, amount: number): Promise<number> {
  const id = await player.create({ first_total: amount });
  expect((await player.pay(id, { channel })).status).toBe(200);
  return id;
}

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  player = playerOf(service);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test('tells a new account that it has no payments and nothing to attend to', async () => {
  const owner = await signIn(service, 'owner');
  const { status, text } = await owner.get(path);
  expect(status).toBe(200);
  expect(text).toContain('Todavía no hay cobros');
  expect(text).toContain('No hay nada que pida tu atención.');
  await lookAtPage(browser, { origin: service.origin, office: owner, path }, 'home-empty');
});

test('shows the same figures as the API, including the last payment', async () => {
  await player.move({ days: 40 });
  await collect('non_banking', 1_000);
  await player.move({ days: 20 });
  await collect('credit_card', 2_500.5);
  await collect('wire_transfer', 100);
  const office = await signIn(service, 'owner');
  const [available, unavailable] = await player.balances();
  const day = service.service.parts.clocks.business.today();
  const { body } = await service.call('GET', `/report/collection/${day}`);
  expect(body.total_collected).toBe(2_600.5);
  expect(await figuresOf(office)).toMatchObject({
    Disponible: pesos(available),
    'A acreditar': pesos(unavailable),
    'Cobrado hoy': pesos(body.total_collected),
  });
  expect(Object.keys(await figuresOf(office, 'en'))).toEqual([
    'Available',
    'Pending',
    'Collected today',
    'Collected this month',
    'Outstanding',
    'Overdue in the last 30 days',
  ]);
});

test('shows pending money by day, adding up to the balance', async () => {
  const office = await signIn(service, 'treasury');
  const page = await openPage(
    browser,
    { origin: service.origin, office, path },
    { javaScriptEnabled: false },
  );
  const rows = page.locator('section[aria-labelledby=to-come] tbody tr');
  const amounts = await rows.locator('td:last-child .cell').allTextContents();
  const cents = amounts.map((text) => Number(text.replace(/\D/g, '')));
  const [, unavailable] = await player.balances();
  expect(cents.length).toBeGreaterThan(0);
  expect(cents.reduce((sum, one) => sum + one, 0)).toBe(Math.round(unavailable * 100));
  await page.context().close();
});

test('shows collections but no balance to users without the right to see money', async () => {
  const figures = await figuresOf(await signIn(service, 'collections'));
  expect(Object.keys(figures)).toEqual([
    'Cobrado hoy',
    'Cobrado este mes',
    'Por cobrar',
    'Vencido en los últimos 30 días',
  ]);
});

test('lists mandates about to expire, failing webhooks and late files, each to users who may see them', async () => {
  const { sql } = service;
  const made = await service.call('POST', '/adhesion', {
    body: adhesionBody({ email: 'ana+nosign@example.com' }),
  });
  expect(made.body.state).toBe('pending_to_sign');
  await player.move({ days: 6 });
  const webhook = { url: 'http://127.0.0.1:9/aviso', event_types: ['payment_request.paid'] };
  expect((await service.call('POST', '/webhook', { body: { webhook } })).status).toBe(201);
  await sql`update webhooks set failures = 7`;
  await sql`
    insert into rail_files (id, rail, direction, name, file_date, sha256, state, lines, total,
      created_at)
    values (1, 'pago_facil', 'in', 'a', '2026-01-05', '\\x00', 'imported', 0, 0, '2026-01-05')`;
  const owner = await signIn(service, 'owner');
  const { text } = await owner.get(path);
  expect(text).toContain('Hay 1 adhesión sin firmar que vence en los próximos 3 días.');
  expect(text).toContain('Tu webhook no responde desde hace 7 intentos seguidos:');
  expect(text).toContain('http://127.0.0.1:9/aviso');
  expect(text).toContain('Desde el 05-01-2026 no llegan archivos de pago_facil');
  const collector = await (await signIn(service, 'collections')).get(path);
  expect(collector.text).toContain('adhesión sin firmar');
  expect(collector.text).not.toContain('127.0.0.1:9');
  await lookAtPage(browser, { origin: service.origin, office: owner, path }, 'home');
});

test('sends less than 100 KB for the home page, assets included', async () => {
  const owner = await signIn(service, 'owner');
  const page = await openPage(browser, { origin: service.origin, office: owner, path });
  const bytes = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .map((entry) => (entry as PerformanceResourceTiming).transferSize)
      .reduce((sum, size) => sum + size, 0),
  );
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(100_000);
  await page.context().close();
});
