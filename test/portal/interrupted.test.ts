import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, signIn, testPassword } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playerOf } from '../scenarios/play.ts';
import { openPage } from './look.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let owner: Office;
const home = `/portal/${testAccount}`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', SESSION_IDLE_MINUTES: '15' });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function opened(path: string): Promise<Page> {
  owner = await signIn(service, 'owner');
  return await openPage(browser, { origin: service.origin, office: owner, path });
}

const submit = (page: Page) => page.locator('main form button[type=submit]').last().click();

async function enter(page: Page, email: string): Promise<void> {
  await page.locator('#email').fill(email);
  await page.locator('#password').fill(testPassword);
  await submit(page);
}

const endSessions = (office: Office) => service.sql`
  update user_sessions set seen_at = now() - interval '1 hour' where user_id = ${office.userId}`;

const created = async () => {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int from requests where description = 'Cuota de marzo'`;
  return row?.count;
};

async function fillRequest(page: Page): Promise<void> {
  await page.locator('#description').fill('Cuota de marzo');
  await page.locator('#payer_name').fill('Ana Sosa');
  await page.locator('#first_total').fill('1.250,50');
  await page.locator('#first_due_date').fill('2030-12-05');
}

test('opens a new page without the drafts of another one', async () => {
  const first = await browser.newPage();
  await first.goto(`${service.origin}/portal/sign-in`);
  await first.evaluate(() => sessionStorage.setItem('draft', 'typed'));
  await first.close();
  const second = await browser.newPage();
  await second.goto(`${service.origin}/portal/sign-in`);
  expect(await second.evaluate(() => sessionStorage.getItem('draft'))).toBe(null);
  await second.close();
});

test('keeps the language that a user chose, and what they had typed', async () => {
  const page = await opened(`${home}/requests/new`);
  await fillRequest(page);
  await page.locator('a.language').click();
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  expect(await page.locator('#description').inputValue()).toBe('Cuota de marzo');
  expect(await page.locator('#first_due_date').inputValue()).toBe('2030-12-05');
  await page.goto(`${service.origin}${home}`);
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  await page.goto(`${service.origin}/portal/me`);
  await page.locator('[name=lang]').first().selectOption('es');
  await page.locator('form[action="/portal/me/language"] button[type=submit]').click();
  await page.goto(`${service.origin}${home}`);
  expect(await page.locator('html').getAttribute('lang')).toBe('es-AR');
  await page.context().close();
});

test('links a refused form to its own page in the other language', async () => {
  const page = await opened(`${home}/requests/new`);
  await page.locator('#payer_name').fill('Ana Sosa');
  await submit(page);
  await page.locator('.faults').waitFor();
  await page.locator('a.language').click();
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  expect(await page.locator('h1').textContent()).not.toContain('not found');
  expect(await page.locator('#payer_name').inputValue()).toBe('Ana Sosa');
  await page.context().close();
});

test('returns to the filled form after the session ended, and creates once', async () => {
  const page = await opened(`${home}/requests/new`);
  await fillRequest(page);
  await endSessions(owner);
  await submit(page);
  await page.waitForURL('**/portal/sign-in?**');
  await enter(page, owner.email);
  await page.locator('#description').waitFor();
  expect(await page.locator('#first_total').inputValue()).toBe('1.250,50');
  expect(await page.locator('#payer_name').inputValue()).toBe('Ana Sosa');
  expect(await created()).toBe(0);
  await submit(page);
  const create = page.getByRole('button', { name: 'Crear el cobro' });
  await create.waitFor();
  await endSessions(owner);
  await create.click();
  await enter(page, owner.email);
  await page.locator('#description').waitFor();
  expect(await page.locator('#description').inputValue()).toBe('Cuota de marzo');
  await submit(page);
  await create.click();
  await page.waitForURL(/requests\/\d+/);
  expect(await created()).toBe(1);
  await page.goto(`${service.origin}${home}/requests/new`);
  expect(await page.locator('#description').inputValue()).toBe('');
  await page.context().close();
});

test('does not show one user’s draft to another', async () => {
  const page = await opened(`${home}/requests/new`);
  await fillRequest(page);
  await endSessions(owner);
  await submit(page);
  const other = await signIn(service, 'owner');
  await enter(page, other.email);
  await page.locator('#description').waitFor();
  expect(await page.locator('#description').inputValue()).toBe('');
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await page.context().close();
});

test('returns to the filled form after a fresh proof', async () => {
  const page = await opened(`${home}/webhooks/new`);
  await page.locator('#url').fill('https://shop.example.com/hook');
  await service.sql`update user_sessions set proved_at = now() - interval '1 hour'`;
  await submit(page);
  await page.waitForURL('**/portal/confirm?**');
  await page.locator('#password').fill(testPassword);
  await submit(page);
  await page.locator('#url').waitFor();
  expect(await page.locator('#url').inputValue()).toBe('https://shop.example.com/hook');
  await page.context().close();
});

test('does not keep passwords or card numbers of interrupted forms', async () => {
  const page = await opened('/portal/me');
  await page.evaluate(() => addEventListener('submit', (event) => event.preventDefault()));
  await page.locator('[name=current]').fill('a-password-of-mine');
  await page.locator('form[action="/portal/me/password"] button[type=submit]').click();
  expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('of-mine');
  await page.goto(`${service.origin}${home}/requests/new`);
  await page.locator('#description').fill('cobrar 4507 9900 0000 4905 a Juan');
  await page.locator('#payer_name').fill('Ana Sosa');
  await page.locator('a.language').click();
  expect(await page.locator('#payer_name').inputValue()).toBe('Ana Sosa');
  expect(await page.locator('#description').inputValue()).toBe('');
  await page.goto(`${service.origin}${home}/mandates/new/card`);
  await page.locator('#card_number').fill('4507 9900 0000 4905');
  await page.locator('a.language').click();
  expect(await page.locator('#card_number').inputValue()).toBe('');
  await page.context().close();
});

test('warns before an unused session ends, and says when it has ended', async () => {
  const page = await opened(home);
  const notice = page.locator('.session-notice');
  await page.clock.install();
  await page.reload();
  expect(await notice.isVisible()).toBe(false);
  await page.clock.runFor('13:01');
  expect(await notice.isVisible()).toBe(true);
  await page.locator('[data-session-stay]').click();
  await notice.waitFor({ state: 'hidden' });
  await page.clock.runFor('13:01');
  expect(await page.locator('[data-session-soon]').isVisible()).toBe(true);
  await page.clock.runFor('02:00');
  expect(await page.locator('[data-session-over]').isVisible()).toBe(true);
  expect(await page.locator('[data-session-stay]').isVisible()).toBe(false);
  await page.context().close();
});

test('continues at a page after sign-in, never at the address of a form or of another site', async () => {
  const to = async (path: string, fields = {}) => {
    const { location } = await owner.post(path, fields);
    return new URL(location ?? '', service.origin).searchParams.get('next');
  };
  await endSessions(owner);
  expect(await to('/portal/me/sessions/1/end')).toBeNull();
  expect(await to('/portal/me/sessions/1/end', { back: '/portal/me' })).toBe('/portal/me');
  expect(await to('/portal/me/sessions/1/end', { back: '//evil.example.com' })).toBeNull();
});

test('restores interrupted input only in the form of the same payment request', async () => {
  const player = playerOf(service);
  const paid = async (): Promise<string> => {
    const id = await player.create();
    await player.pay(id);
    return `${home}/requests/${id}/refund`;
  };
  const [one, other] = [await paid(), await paid()];
  const page = await opened(one);
  const amount = page.locator('#amount');
  const usual = await amount.inputValue();
  const interrupt = async (): Promise<void> => {
    await page.goto(service.origin + one);
    await amount.fill('1,25');
    await endSessions(owner);
    await submit(page);
    await page.waitForURL('**/portal/sign-in?**');
  };
  await interrupt();
  await page.goto(service.origin + other);
  await enter(page, owner.email);
  await page.waitForURL(`**${other}*`);
  expect(await amount.inputValue()).toBe(usual);
  await interrupt();
  await enter(page, owner.email);
  await page.waitForURL(`**${one}*`);
  expect(await amount.inputValue()).toBe('1,25');
  await page.context().close();
});
