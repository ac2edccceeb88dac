import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { launchBrowser } from '../harness/browser.ts';
import { signedAdhesion } from '../harness/builders/mandates.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { openPage } from './look.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let player: Player;
let owner: Office;
let operator: Office;
let paid: number;
let mandate: number;
const home = `/portal/${testAccount}`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  player = playerOf(service);
  owner = await signIn(service, 'owner');
  operator = await signIn(service, 'operator');
  mandate = await signedAdhesion(service);
  for (const first_total of [20_000, 1_000]) {
    paid = await player.create({ first_total });
    expect((await player.pay(paid, { channel: 'wire_transfer' })).status).toBe(200);
  }
  await player.move({ days: 20 });
  await service.sql`
    update accounts set payout_cbu = '2850590940090418135201' where id = ${testAccount}`;
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Returns the address to which a page redirects, and the key of its form. */
async function formAt({ cookie }: Office, address: string): Promise<{ url: string; key: string }> {
  const answer = await fetch(address, { headers: { cookie } });
  expect(answer.status).toBe(200);
  const text = await answer.text();
  const [, key] =
    /name="key" value="([^"]+)"/.exec(text) ??
    /action="[^"]*\/pay\/([\w-]+)"/.exec(text) ??
    /action="[^"]*\/(\w+)\/create"/.exec(text) ??
    [];
  return { url: answer.url, key: key ?? '' };
}

test.each([
  ['requests', () => `${home}/requests/new`, () => owner],
  ['refunds', () => `${home}/requests/${paid}/refund`, () => owner],
  ['debits', () => `${home}/debits/new/bank/${mandate}`, () => owner],
  ['QRs', () => `${home}/qr/new`, () => owner],
  ['static QRs', () => `${home}/qr/static/new`, () => owner],
  ['bank mandates', () => `${home}/mandates/new/bank`, () => owner],
  ['card mandates', () => `${home}/mandates/new/card`, () => owner],
  ['payouts', () => `${home}/money/payouts/ask`, () => owner],
  ['webhooks', () => `${home}/webhooks/new`, () => owner],
  ['API keys', () => `${home}/integrations/keys/new`, () => owner],
  ['accounts', () => '/portal/operator/accounts/new', () => operator],
  ['the sandbox', () => `/portal/operator/sandbox/requests/${paid}`, () => operator],
])('keeps the form key of %s on Back, and issues a new one from a link', async (_, path, who) => {
  const address = `${service.origin}${path()}`;
  const first = await formAt(who(), address);
  expect(first.key).toMatch(/^[\w-]+$/);
  expect((await formAt(who(), first.url)).key).toBe(first.key);
  expect((await formAt(who(), address)).key).not.toBe(first.key);
});

test.each([
  [() => `${home}/webhooks/new`, () => owner],
  [() => '/portal/operator/accounts/new', () => operator],
])('ignores a made-up key in an address', async (path, who) => {
  const address = `${service.origin}${path()}`;
  const { url } = await formAt(who(), address);
  const made = new URL(url);
  made.searchParams.set('key', '4711');
  const { key } = await formAt(who(), made.href);
  expect(key).not.toBe('4711');
});

const submit = (page: Page) => page.locator('main form button[type=submit]').last().click();

test('refunds once when a form is resent after Back, and asks first if the amount differs', async () => {
  const page = await openPage(browser, {
    origin: service.origin,
    office: owner,
    path: `${home}/requests/${paid}/refund`,
  });
  const refund = async () => {
    await page.fill('[name=amount]', '100');
    await page.fill('[name=cbu]', '2850590940090418135201');
    await submit(page);
    await page.waitForURL(/\/requests\/\d+$/);
  };
  await refund();
  await page.goBack();
  await refund();
  const rows = await service.sql`select amount from refunds where request_id = ${paid}`;
  expect(rows).toEqual([{ amount: 10_000 }]);
  // With another amount, the page first shows the existing refund. Sent again, it requests a second
  // one.
  await page.goBack();
  await page.fill('[name=amount]', '50');
  await page.fill('[name=cbu]', '2850590940090418135201');
  await submit(page);
  expect(await page.locator('main').innerText()).toMatch(
    /ya se pidió una devolución de \$\s100,00/,
  );
  await submit(page);
  await page.waitForURL(/\/requests\/\d+$/);
  const all = await service.sql`select amount from refunds where request_id = ${paid} order by id`;
  expect(all.map(({ amount }) => amount)).toEqual([10_000, 5_000]);
  await page.context().close();
});

test('creates one debit when a form is resent after Back, and asks first if the amount differs', async () => {
  const page = await openPage(browser, {
    origin: service.origin,
    office: owner,
    path: `${home}/debits/new/bank/${mandate}`,
  });
  const due = service.service.parts.clocks.business.today().add({ days: 20 }).toString();
  const make = async (total: string) => {
    await page.fill('[name=description]', 'Cuota');
    await page.fill('[name=first_due_date]', due);
    await page.fill('[name=first_total]', total);
    await submit(page);
  };
  await make('1.430,50');
  await page.waitForURL(/\/debits\/\d+$/);
  const first = page.url();
  await page.goBack();
  await make('1.430,50');
  await page.waitForURL(/\/debits\/\d+$/);
  expect(page.url()).toBe(first);
  await page.goBack();
  await make('99');
  expect(await page.locator('main').innerText()).toContain('ya se creó un débito');
  await submit(page);
  await page.waitForURL(/\/debits\/\d+$/);
  expect(page.url()).not.toBe(first);
  await page.context().close();
});

test('shows a partial refund’s amount, and excludes amounts pending approval from the remainder', async () => {
  const id = await player.create({ first_total: 1_000 });
  await player.pay(id, { channel: 'wire_transfer' });
  const { settings } = service.service.parts;
  const account = { id: testAccount, name: 'Demo' };
  await settings.limitRefunds(
    { kind: 'user', id: owner.userId },
    { account, above: centavos(50_000) },
  );
  const path = `${home}/requests/${id}/refund`;
  const cbu = '2850590940090418135201';
  const send = async (amount: string) => {
    const { key } = await formAt(owner, `${service.origin}${path}`);
    return await owner.post(path, { key, amount, cbu });
  };
  expect((await send('600,50')).location).toContain('/refunds/proposals/');
  const { text } = await owner.get(path);
  expect(text).toMatch(/todo lo que queda, \$\s399,50/);
  expect((await send('500')).text).toMatch(/quedan \$\s1\.000,00, y \$\s600,50 ya esperan/);
  const whole = await send('');
  expect(whole.location).toContain('/refunds/proposals/');
  const [row] = await service.sql`select amount from proposals order by id desc limit 1`;
  expect(row?.amount).toBe(39_950);
  await settings.limitRefunds({ kind: 'user', id: owner.userId }, { account, above: null });
  const part = await player.create({ first_total: 800 });
  await player.pay(part, { channel: 'wire_transfer' });
  const { key } = await formAt(owner, `${service.origin}${home}/requests/${part}/refund`);
  await owner.post(`${home}/requests/${part}/refund`, { key, amount: '12,50', cbu });
  const page = (await owner.get(`${home}/requests/${part}`)).text;
  const timeline = page.slice(page.indexOf('id="timeline"'));
  const asked = timeline.slice(timeline.indexOf('Se pidió'));
  expect(asked.slice(0, 600)).toMatch(/\$\s12,50/);
});

test('shows different balances before and after an approved refund', async () => {
  const [waiting] = await service.sql<{ id: number }[]>`
    select id from proposals where kind = 'refund' and state = 'waiting' order by id limit 1`;
  const other = await signIn(service, 'owner');
  const path = `${home}/refunds/proposals/${waiting?.id}`;
  expect((await other.post(`${path}/approve`)).status).toBe(303);
  const { text } = await other.get(path);
  const [, before, after] =
    /Saldo antes[\s\S]*?(\$\s[\d.,]+)[\s\S]*?Saldo después[\s\S]*?(\$\s[\d.,]+)/.exec(text) ?? [];
  expect(before).toBeDefined();
  expect(after).not.toBe(before);
});
