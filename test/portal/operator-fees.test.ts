import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFeeBooks, readFees } from '../../src/money/fees/index.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let operator: Office;
const home = `/portal/operator/accounts/${testAccount}/fees`;
const registers = '/portal/operator/registers';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  operator = await signIn(service, 'operator');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const today = () => service.service.parts.clocks.business.today();
const terms = (more: Record<string, string> = {}) => ({
  percentage: '1,25',
  fixed: '10,50',
  minimum: '',
  days: '3',
  from: today().toString(),
  ...more,
});

const termsNow = async (day = today()) =>
  (await readFeeBooks(service.sql, [testAccount])).get(testAccount)?.('qr', day);

test('sets and ends terms from a day on, and shows each change’s author', async () => {
  const later = today().add({ days: 5 });
  expect((await operator.post(`${home}/qr`, terms())).location).toBe(home);
  const next = terms({ percentage: '2', from: later.toString() });
  expect((await operator.post(`${home}/qr`, next)).status).toBe(303);
  expect(await termsNow()).toEqual({
    percentagePpm: 12_500,
    fixed: 1_050,
    minimum: 0,
    availableAfterDays: 3,
  });
  expect((await termsNow(later))?.percentagePpm).toBe(20_000);
  const { text } = await operator.get(home);
  expect(text).toContain('1,25\u00a0%');
  expect(text).toContain('Lo que viene');
  expect(text).toContain('Test operator');
  const end = { from: later.toString() };
  expect((await operator.post(`${home}/qr/end`, end)).status).toBe(303);
  const again = await operator.post(`${home}/qr/end`, end);
  expect(again.status).toBe(409);
  expect(again.text).toContain('no hay comisiones propias que terminar');
  expect((await termsNow(later))?.percentagePpm).toBe(8_000);
  expect((await termsNow())?.percentagePpm).toBe(12_500);
});

test('shows current terms to the second of two operators who change a channel', async () => {
  const path = `${home}/credit_card`;
  const other = await signIn(service, 'operator');
  const seenIn = (text: string) => /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const seen = seenIn((await operator.get(path)).text);
  const mine = { ...terms({ percentage: '3,5' }), seen };
  const theirs = { ...terms({ percentage: '4' }), seen };
  const both = await Promise.all([operator.post(path, mine), other.post(path, theirs)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  const fresh = seenIn((await operator.get(path)).text);
  expect((await operator.post(path, { ...mine, seen: fresh })).status).toBe(303);
  // Sending the same form twice is one change.
  expect((await operator.post(path, { ...mine, seen: fresh })).status).toBe(303);
  const late = await other.post(path, { ...theirs, seen });
  expect([late.status, late.text]).toEqual([409, expect.stringMatching(/: 3\.50? % \+ /)]);
  expect(late.text).toMatch(/name="percentage"[^>]*value="4"/);
  const end = await other.post(`${path}/end`, { from: today().toString(), seen });
  expect([end.status, end.text]).toEqual([
    409,
    expect.stringContaining('Esto cambió mientras lo editabas'),
  ]);
  const known = { ...theirs, seen: seenIn(late.text) };
  expect((await other.post(path, known)).status).toBe(303);
  const rows = await readFees(service.sql, [testAccount]);
  const row = rows.find(({ channel }) => channel === 'credit_card');
  expect(row?.percentage_ppm).toBe(40_000);
});

test.each([
  ['percentage', { percentage: '100,01' }],
  ['percentage', { percentage: '' }],
  ['percentage', { percentage: '-1' }],
  ['fixed', { fixed: 'diez' }],
  ['fixed', { fixed: '-1' }],
  ['minimum', { minimum: '1,234' }],
  ['days', { days: '367' }],
  ['days', { days: '1.5' }],
  ['from', { from: '2001-01-01' }],
  ['from', { from: '' }],
])('refuses terms with an invalid %s, and explains it (%o)', async (field, wrong) => {
  const before = await readFees(service.sql, [testAccount]);
  const answer = await operator.post(`${home}/debit_card`, terms(wrong));
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(`href="#${field}"`);
  expect(await readFees(service.sql, [testAccount])).toEqual(before);
});

test('answers 404 for an unknown channel or account', async () => {
  for (const path of [
    `${home}/gold`,
    '/portal/operator/accounts/FFFFFFFF/fees',
    '/portal/operator/accounts/x/fees/qr',
  ]) {
    expect([path, (await operator.get(path)).status]).toEqual([path, 404]);
  }
});

const header = 'cuit,regime,jurisdiction,rate,valid_from,valid_to';

/** Sends a register through its page. Returns the text of the answer. */
async function send(name: string, text: string, mode: string): Promise<string> {
  const at = { origin: service.origin, office: operator, path: registers };
  const page = await openPage(browser, at, { javaScriptEnabled: false });
  await page
    .locator('[name=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.locator(`[name=mode][value=${mode}]`).check();
  await page.getByRole('button', { name: 'Mandar el archivo' }).click();
  const told = (await page.locator('main').textContent()) ?? '';
  await page.context().close();
  return told;
}

test('validates a register, imports it once, and shows it in the account’s withholdings', async () => {
  const [account] = await service.sql<{ cuit: string }[]>`
    select cuit from accounts where id = ${testAccount}`;
  const text = `${header}\n${account?.cuit},iibb,AR-B,3.50,2026-01-01,2026-12-31\n`;
  expect(await send('padron 1.csv', text, 'check')).toContain('Esto es lo que cambiaría');
  expect(await service.sql`select 1 from registers`).toHaveLength(0);
  expect(await send('padron 1.csv', text, 'import')).toContain('El padrón se cargó: 1 línea');
  expect(await send('otro.csv', text, 'import')).toContain('ya se había cargado');
  const { text: page } = await operator.get(home);
  expect(page).toContain('AR-B');
  expect(page).toContain('3,50\u00a0%');
  const [event] = await service.sql<{ actor: string; data: { name: string } }[]>`
    select actor, data from operator_events where type = 'taxpayer_rates.imported'`;
  expect(event).toMatchObject({
    actor: `user:${operator.userId}`,
    data: { name: 'padron_1.csv' },
  });
});

test('reports the faulty lines of a register, and a missing file', async () => {
  const told = await send('malo.csv', `${header}\n123,iibb,AR-B,x,2026-01-01,\n1,2\n`, 'import');
  expect(told).toContain('El padrón no se cargó');
  expect(told).toContain('Renglón 2, cuit: "123" no es un CUIT');
  expect(told).toContain('Renglón 3: tiene 2 columnas, y tienen que ser cuit, regime');
  const answer = await operator.post(registers, { mode: 'import' });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('href="#file"');
});

test('shows fees and registers to read-only users, without forms', async () => {
  const reader = await signIn(service, 'operator_read_only');
  for (const path of [home, registers]) {
    const { status, text } = await reader.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).not.toMatch(/\/fees\/\w|<form method="post" action="\/portal\/operator/);
  }
  expect((await reader.get(`${home}/qr`)).status).toBe(403);
});

test.each([
  [home, 'operator-fees'],
  [`${home}/qr`, 'operator-fees-change'],
  [registers, 'operator-registers'],
])('renders %s accessibly', async (path, name) => {
  await lookAtPage(browser, { origin: service.origin, office: operator, path }, name);
  const { status, text } = await operator.get(`${path}?lang=en`);
  expect([status, text.includes('<html lang="en"')]).toEqual([200, true]);
});
