import { parse } from 'csv-parse/sync';
import type { Browser } from 'playwright-core';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { returnPayout } from '../../src/money/payouts/index.ts';
import { reportNames } from '../../src/reports/index.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { correct, sendPayout } from '../harness/money.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { readPdf } from '../payment-requests/documents/readers.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let player: Player;
let owner: Office;
let firstDay: Temporal.PlainDate;
const home = `/portal/${testAccount}`;

const today = () => service.service.parts.clocks.business.today();
const period = () => `from=${firstDay}&to=${today()}`;

/** Parses the centavos of an amount as a page or document writes it. */
const cents = (text: string): number =>
  Number(text.replace(/[^\d]/g, '')) * (/[-−]/.test(text) ? -1 : 1);

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  player = playerOf(service);
  owner = await signIn(service, 'owner');
  // Everything in these tests, including moved days, falls into one month.
  const month = today().toPlainYearMonth().add({ months: 1 });
  await player.move({ days: today().until(month.toPlainDate({ day: 1 })).days });
  firstDay = today();
  const { base } = service.service.parts;
  await base.sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, rate_ppm)
    select cuit, 'SIRTAC', 'Chaco', '2020-01-01', 17500 from accounts`;
  await base.sql`
    update accounts set payout_cbu = '2850590940090418135201' where id = ${testAccount}`;
  const ids: number[] = [];
  for (let no = 0; no < 56; no += 1) {
    const channel = ['wire_transfer', 'credit_card', 'non_banking', 'link_pagos'][no % 4];
    const id = await player.create({
      first_total: 1_000 + no,
      payer_name: no === 3 ? '=HYPERLINK("http://x";"Ana")' : `Pérez, Ana ${no}`,
    });
    expect((await player.pay(id, { channel })).status).toBe(200);
    ids.push(id);
    if (no === 30) await player.move({ days: 1 });
  }
  await player.move({ days: 4 });
  expect((await player.refund(ids[0] ?? 0, { amount: 400 })).status).toBe(200);
  expect((await player.chargeback(ids[1] ?? 0)).status).toBe(200);
  const order = { accountId: testAccount, actor: testOperator };
  const { payout } = await sendPayout(base)({
    ...order,
    amount: centavos(100_000),
    reference: 'a',
  });
  await returnPayout(base)({ ...order, id: payout.id, reason: 'cuenta cerrada' });
  await sendPayout(base)({ ...order, amount: centavos(250_050), reference: 'b' });
  await correct(base)({ ...order, amount: centavos(-1_234), reference: 'c', note: 'ajuste' });
}, 120_000);
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** Returns the rows of a report over the API, day by day. */
async function apiRows(name: string): Promise<Record<string, string | number>[]> {
  const rows = [];
  for (let day = firstDay; Temporal.PlainDate.compare(day, today()) <= 0; ) {
    rows.push(...(await service.call('GET', `/report/${name}/${day}`)).body.data);
    day = day.add({ days: 1 });
  }
  return rows;
}

const sumOf = (rows: Record<string, string | number>[], member: string): number =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[member] ?? 0) * 100), 0);

/** Returns the figures of a page by their labels, with their links. */
async function figuresOn(path: string) {
  const page = await openPage(browser, { origin: service.origin, office: owner, path });
  const figures = new Map<string, { amount: number; href: string | null }>();
  for (const figure of await page.locator('.figure').all()) {
    const link = figure.locator('dd a');
    figures.set((await figure.locator('dt').textContent()) ?? '', {
      amount: cents((await figure.locator('.figure-value').textContent()) ?? ''),
      href: (await link.count()) > 0 ? await link.getAttribute('href') : null,
    });
  }
  await page.context().close();
  return figures;
}

/** Returns the last cells of all rows of a list, page by page. */
async function amountsOf(path: string): Promise<number[]> {
  const amounts: number[] = [];
  for (let next: string | undefined = path; next; ) {
    const { text } = await owner.get(next);
    const cells = text.matchAll(/<td[^>]*>((?:(?!<td).)*?)<\/td><\/tr>/gs);
    amounts.push(...[...cells].map(([, cell = '']) => cents(cell.replace(/<[^>]*>/g, ''))));
    next = /<a[^>]*rel="next"[^>]*>/.exec(text)?.[0].match(/href="([^"]*)"/)?.[1];
    next = next?.replaceAll('&amp;', '&');
  }
  return amounts;
}

const total = (amounts: number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

test('shows totals that equal the sums of the API’s rows in each report', async () => {
  const rows = Object.fromEntries(
    await Promise.all(reportNames.map(async (name) => [name, await apiRows(name)])),
  );
  const figures = async (name: string) =>
    Object.fromEntries(
      [...(await figuresOn(`${home}/reports/${name}?${period()}`))].map(([key, { amount }]) => [
        key,
        amount,
      ]),
    );
  expect(rows.collection).toHaveLength(56);
  expect(await figures('collection')).toEqual({
    Cobrado: sumOf(rows.collection, 'amount_paid'),
    Comisiones: sumOf(rows.collection, 'net_fee'),
    'IVA de comisiones': sumOf(rows.collection, 'iva_fee'),
    'Neto de comisiones': sumOf(rows.collection, 'net_amount'),
  });
  expect(await figures('refund')).toEqual({ Total: sumOf(rows.refund, 'refunded_amount') });
  expect(await figures('chargeback')).toEqual({
    Total: sumOf(rows.chargeback, 'reverted_amount'),
  });
  expect(await figures('settlement')).toEqual({
    Créditos: sumOf(rows.settlement, 'credit'),
    Débitos: sumOf(rows.settlement, 'debit'),
    Diferencia: sumOf(rows.settlement, 'credit') - sumOf(rows.settlement, 'debit'),
  });
  expect((await figures('retentions')).Total).toBe(sumOf(rows.retentions, 'amount'));
});

/** Reads a number of a workbook, or one with a decimal comma. */
const numberIn = (cell: unknown): number => Number(String(cell ?? 0).replace(',', '.'));

test.each(reportNames)(
  'shows each API row once on the pages and in the files of %s',
  async (name) => {
    const rows = await apiRows(name);
    expect(rows.length).toBeGreaterThan(0);
    const path = `${home}/reports/${name}`;
    const at = { origin: service.origin, office: owner, path: `${path}?${period()}` };
    const page = await openPage(browser, at, { javaScriptEnabled: false });
    let shown = 0;
    for (;;) {
      shown += await page.locator('section[aria-labelledby=rows] tbody tr').count();
      const next = page.locator('a[rel=next]');
      if ((await next.count()) === 0) break;
      await next.click();
    }
    await page.context().close();
    expect(shown).toBe(rows.length);

    const file = async (format: string) => {
      const url = `${service.origin}${path}/file?${period()}&format=${format}`;
      const answer = await fetch(url, { headers: { cookie: owner.cookie } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-disposition')).toContain(`${name}-${firstDay}`);
      return Buffer.from(await answer.arrayBuffer());
    };
    // As Excel opens it in Argentina.
    const csv: string[][] = parse(await file('csv'), { bom: true, delimiter: ';' });
    const members = Object.keys(rows[0] ?? {});
    expect(csv).toHaveLength(rows.length + 1);
    const ids = rows.map((row) => String(row.request_id ?? ''));
    const column = (csv[0] ?? []).indexOf('Cobro');
    expect(csv.slice(1).map((cells) => cells[column])).toEqual(ids);
    const sheet = await readSheet(await file('xlsx'), 1);
    expect(sheet.slice(1).map((cells) => String(cells[column] ?? ''))).toEqual(ids);
    const amounts = members.filter((member) => /amount|fee|credit|debit|base/.test(member));
    const sums = (cells: readonly (readonly unknown[])[], index: number) =>
      cells.reduce((sum, row) => sum + Math.round(numberIn(row[index]) * 100), 0);
    for (const member of amounts) {
      const index = csv[0]?.length === members.length ? members.indexOf(member) : -1;
      if (index === -1) continue;
      expect([member, sums(csv.slice(1), index)]).toEqual([member, sumOf(rows, member)]);
      expect([member, sums(sheet.slice(1), index)]).toEqual([member, sumOf(rows, member)]);
    }
  },
);

test('shows the first page for a cursor that is malformed', async () => {
  const path = `${home}/reports/collection?${period()}`;
  const first = await amountsOf(path);
  for (const place of ['x', '2026-13-45.1.0', '0000-01-01.1.0']) {
    expect([place, await amountsOf(`${path}&behind=${place}`)]).toEqual([place, first]);
  }
});

test('exports a payer’s name as text, not as a formula', async () => {
  const url = `${service.origin}${home}/reports/collection/file?${period()}&format=csv`;
  const text = await (await fetch(url, { headers: { cookie: owner.cookie } })).text();
  expect(text).toContain(`"'=HYPERLINK`);
});

test('links each figure to journals that add up to it, and each journal to its lines', async () => {
  const links: { amount: number; href: string }[] = [];
  for (const path of ['', '/reports/collection', '/reports/refund', '/reports/retentions']) {
    const address = path === '' ? home : `${home}${path}?${period()}`;
    for (const { amount, href } of (await figuresOn(address)).values()) {
      if (href?.includes('/money/')) links.push({ amount, href });
    }
  }
  expect(links.length).toBeGreaterThan(6);
  for (const { amount, href } of links) {
    // A report shows the amounts taken; its journals, the effects on the balances.
    expect([href, Math.abs(total(await amountsOf(href)))]).toEqual([href, amount]);
  }
  const side = await openPage(browser, {
    origin: service.origin,
    office: owner,
    path: links.at(-1)?.href ?? '',
  });
  await side.locator('tbody tr a').first().click();
  await expect.poll(() => side.locator('h1').textContent()).toMatch(/^Asiento \d+$/);
  await side.context().close();
});

test('links the home page’s figures to the report of those days, with the same total', async () => {
  const figures = await figuresOn(home);
  for (const label of ['Cobrado hoy', 'Cobrado este mes']) {
    const { amount, href } = figures.get(label) ?? { amount: -1, href: null };
    expect(href).toContain('/reports/collection?');
    expect((await figuresOn(href ?? '')).get('Cobrado')?.amount).toBe(amount);
  }
});

const statement = () => `${home}/reports/statement?month=${today().toPlainYearMonth()}`;

test('reconciles a month’s statement from opening to current balance, line by line', async () => {
  const figures = await figuresOn(statement());
  const [available, unavailable] = await player.balances();
  const of = (label: string) => figures.get(label)?.amount ?? Number.NaN;
  expect(of('Saldo final')).toBe(Math.round((available + unavailable) * 100));
  expect(of('Saldo inicial') + of('Movimientos')).toBe(of('Saldo final'));
  const page = await openPage(browser, {
    origin: service.origin,
    office: owner,
    path: statement(),
  });
  const links = await page
    .locator('tbody tr a')
    .evaluateAll((all) =>
      all.map((link) => ({ href: link.getAttribute('href') ?? '', text: link.textContent })),
    );
  await page.context().close();
  expect(links.length).toBeGreaterThan(5);
  expect(total(links.map(({ text }) => cents(text)))).toBe(of('Movimientos'));
  for (const { text, href } of links) {
    expect([href, total(await amountsOf(href))]).toEqual([href, cents(text)]);
  }
  // Balances combine two kinds of money, so no page of one kind shows the same figure.
  for (const label of ['Saldo inicial', 'Saldo final']) {
    expect(figures.get(label)?.href ?? null).toBeNull();
  }
});

test.each([
  '/reports/collection?',
  '/reports/statement?',
  '/reports/statement.pdf?',
  '/money/ledger/collection/money?',
  '/money/available?until=',
])('closes the books through yesterday before it answers %s', async (path) => {
  await player.move({ days: 1 });
  const yesterday = today().subtract({ days: 1 });
  const asked = path.includes('until') ? yesterday : `month=${today().toPlainYearMonth()}`;
  expect((await owner.get(`${home}${path}${asked}`)).status).toBe(200);
  const { sql } = service.service.parts.base;
  const [closed] = await sql<{ through: Temporal.PlainDate }[]>`select through from closed_books`;
  expect(String(closed?.through)).toBe(String(yesterday));
});

test('prints every figure of the page in the PDF statement', async () => {
  const path = `${home}/reports/statement.pdf?month=${today().toPlainYearMonth()}`;
  const answer = await fetch(`${service.origin}${path}`, { headers: { cookie: owner.cookie } });
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  const pages = await readPdf(Buffer.from(await answer.arrayBuffer()));
  const text = pages.map((page) => page.text).join('\n');
  const figures = await figuresOn(statement());
  const amounts = text.match(/-?\$ ?[\d.]+,\d{2}/g)?.map(cents) ?? [];
  for (const [, { amount }] of figures) expect(amounts).toContain(amount);
  expect(text).toContain('Resumen de');
  expect(text).toContain('Transferencia que volvió');
  expect(text).toContain('Corrección');
});

test('shows an empty month as such, and answers 200 for an invalid one', async () => {
  const old = await owner.get(`${home}/reports/statement?month=2001-02`);
  expect(old.text).toContain('No hubo movimientos en este mes');
  for (const month of ['x', '2026-13', '99999-01', '0000-05', '']) {
    const { status } = await owner.get(`${home}/reports/statement?month=${month}`);
    expect([month, status]).toEqual([month, 200]);
  }
});

test.each([
  ['from=2026-02-30&to=2026-03-01', 'Desde'],
  ['from=2026-03-01', 'Hasta'],
  ['from=2026-03-02&to=2026-03-01', 'Desde'],
  ['from=2020-01-01&to=2026-03-01', 'Desde'],
  ['from=2026-03-01&to=9999-12-31', 'Hasta'],
])('refuses the period %s for page and file, with a link to the field', async (query, label) => {
  const page = await owner.get(`${home}/reports/collection?${query}`);
  expect(page.status).toBe(400);
  expect(page.text).toContain(`>${label}</a>: `);
  const file = await owner.get(`${home}/reports/collection/file?${query}&format=csv`);
  expect(file.status).toBe(400);
});

test.each([
  '/reports/nothing',
  '/reports/collection/file?format=pdf',
  '/money/ledger/collection/999',
  '/money/ledger/nothing/101',
])('answers 404 for %s', async (path) => {
  expect((await owner.get(`${home}${path}`)).status).toBe(404);
});

test('shows reports in English', async () => {
  const { text } = await owner.get(`${home}/reports/collection?${period()}&lang=en`);
  expect(text).toContain('Totals of the period');
  const overview = await owner.get(`${home}/reports/statement?lang=en`);
  expect(overview.text).toContain('Opening balance');
});

test('refuses reports to the collections role, and shows it no links to them', async () => {
  const office = await signIn(service, 'collections');
  expect((await office.get(`${home}/reports`)).status).toBe(403);
  const { text } = await office.get(home);
  expect(text).not.toContain('/reports');
});

test.each([
  ['reports', () => `/reports?${period()}`],
  ['reports-collection', () => `/reports/collection?${period()}`],
  ['reports-settlement', () => `/reports/settlement?${period()}`],
  ['reports-statement', () => `/reports/statement?month=${today().toPlainYearMonth()}`],
  ['money-journals', () => `/money/ledger/collection/money?${period()}`],
])('renders %s accessibly, at every width', async (name, path) => {
  await lookAtPage(browser, { origin: service.origin, office: owner, path: home + path() }, name);
});
