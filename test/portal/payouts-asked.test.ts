import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { correct } from '../harness/money.ts';
import { type Fields, type Office, type Shown, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { lookAtPage, openPage } from './look.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let treasurer: Office;
let owner: Office;
let collector: Office;
let reader: Office;
let operator: Office;
let watcher: Office;
const home = `/portal/${testAccount}`;
const ask = `${home}/money/payouts/ask`;
const operating = '/portal/operator/payouts';
const cbu = '2850590940090418135201';
let given = 0;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  treasurer = await signIn(service, 'treasury');
  owner = await signIn(service, 'owner');
  collector = await signIn(service, 'collections');
  reader = await signIn(service, 'read_only');
  operator = await signIn(service, 'operator');
  watcher = await signIn(service, 'operator_read_only');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function give(pesos: number): Promise<void> {
  given += 1;
  await correct(service.service.parts.base)({
    accountId: testAccount,
    amount: centavos(pesos * 100),
    reference: `give-${given}`,
    note: 'n',
    actor: testOperator,
  });
}

const keyOf = async (office: Office): Promise<string> =>
  /name="key" value="([^"]*)"/.exec((await office.get(ask)).text)?.[1] ?? '';

const asks = async (office: Office, amount = '', more: Fields = {}): Promise<Shown> =>
  await office.post(ask, { key: await keyOf(office), amount, ...more });

const proposals = () =>
  service.sql<{ id: number; state: string; amount: number }[]>`
    select id, state, amount from proposals where kind = 'payout' order by id`;

async function latest(): Promise<{ id: number; state: string; amount: number }> {
  const row = (await proposals()).at(-1);
  if (!row) throw new Error('nothing was asked for');
  return row;
}

const payouts = () =>
  service.sql<{ amount: number; cbu: string; ordered_by: number }[]>`
    select amount, cbu, ordered_by from payouts order by id`;

/** Response to the withdrawal of a request that was already decided. */
const late = { status: 409, text: expect.stringContaining('No se retiró: ya estaba decidida.') };
const withdraw = (office: Office, id: number): Promise<Shown> =>
  office.post(`${home}/money/payouts/asked/${id}/withdraw`);

test('offers no payout request without a CBU or available money', async () => {
  expect((await treasurer.get(ask)).text).toContain('no tiene CBU');
  await service.sql`update accounts set payout_cbu = ${cbu} where id = ${testAccount}`;
  expect((await treasurer.get(ask)).text).toContain('No hay nada disponible');
  const key = '11111111-1111-4111-8111-111111111111';
  expect((await treasurer.post(ask, { key, amount: '5' })).status).toBe(400);
  expect((await treasurer.post(ask, { key, amount: '' })).status).toBe(400);
  expect(await proposals()).toEqual([]);
});

test('books nothing for a treasurer’s request before the operator approves it', async () => {
  await give(1_000);
  const page = await openPage(
    browser,
    { origin: service.origin, office: treasurer, path: `${home}/money` },
    { javaScriptEnabled: false },
  );
  await page.getByRole('link', { name: 'Pedir transferencia' }).click();
  expect(await page.locator('main').innerText()).toContain('···· 5201');
  await page.getByLabel(/Importe/).fill('400,50');
  await page.getByRole('button', { name: 'Pedir', exact: true }).click();
  expect(new URL(page.url()).pathname).toBe(`${home}/money`);
  expect(await page.locator('main').innerText()).toContain('Espera a otra persona');
  await page.context().close();
  expect(await payouts()).toEqual([]);
  const { id } = await latest();
  const at = `${operating}/proposals/${id}`;
  expect((await watcher.get(at)).text).toContain('la cuenta, desde su portal');
  expect((await watcher.post(`${at}/approve`)).status).toBe(403);
  expect((await operator.get('/portal/operator')).text).toContain(
    '1 pago a una cuenta por aprobar',
  );
  // The account's users cannot open the operator's page of the request.
  for (const office of [treasurer, owner]) {
    expect((await office.post(`${at}/approve`)).status).toBe(404);
    expect((await office.get(at)).status).toBe(404);
  }
  expect((await operator.post(`${at}/approve`)).status).toBe(303);
  expect(await payouts()).toEqual([{ amount: 40_050, cbu, ordered_by: treasurer.userId }]);
  expect((await reader.get(`${home}/money`)).text).toContain('Aprobada');
  expect(await withdraw(treasurer, id)).toMatchObject(late);
});

test('allows one pending request at a time, and creates one per form, even when sent twice', async () => {
  const keys = await Promise.all([keyOf(treasurer), keyOf(owner)]);
  const answers = await Promise.all([
    treasurer.post(ask, { key: keys[0] ?? '', amount: '100' }),
    treasurer.post(ask, { key: keys[0] ?? '', amount: '100' }),
    owner.post(ask, { key: keys[1] ?? '', amount: '100' }),
  ]);
  const before = (await proposals()).length;
  expect(before).toBe(2);
  expect(
    answers
      .map(({ status }) => status)
      .toSorted()
      .at(-1),
  ).toBe(409);
  expect((await asks(owner)).status).toBe(409);
  const { id } = await latest();
  expect((await withdraw(owner, id)).location).toBe(`${home}/money`);
  const shown = (await owner.get(`${home}/money`)).text;
  expect(shown).toContain('Lo retiró ');
  expect(shown).not.toContain('Withdrawn by');
  expect(await withdraw(treasurer, id)).toMatchObject(late);
  // Sending the form again creates no second request.
  await treasurer.post(ask, { key: keys[0] ?? '', amount: '100' });
  await owner.post(ask, { key: keys[1] ?? '', amount: '100' });
  expect(await proposals()).toHaveLength(before + 1);
  const last = await latest();
  if (last.state === 'waiting') await withdraw(owner, last.id);
  expect((await operator.post(`${operating}/proposals/${id}/approve`)).status).toBe(409);
});

test('explains an invalid amount at its field', async () => {
  for (const wrong of ['0', '-1', 'todo', '599,51', '9999999999999999']) {
    const { status, text } = await asks(treasurer, wrong);
    expect([wrong, status, text]).toEqual([wrong, 400, expect.stringContaining('href="#amount"')]);
  }
  expect((await proposals()).filter(({ state }) => state === 'waiting')).toEqual([]);
});

test('checks balance, other payouts, CBU and suspension again at approval', async () => {
  expect((await asks(treasurer)).status).toBe(303);
  const { id, amount } = await latest();
  expect(amount).toBe(59_950);
  const at = `${operating}/proposals/${id}/approve`;
  await give(-1);
  expect((await operator.post(at)).status).toBe(409);
  await give(1);
  await service.sql`update accounts set payout_cbu = '0110599500000123456784'`;
  expect((await operator.post(at)).text).toContain('CBU');
  expect((await operator.post(at)).status).toBe(409);
  await service.sql`update accounts set payout_cbu = ${cbu} where id = ${testAccount}`;
  await service.sql`update accounts set state = 'suspended' where id = ${testAccount}`;
  expect((await operator.post(at)).status).toBe(403);
  expect((await treasurer.post(ask, { key: 'x' })).status).toBe(403);
  await service.sql`update accounts set state = 'active' where id = ${testAccount}`;
  const paid = (await payouts()).length;
  await Promise.all([
    operator.post(at),
    operator.post(`${operating}/propose`, { reference: 'own', accounts: testAccount }),
  ]);
  expect((await payouts()).slice(paid).map((one) => one.amount)).toEqual([59_950]);
  const { state } = await latest();
  if (state === 'waiting') await withdraw(treasurer, id);
  expect(await auditAccountFaults()).toEqual([]);
});

const auditAccountFaults = async () =>
  await doing('command', () => auditAccount(service.sql, testAccount));

test('requests payouts to the current CBU while a new one waits, and warns of the change', async () => {
  await give(500);
  const changed = await owner.post(`${home}/settings/bank-account/change`, {
    cbu: '0110599500000123456784',
  });
  expect(changed.status).toBe(303);
  expect((await treasurer.get(ask)).text).toContain('Hay un cambio de CBU');
  expect((await asks(treasurer, '10')).status).toBe(303);
  const [row] = await service.sql<{ terms: { cbu: string } }[]>`
    select terms::json as terms from proposals order by id desc limit 1`;
  expect(row?.terms.cbu).toBe(cbu);
});

test('refuses a payout request or its withdrawal from other roles, another account and a stale session', async () => {
  const { id } = await latest();
  for (const office of [collector, reader]) {
    expect((await office.get(ask)).status).toBe(403);
    expect((await withdraw(office, id)).status).toBe(403);
  }
  expect((await reader.get(`${home}/money`)).text).not.toContain('Retirar el pedido');
  const acting = { ...service.service.parts.base, actor: testOperator };
  const stranger = 'B1B2C3D4';
  await createAccount(acting, { id: stranger, name: 'Otra', cuit: '30999999995', city: 'Salta' });
  const other = await signIn(service, 'owner', { accountId: stranger });
  const theirs = `/portal/${stranger}/money/payouts/asked/${id}/withdraw`;
  expect((await other.post(theirs)).status).toBe(404);
  expect((await latest()).state).toBe('waiting');
  await service.sql`
    update user_sessions set proved_at = proved_at - interval '1 hour'
    where user_id = ${owner.userId}`;
  const stale = await owner.post(ask, { amount: '1', back: ask });
  expect([stale.status, stale.location]).toEqual([303, expect.stringContaining('/confirm')]);
});

test('renders accessible pages', async () => {
  const look = (path: string, name: string, office = treasurer): Promise<void> =>
    lookAtPage(browser, { origin: service.origin, office, path }, name);
  await look(`${home}/money`, 'money-payout-asked');
  const { id } = await latest();
  await look(`${operating}/proposals/${id}`, 'operator-payouts-asked', operator);
  expect((await withdraw(treasurer, id)).status).toBe(303);
  await look(ask, 'money-payout-ask');
  expect((await treasurer.get(`${ask}?lang=en`)).text).toContain('Request a payout');
});

test('expires an undecided request after a week, and allows another', async () => {
  expect((await asks(treasurer, '10')).status).toBe(303);
  const { id } = await latest();
  expect((await service.call('POST', '/sandbox/clock', { body: { days: 8 } })).status).toBe(200);
  expect((await operator.post(`${operating}/proposals/${id}/approve`)).status).toBe(409);
  expect((await latest()).state).toBe('expired');
  expect((await asks(treasurer, '10')).status).toBe(303);
  expect(await auditAccountFaults()).toEqual([]);
});
