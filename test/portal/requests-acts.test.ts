import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let player: Player;
let owner: Office;
let collector: Office;
let treasurer: Office;
const home = `/portal/${testAccount}/requests`;
const stranger = 'B1B2C3D4';
const cbu = '2850590940090418135201';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  player = playerOf(service);
  owner = await signIn(service, 'owner');
  collector = await signIn(service, 'collections');
  treasurer = await signIn(service, 'treasury');
  const acting = { ...service.service.parts.base, actor: testOperator };
  await createAccount(acting, { id: stranger, name: 'Otra', cuit: '30999999995', city: 'Salta' });
  // A refund also takes the retained fee, which other payments cover.
  await paid('wire_transfer', 20_000);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function paid(channel: string, amount = 1_000): Promise<number> {
  const id = await player.create({ first_total: amount });
  expect((await player.pay(id, { channel })).status).toBe(200);
  return id;
}

/** Returns the refund form's default values. */
async function refundForm(office: Office, id: number): Promise<Record<string, string>> {
  const { text } = await office.get(`${home}/${id}/refund`);
  const value = (name: string): string =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  return { key: value('key'), result_id: value('result_id') };
}

const refundsOf = async (id: number): Promise<number[]> => {
  const rows = await service.sql<{ amount: number }[]>`
    select amount from refunds where request_id = ${id} order by id`;
  return rows.map(({ amount }) => amount);
};

test('withdraws an unpaid request in two steps, without scripts', async () => {
  const id = await player.create();
  const at = { origin: service.origin, office: collector, path: `${home}/${id}` };
  const page = await openPage(browser, at, { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Retirar' }).click();
  await page.getByRole('button', { name: 'Sí, retirar el cobro' }).click();
  expect(new URL(page.url()).pathname).toBe(`${home}/${id}`);
  expect(await page.locator('.page-head .badge').textContent()).toBe('Vencido');
  expect(await page.locator('main').innerText()).toContain(`Lo retiró ${collector.email}.`);
  expect(await page.getByRole('link', { name: 'Retirar' }).count()).toBe(0);
  await page.context().close();
  const [, event] = await player.events(id);
  expect(event).toMatchObject({
    type: 'payment_request.expired',
    actor: `user:${collector.userId}`,
  });
  expect(await player.faults()).toEqual([]);
});

test('withdraws once for concurrent calls, and leaves paid requests paid', async () => {
  const id = await player.create();
  const action = `${home}/${id}/withdraw`;
  const answers = await Promise.all([1, 2, 3].map(() => collector.post(action)));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(await player.events(id)).toHaveLength(2);
  const done = await paid('wire_transfer');
  const late = await collector.post(`${home}/${done}/withdraw`);
  expect(late.status).toBe(409);
  expect(late.text).toContain('ya no está pendiente');
  expect((await player.get(done)).state).toBe('paid');
  expect((await collector.get(`${home}/${done}/withdraw`)).location).toBe(`${home}/${done}`);
});

test('refuses to withdraw or refund another account’s requests', async () => {
  const id = await player.create();
  const done = await paid('credit_card');
  const other = await signIn(service, 'owner', { accountId: stranger });
  const theirs = `/portal/${stranger}/requests`;
  for (const path of [`${theirs}/${id}/withdraw`, `${theirs}/${done}/refund`]) {
    expect((await other.get(path)).status).toBe(404);
    expect((await other.post(path)).status).toBe(404);
  }
  expect((await player.get(id)).state).toBe('pending');
  expect(await refundsOf(done)).toEqual([]);
});

test('lets a treasurer refund a whole payment through its channel', async () => {
  const id = await paid('credit_card', 1_430.5);
  const at = { origin: service.origin, office: treasurer, path: `${home}/${id}` };
  const page = await openPage(browser, at, { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Devolver' }).click();
  expect(await page.locator('main').innerText()).toMatch(
    /En blanco: todo lo que queda, \$.1\.430,50/,
  );
  expect(await page.getByLabel('CBU').count()).toBe(0);
  await page.getByRole('button', { name: 'Devolver' }).click();
  expect(new URL(page.url()).pathname).toBe(`${home}/${id}`);
  expect(await page.locator('.page-head .badge').textContent()).toBe('Devuelto');
  expect(await page.locator('section[aria-labelledby=refunds]').innerText()).toContain('Hecha');
  await page.context().close();
  const asked = (await player.events(id)).find(({ type }) => type.endsWith('refund_requested'));
  expect(asked?.actor).toBe(`user:${treasurer.userId}`);
  expect((await player.get(id)).state).toBe('refunded');
  // Nothing remains, so the form redirects back.
  expect((await treasurer.get(`${home}/${id}/refund`)).location).toBe(`${home}/${id}`);
  expect(await player.faults()).toEqual([]);
});

test('refunds once for one form sent twice at once, and another part for another form', async () => {
  const id = await paid('credit_card', 1_000);
  const action = `${home}/${id}/refund`;
  const form = await refundForm(treasurer, id);
  const sent = { ...form, amount: '300,50' };
  const answers = await Promise.all([1, 2, 3].map(() => treasurer.post(action, sent)));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(await refundsOf(id)).toEqual([30_050]);
  // The same form with another amount creates no refund, and reports that.
  const changed = await treasurer.post(action, { ...form, amount: '100' });
  expect([changed.status, await refundsOf(id)]).toEqual([409, [30_050]]);
  expect(changed.text).toContain('ya se pidió una devolución de $\u00a0300,50');
  const rest = await treasurer.post(action, { ...(await refundForm(treasurer, id)), amount: '' });
  expect(rest.status).toBe(303);
  expect(await refundsOf(id)).toEqual([30_050, 69_950]);
});

test('refunds once when two people refund everything at once', async () => {
  const id = await paid('credit_card', 500);
  const action = `${home}/${id}/refund`;
  const [one, two] = [await refundForm(treasurer, id), await refundForm(owner, id)];
  expect(one.key).not.toBe(two.key);
  await Promise.all([treasurer.post(action, one), owner.post(action, two)]);
  expect(await refundsOf(id)).toEqual([50_000]);
  expect(await player.faults()).toEqual([]);
});

test('asks for a bank account if the channel cannot refund', async () => {
  const id = await paid('non_banking', 800);
  const action = `${home}/${id}/refund`;
  const form = await refundForm(treasurer, id);
  for (const [wrong, words] of [
    ['', 'Este pago no se puede devolver por el mismo medio'],
    ['2850590940090418135202', 'No es una CBU ni una CVU'],
  ] as const) {
    const { status, text } = await treasurer.post(action, { ...form, cbu: wrong });
    expect(status).toBe(400);
    expect(text).toContain('id="cbu-fault"');
    expect(text).toContain(words);
  }
  expect(await refundsOf(id)).toEqual([]);
  const sent = await treasurer.post(action, { ...form, cbu: `${cbu.slice(0, 8)} ${cbu.slice(8)}` });
  expect(sent.status).toBe(303);
  expect(await refundsOf(id)).toEqual([80_000]);
  const { text } = await treasurer.get(`${home}/${id}`);
  expect(text).toContain('Por transferencia');
  expect(text).toContain('En camino');
});

test.each([
  ['amount', '1.000,01', 'La devolución es mayor'],
  ['amount', '0', '0,01 como mínimo'],
  ['amount', 'todo', 'No es un importe'],
  ['amount', '-5', '0,01 como mínimo'],
  ['result_id', 'x', 'número entero'],
])('reports %s %j at its field, and makes no refund', async (field, value, words) => {
  const id = await paid('credit_card', 1_000);
  const form = await refundForm(treasurer, id);
  const { status, text } = await treasurer.post(`${home}/${id}/refund`, {
    ...form,
    [field]: value,
  });
  expect([status, text]).toEqual([400, expect.stringContaining(words)]);
  expect(text).toContain(`href="#${field}"`);
  expect(await refundsOf(id)).toEqual([]);
});

test('refunds the chosen one of several payments, not the others', async () => {
  const id = await paid('non_banking', 700);
  expect((await player.pay(id, { channel: 'wire_transfer' })).status).toBe(200);
  const { text } = await treasurer.get(`${home}/${id}/refund`);
  const ids = [...text.matchAll(/type="radio" name="result_id" value="(\d+)"/g)].map(
    ([, value = '']) => value,
  );
  expect(ids).toHaveLength(2);
  const { key } = await refundForm(treasurer, id);
  const chosen = ids[1] ?? '';
  const sent = { key: key ?? '', result_id: chosen, cbu };
  expect((await treasurer.post(`${home}/${id}/refund`, sent)).status).toBe(303);
  const [row] = await service.sql`select result_id from refunds where request_id = ${id}`;
  expect(String(row?.result_id)).toBe(chosen);
  await lookAtPage(
    browser,
    { origin: service.origin, office: owner, path: `${home}/${id}` },
    'requests-refund-on-its-way',
  );
});

test('offers each role its permitted actions, none in a closed account, and no refund in a suspended one', async () => {
  const [pending, done] = [await player.create(), await paid('credit_card')];
  const offered = async (office: Office): Promise<string[]> => {
    const texts = [await office.get(`${home}/${pending}`), await office.get(`${home}/${done}`)];
    return texts.flatMap(({ text }) =>
      [...text.matchAll(/href="[^"]*\/(withdraw|refund)"/g)].map(([, act = '']) => act),
    );
  };
  expect(await offered(owner)).toEqual(['withdraw', 'refund']);
  expect(await offered(collector)).toEqual(['withdraw']);
  expect(await offered(treasurer)).toEqual(['refund']);
  await service.sql`update accounts set state = 'closed' where id = ${testAccount}`;
  try {
    expect(await offered(owner)).toEqual([]);
    for (const [id, act] of [
      [pending, 'withdraw'],
      [done, 'refund'],
    ]) {
      expect((await owner.post(`${home}/${id}/${act}`)).status).toBe(403);
    }
    await service.sql`update accounts set state = 'suspended' where id = ${testAccount}`;
    const form = { ...(await refundForm(owner, done)) };
    const refused = await owner.post(`${home}/${done}/refund`, form);
    expect([refused.status, await refundsOf(done)]).toEqual([403, []]);
  } finally {
    await service.sql`update accounts set state = 'active' where id = ${testAccount}`;
  }
});

test('renders the pages of withdrawals and refunds accessibly', async () => {
  const [pending, done] = [await player.create(), await paid('non_banking')];
  const look = (path: string, name: string): Promise<void> =>
    lookAtPage(browser, { origin: service.origin, office: owner, path: home + path }, name);
  await look(`/${pending}/withdraw`, 'requests-withdraw');
  await look(`/${done}/refund`, 'requests-refund');
}, 120_000);

test('resends an e-mail in two steps, but not again shortly afterwards', async () => {
  const id = await player.create({ payer_email: 'ana@example.com' });
  const at = { origin: service.origin, office: collector, path: `${home}/${id}` };
  const page = await openPage(browser, at, { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Enviar de nuevo' }).click();
  await page.getByRole('button', { name: 'Sí, enviar' }).click();
  expect(await page.locator('.notice-good').textContent()).toContain('en camino');
  await page.context().close();
  const action = `${home}/${id}/resend`;
  const again = await Promise.all([1, 2].map(() => collector.post(action)));
  expect(again.map(({ status }) => status)).toEqual([429, 429]);
  expect(Number(again[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(again[0]?.text).toContain('Este correo se acaba de mandar');
  const copies = await service.sql`select 1 from payer_mails where request_id = ${id} and copy > 0`;
  expect(copies).toHaveLength(1);
  const silent = await player.create();
  expect((await collector.get(`${home}/${silent}`)).text).not.toContain('Enviar de nuevo');
  expect((await treasurer.get(`${home}/${id}`)).text).not.toContain('Enviar de nuevo');
});
