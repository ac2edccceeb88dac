import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let operator: Office;
let player: Player;
const home = '/portal/operator/sandbox';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  operator = await signIn(service, 'operator');
  player = playerOf(service);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Empty fields, as browsers send them. */
const unpaid = { channel: '', amount: '', card_number: '' };

const now = () => service.service.parts.clocks.business.now();

/** Returns the address of a form on a request's page, with its single-use key. */
async function formOf(id: number, what: 'pay' | 'chargeback'): Promise<string> {
  const { text } = await operator.get(`${home}/requests/${id}`);
  return new RegExp(`action="([^"]+/${what}/[^"]+)"`).exec(text)?.[1] ?? '';
}

const resultIn = async (id: number): Promise<string> =>
  /name="result" value="(\d+)"/.exec((await operator.get(`${home}/requests/${id}`)).text)?.[1] ??
  '';

test('moves the clock without scripts and lists what happened', async () => {
  const id = await player.create({ first_total: 1_000 });
  await player.pay(id, { channel: 'credit_card' });
  const before = now();
  const at = { origin: service.origin, office: operator, path: home };
  const page = await openPage(browser, at, { javaScriptEnabled: false });
  await page.locator('[name=step]').selectOption('month');
  await page.getByRole('button', { name: 'Adelantar el reloj' }).click();
  expect(await page.locator('main').textContent()).toContain('El reloj marca');
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
  expect(now().since(before).total('hours')).toBeGreaterThanOrEqual(30 * 24);
  const [event] = await service.sql<{ actor: string }[]>`
    select actor from operator_events where type = 'clock.moved' order by id desc limit 1`;
  expect(event?.actor).toBe(`user:${operator.userId}`);
  await page.context().close();
});

test('moves the clock once for a repeated form, even if concurrent', async () => {
  const from = now();
  const fields = { from: from.toString(), step: 'day', until: '' };
  const both = await Promise.all([
    operator.post(`${home}/clock`, fields),
    operator.post(`${home}/clock`, fields),
  ]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const third = await operator.post(`${home}/clock`, fields);
  expect(third.text).toContain('El reloj ya había pasado de ahí');
  expect(now().since(from).total('hours')).toBeLessThan(25);
});

test.each([
  ['step', {}],
  ['step', { step: 'year' }],
  ['step', { step: 'toString' }],
  ['until', { until: '2001-01-01' }],
  ['until', { until: '9999-01-01' }],
  ['until', { until: 'mañana' }],
] as const)('does not move the clock with an invalid %s (%o)', async (field, fields) => {
  const before = now();
  const answer = await operator.post(`${home}/clock`, {
    ...{ from: before.toString(), step: '', until: '' },
    ...fields,
  });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(`href="#${field}"`);
  expect(now().since(before).total('minutes')).toBeLessThan(1);
});

test('finds a request by number, pays it once per form, and charges it back', async () => {
  const id = await player.create({ first_total: 1_500.5 });
  expect((await operator.get(`${home}?number=${id}`)).location).toBe(`${home}/requests/${id}`);
  const action = await formOf(id, 'pay');
  const sent = await Promise.all([operator.post(action, unpaid), operator.post(action, unpaid)]);
  sent.push(await operator.post(action, unpaid));
  expect(sent.map(({ status }) => status)).toEqual([303, 303, 303]);
  const paid = await player.get(id);
  expect([paid.state, paid.request_result.length]).toEqual(['paid', 1]);
  const result = await resultIn(id);
  const back = await formOf(id, 'chargeback');
  await Promise.all([operator.post(back, { result }), operator.post(back, { result })]);
  expect((await player.get(id)).state).toBe('reverted');
  const events = await service.sql<{ type: string; actor: string }[]>`
    select type, actor from events where account_id = ${testAccount}
      and entity = 'payment_request' and entity_id = ${String(id)} and version > 1
      and type in ('payment_request.paid', 'payment_request.reverted') order by version`;
  const actor = `user:${operator.userId}`;
  expect([...events]).toEqual([
    { type: 'payment_request.paid', actor },
    { type: 'payment_request.reverted', actor },
  ]);
});

test('pays a partial amount, and explains an impossible amount, an invalid card and a paid request', async () => {
  const id = await player.create({ first_total: 2_000 });
  for (const amount of ['-5', '0', 'mucho', '1e9', '1.5.0']) {
    const answer = await operator.post(await formOf(id, 'pay'), { ...unpaid, amount });
    expect([amount, answer.status]).toEqual([amount, 400]);
    expect(answer.text).toContain('href="#amount"');
  }
  const card = { ...unpaid, channel: 'credit_card', card_number: '1234' };
  const wrong = await operator.post(await formOf(id, 'pay'), card);
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('href="#card_number"');
  const part = await operator.post(await formOf(id, 'pay'), { ...unpaid, amount: '1.000,25' });
  expect(part.status).toBe(303);
  expect((await player.get(id)).request_result[0].amount).toBe(1_000.25);
  const again = await operator.post(await formOf(id, 'pay'), {
    ...unpaid,
    channel: 'credit_card',
  });
  expect(again.status).toBe(409);
  expect((await player.get(id)).request_result).toHaveLength(1);
});

test('answers 400 or 404 to unknown numbers and made-up forms', async () => {
  expect((await operator.get(`${home}?number=abc`)).status).toBe(400);
  for (const id of ['0', 'x', '999999999999999', '-1']) {
    expect([id, (await operator.get(`${home}/requests/${id}`)).status]).toEqual([id, 404]);
  }
  const id = await player.create({ first_total: 100 });
  expect((await operator.post(`${home}/requests/${id}/pay/short`, unpaid)).status).toBe(404);
});

test('offers read-only users no simulation and no link', async () => {
  const reader = await signIn(service, 'operator_read_only');
  expect((await reader.get(home)).status).toBe(403);
  expect((await reader.get('/portal/operator')).text).not.toContain(home);
  expect((await operator.get('/portal/me')).text).toContain(home);
});

test('renders both pages accessibly', async () => {
  const id = await player.create({ first_total: 100 });
  await player.pay(id, { channel: 'wire_transfer' });
  for (const [path, name] of [
    [home, 'operator-sandbox'],
    [`${home}/requests/${id}`, 'operator-sandbox-request'],
  ] as const) {
    await lookAtPage(browser, { origin: service.origin, office: operator, path }, name);
    const { status, text } = await operator.get(`${path}?lang=en`);
    expect([status, text.includes('<html lang="en"')]).toEqual([200, true]);
  }
});
