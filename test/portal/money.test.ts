import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { latestPayouts } from '../../src/money/payouts/index.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { sendPayout } from '../harness/money.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let player: Player;
let owner: Office;
const home = `/portal/${testAccount}`;

const cents = (text: string): number =>
  Number(text.replace(/[^\d]/g, '')) * (text.includes('-') ? -1 : 1);

/** Returns the rows of all pages of a list, as displayed without scripts. */
async function rowsOf(path: string): Promise<string[][]> {
  const page = await openPage(
    browser,
    { origin: service.origin, office: owner, path },
    { javaScriptEnabled: false },
  );
  const all: string[][] = [];
  for (;;) {
    for (const row of await page.locator('tbody tr').all()) {
      all.push(await row.locator('th, td').allTextContents());
    }
    const next = page.locator('a[rel=next]');
    if ((await next.count()) === 0) break;
    await next.click();
  }
  await page.context().close();
  return all;
}

const sumOfLast = (rows: string[][]): number =>
  rows.reduce((sum, row) => sum + cents(row.at(-1) ?? ''), 0);

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  player = playerOf(service);
  owner = await signIn(service, 'owner');
  for (let no = 0; no < 55; no += 1) {
    const id = await player.create({ first_total: 1_000 + no });
    expect((await player.pay(id, { channel: 'wire_transfer' })).status).toBe(200);
  }
  const card = await player.create({ first_total: 5_000 });
  await player.pay(card, { channel: 'credit_card' });
  await player.move({ days: 4 });
  const { base } = service.service.parts;
  await base.sql`
    update accounts set payout_cbu = '2850590940090418135201' where id = ${testAccount}`;
  await sendPayout(base)({
    accountId: testAccount,
    amount: null,
    reference: 'semana-1',
    actor: testOperator,
  });
  const [payout] = await latestPayouts(base.sql, testAccount, { behind: null, limit: 1 });
  expect(payout?.reference).toBe('semana-1');
  const dispute = await player.create({ first_total: 300 });
  await player.pay(dispute, { channel: 'credit_card' });
  expect((await player.chargeback(dispute)).status).toBe(200);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test.each([
  ['available', 0],
  ['to-come', 1],
])('lists movements at money/%s that add up to its balance, page by page', async (path, index) => {
  const rows = await rowsOf(`${home}/money/${path}`);
  const balances = await player.balances();
  expect(rows.length).toBeGreaterThan(50);
  expect(sumOfLast(rows)).toBe(Math.round((balances[index] ?? 0) * 100));
});

test('links a figure to its movements, and each of them to its journal', async () => {
  const page = await openPage(browser, {
    origin: service.origin,
    office: owner,
    path: `${home}/money`,
  });
  const [available] = await player.balances();
  const figure = page.locator('.figure-value a').first();
  expect(cents((await figure.textContent()) ?? '')).toBe(Math.round(available * 100));
  await figure.click();
  await page.waitForURL(/\/money\/available$/);
  await page.locator('tbody th a').first().click();
  await page.waitForURL(/\/money\/journals\/\d+$/);
  const lines = await page.locator('tbody tr').all();
  const sides = await Promise.all(
    lines.map(async (line) => (await line.locator('td').allTextContents()).map(cents)),
  );
  const sum = (side: number) => sides.reduce((total, line) => total + (line[side] ?? 0), 0);
  expect(sum(0)).toBeGreaterThan(0);
  expect(sum(0)).toBe(sum(1));
  await page.context().close();
});

test('shows payouts with their references, and only the last digits of the CBU', async () => {
  const { text } = await owner.get(`${home}/money/payouts`);
  expect(text).toContain('semana-1');
  expect(text).toContain('5201');
  expect(text).not.toContain('2850590940090418135201');
});

test('answers 404 for a missing or foreign item, and ignores an invalid cursor', async () => {
  const [journal] = await service.sql<{ id: number }[]>`
    select id from journals where account_id = ${testAccount} limit 1`;
  for (const path of ['money/x', 'money/journals/x', 'money/journals/1', 'money/journals/0']) {
    const { status, text } = await owner.get(`${home}/${path}`);
    expect([path, status]).toEqual([path, 404]);
    expect(text).toContain('No encontramos esta página');
  }
  const foreign = await owner.get(`/portal/FFFFFFFF/money/journals/${journal?.id}`);
  expect(foreign.status).toBe(404);
  // An invalid cursor shows the first page.
  for (const place of [
    'x',
    '0000-01-01.1',
    '2026-13-45.1',
    '2026-01-01.99999999999999999',
    "1'--",
  ]) {
    const { status } = await owner.get(
      `${home}/money/available?behind=${encodeURIComponent(place)}`,
    );
    expect([place, status]).toEqual([place, 200]);
  }
});

test('refuses the money page to the collections role, and shows it no link', async () => {
  const office = await signIn(service, 'collections');
  expect((await office.get(`${home}/money`)).status).toBe(403);
  expect((await office.get(home)).text).not.toContain(`${home}/money`);
});

test.each(['money', 'money/available', 'money/to-come', 'money/payouts'])(
  'renders %s accessibly',
  async (path) => {
    const at = { origin: service.origin, office: owner, path: `${home}/${path}` };
    await lookAtPage(browser, at, path.replace('/', '-'));
  },
);

test('renders a journal accessibly', async () => {
  const [journal] = await service.sql<{ id: number }[]>`
    select id from journals where account_id = ${testAccount} and kind = 'collection' limit 1`;
  const path = `${home}/money/journals/${journal?.id}`;
  await lookAtPage(browser, { origin: service.origin, office: owner, path }, 'money-journal');
});
