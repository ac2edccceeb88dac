import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { holderBalances } from '../../src/money/ledger/index.ts';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Fields, type Office, type Shown, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { lookAtPage, openPage } from './look.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let player: Player;
let owner: Office;
let administrator: Office;
let treasurer: Office;
let second: Office;
let collector: Office;
let reader: Office;
const home = `/portal/${testAccount}`;
const stranger = 'B1B2C3D4';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  player = playerOf(service);
  owner = await signIn(service, 'owner');
  administrator = await signIn(service, 'administrator');
  treasurer = await signIn(service, 'treasury');
  second = await signIn(service, 'treasury');
  collector = await signIn(service, 'collections');
  reader = await signIn(service, 'read_only');
  const acting = { ...service.service.parts.base, actor: testOperator };
  await createAccount(acting, { id: stranger, name: 'Otra', cuit: '30999999995', city: 'Salta' });
  // A refund also takes the retained fee, which other payments cover.
  await paid(90_000);
  expect((await limit('1.000')).status).toBe(303);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const limit = (above: string, office = owner): Promise<Shown> =>
  office.post(`${home}/settings/refunds`, { above });

async function paid(amount: number, channel = 'credit_card'): Promise<number> {
  const id = await player.create({ first_total: amount });
  expect((await player.pay(id, { channel })).status).toBe(200);
  return id;
}

/** Returns the refund form's default values. */
async function formOf(office: Office, id: number): Promise<Record<string, string>> {
  const { text } = await office.get(`${home}/requests/${id}/refund`);
  const value = (name: string): string =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  return { key: value('key'), result_id: value('result_id') };
}

async function refund(office: Office, id: number, more: Fields = {}): Promise<Shown> {
  const form = await formOf(office, id);
  return await office.post(`${home}/requests/${id}/refund`, { ...form, ...more });
}

const refundsOf = async (id: number): Promise<number[]> => {
  const rows = await service.sql<{ amount: number }[]>`
    select amount from refunds where request_id = ${id} order by id`;
  return rows.map(({ amount }) => amount);
};

const proposalsOf = (id: number) =>
  service.sql<{ id: number; state: string; amount: number; reason: string | null }[]>`
    select id, state, amount, reason from proposals where request_id = ${id} order by id`;

/** Proposes a refund of a payment. Returns the address of its page. */
async function proposed(id: number, office = treasurer, more: Fields = {}): Promise<string> {
  const { status, location } = await refund(office, id, more);
  expect([status, location]).toEqual([303, expect.stringMatching(/\/refunds\/proposals\/\d+$/)]);
  return location ?? '';
}

test('changes the limit only for owners and administrators with a fresh proof, and notifies the owners', async () => {
  const mails = await service.sql<{ subject: string }[]>`
    select subject from mails where recipient = ${owner.email}`;
  expect(mails.map(({ subject }) => subject).join()).toContain('más de $ 1.000,00');
  for (const office of [treasurer, collector, reader]) {
    expect((await limit('5', office)).status).toBe(403);
    expect((await office.get(`${home}/settings/refunds`)).status).toBe(403);
  }
  for (const wrong of ['-1', 'mil', '1,999', '99999999999999999999']) {
    const { status, text } = await limit(wrong);
    expect([wrong, status, text]).toEqual([wrong, 400, expect.stringContaining('href="#above"')]);
  }
  // Phones show a numeric keypad for it.
  const shown = await owner.get(`${home}/settings/refunds`);
  expect(shown.text).toMatch(/<input[^>]* name="above"[^>]* inputmode="decimal"/i);
  // An empty form does not remove the limit.
  expect((await owner.post(`${home}/settings/refunds`)).status).toBe(400);
  expect((await reader.get(`${home}/settings`)).text).toContain('Más de $');
  await service.sql`
    update user_sessions set proved_at = proved_at - interval '1 hour'
    where user_id = ${administrator.userId}`;
  const { status, location } = await limit('', administrator);
  expect([status, location]).toEqual([303, expect.stringContaining('/portal/confirm')]);
  const [event] = await service.sql<{ data: { before: { refund_approval_above: null } } }[]>`
    select data::json as data from events where entity = 'account' and type = 'account.changed'
    order by id desc limit 1`;
  expect(event?.data).toMatchObject({
    refund_approval_above: 100_000,
    before: { refund_approval_above: null },
  });
});

test('holds a refund above the limit for another person, in the browser without scripts', async () => {
  const id = await paid(1_500);
  const at = { origin: service.origin, office: treasurer, path: `${home}/requests/${id}` };
  const page = await openPage(browser, at, { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Devolver' }).click();
  expect(await page.locator('main').innerText()).toContain('aprueba otra persona');
  await page.getByRole('button', { name: 'Devolver', exact: true }).click();
  expect(await page.locator('main').innerText()).toContain('Espera a otra persona');
  expect(await page.locator('main').innerText()).toContain('La propusiste vos');
  expect(await page.getByRole('button', { name: 'Aprobar' }).count()).toBe(0);
  await page.goto(`${service.origin}${home}/requests/${id}`);
  expect(await page.locator('main').innerText()).toContain('Devoluciones propuestas');
  await page.context().close();
  expect(await refundsOf(id)).toEqual([]);
  expect((await treasurer.get(home)).text).not.toContain('espera tu aprobación');

  const other = await openPage(
    browser,
    { origin: service.origin, office: second, path: home },
    { javaScriptEnabled: false },
  );
  await other.getByRole('link', { name: 'Hay 1 devolución que espera tu aprobación.' }).click();
  await other.locator('tbody th a').first().click();
  await other.getByRole('button', { name: 'Aprobar' }).click();
  expect(await other.locator('main').innerText()).toContain('Aprobada');
  await other.context().close();
  expect(await refundsOf(id)).toEqual([150_000]);
  expect((await player.get(id)).state).toBe('refunded');
  expect((await second.get(home)).text).not.toContain('espera tu aprobación');
  const events = await service.sql<{ type: string; actor: string }[]>`
    select type, actor from events where entity = 'proposal' and entity_id = ${String(
      (await proposalsOf(id))[0]?.id,
    )} order by version`;
  expect(events).toEqual([
    { type: 'proposal.made', actor: `user:${treasurer.userId}` },
    { type: 'proposal.approved', actor: `user:${second.userId}` },
  ]);
  expect(await player.faults()).toEqual([]);
});

test('refuses approval by the proposer, on page, form and database, and by users who may not refund', async () => {
  const id = await paid(2_000);
  const at = await proposed(id);
  const own = await treasurer.post(`${at}/approve`);
  expect([own.status, own.text]).toEqual([
    403,
    expect.stringContaining('aprobar otra persona, no quien la propuso'),
  ]);
  for (const office of [collector, reader]) {
    expect((await office.get(at)).status).toBe(200);
    expect((await office.get(at)).text).not.toContain('/approve"');
    expect((await office.post(`${at}/approve`)).status).toBe(403);
    expect((await office.post(`${at}/reject`, { reason: 'no' })).status).toBe(403);
  }
  await expect(
    service.sql`update proposals set state = 'approved', decided_by = proposed_by,
      decided_at = proposed_at where request_id = ${id}`,
  ).rejects.toThrow(/check/);
  expect((await owner.post(`${at}/reject`, { reason: ' ' })).status).toBe(400);
  expect((await treasurer.post(`${at}/reject`, { reason: 'me equivoqué' })).status).toBe(303);
  const late = await owner.post(`${at}/approve`);
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('ya se decidió')]);
  expect(await refundsOf(id)).toEqual([]);
});

test('applies one of several concurrent decisions, and refunds once', async () => {
  const id = await paid(3_000);
  const at = await proposed(id);
  const answers = await Promise.all([
    second.post(`${at}/approve`),
    owner.post(`${at}/approve`),
    administratorFresh().then((office) => office.post(`${at}/approve`)),
    second.post(`${at}/approve`),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409, 409]);
  expect(await refundsOf(id)).toEqual([300_000]);
});

async function administratorFresh(): Promise<Office> {
  await service.sql`
    update user_sessions set proved_at = now() where user_id = ${administrator.userId}`;
  return administrator;
}

test('adds up partial refunds, and holds the one that passes the limit and all later ones', async () => {
  const id = await paid(2_500);
  const parts = ['600', '400', '0,01', '700'];
  const outcomes = [];
  for (const amount of parts) {
    const { location } = await refund(treasurer, id, { amount });
    outcomes.push(location?.includes('/proposals/') ?? false);
  }
  expect(outcomes).toEqual([false, false, true, true]);
  expect(await refundsOf(id)).toEqual([60_000, 40_000]);
  // Different people refund concurrently; each call locks the account.
  const other = await paid(2_500);
  const offices = [treasurer, second, owner, treasurer];
  const forms = await Promise.all(offices.map((office) => formOf(office, other)));
  await Promise.all(
    offices.map((office, no) =>
      office.post(`${home}/requests/${other}/refund`, { ...forms[no], amount: '500' }),
    ),
  );
  expect(await refundsOf(other)).toEqual([50_000, 50_000]);
  expect((await proposalsOf(other)).map(({ amount }) => amount)).toEqual([50_000, 50_000]);
});

test('deducts pending amounts from the remainder, and makes one proposal per form', async () => {
  const id = await paid(2_000);
  const form = await formOf(treasurer, id);
  const send = () => treasurer.post(`${home}/requests/${id}/refund`, { ...form, amount: '1500' });
  const answers = await Promise.all([send(), send(), send()]);
  expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
  expect(await proposalsOf(id)).toHaveLength(1);
  const more = await refund(second, id, { amount: '501' });
  expect([more.status, more.text]).toEqual([400, expect.stringContaining('ya esperan aprobación')]);
  const at = answers[0]?.location ?? '';
  expect((await owner.post(`${at}/reject`, { reason: 'no' })).status).toBe(303);
  // Sending the same form again leads to the outcome.
  expect((await send()).location).toBe(at);
  expect(await proposalsOf(id)).toHaveLength(1);
});

test('lets keys with permission refund up to the remainder, regardless of the limit', async () => {
  const id = await paid(4_000);
  const at = await proposed(id);
  const answer = await service.call('POST', `/payment-request/${id}/refund`, {
    body: { refund: { amount: 3_000 } },
  });
  expect(answer.status).toBe(201);
  const refused = await owner.post(`${at}/approve`);
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('puede ser de hasta $\u00a01.000,00'),
  ]);
  await service.call('POST', `/payment-request/${id}/refund`, { body: { refund: {} } });
  const gone = await owner.post(`${at}/approve`);
  expect([gone.status, gone.text]).toEqual([
    409,
    expect.stringContaining('No se puede hacer la devolución'),
  ]);
  expect((await proposalsOf(id)).map(({ state }) => state)).toEqual(['waiting']);
  expect((await owner.post(`${at}/reject`, { reason: 'ya volvió' })).status).toBe(303);
});

test('keeps a proposal whose approval fails: chargeback, low balance, suspended account', async () => {
  const disputed = await paid(2_000);
  const at = await proposed(disputed);
  await player.chargeback(disputed);
  expect((await owner.post(`${at}/approve`)).status).toBe(409);
  expect((await proposalsOf(disputed)).map(({ state }) => state)).toEqual(['waiting']);

  const id = await paid(5_000);
  const held = await proposed(id);
  await service.sql`update accounts set state = 'suspended' where id = ${testAccount}`;
  try {
    const refused = await owner.post(`${held}/approve`);
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('La cuenta está suspendida'),
    ]);
  } finally {
    await service.sql`update accounts set state = 'active' where id = ${testAccount}`;
  }
  const { available, unavailable } = await holderBalances(service.sql, testAccount);
  const take = (pesos: number, reference: string) =>
    service.service.parts.fourEyes.orderCorrection({
      accountId: testAccount,
      amount: Math.round(pesos * 100) as never,
      reference,
      note: 'n',
      by: null,
      actor: testOperator,
    });
  const owed = (available + unavailable) / 100;
  await take(-(owed - 10), 'drain');
  const poor = await owner.post(`${held}/approve`);
  expect([poor.status, poor.text]).toEqual([
    409,
    expect.stringContaining('a que el saldo alcance'),
  ]);
  await take(owed - 10, 'fill');
  expect(await refundsOf(id)).toEqual([]);
  expect((await owner.post(`${held}/approve`)).status).toBe(303);
  expect(await refundsOf(id)).toEqual([500_000]);
});

test('exempts new refunds, but not pending ones, when the limit is removed', async () => {
  const id = await paid(2_000);
  const at = await proposed(id, treasurer, { amount: '1200' });
  expect((await limit('')).status).toBe(303);
  expect((await treasurer.post(`${at}/approve`)).status).toBe(403);
  const { location } = await refund(treasurer, id, { amount: '800' });
  expect(location).toBe(`${home}/requests/${id}`);
  expect((await limit('0')).status).toBe(303);
  const small = await paid(1_000);
  expect((await refund(treasurer, small, { amount: '0,01' })).location).toContain('/proposals/');
  expect((await limit('1000')).status).toBe(303);
  expect((await second.post(`${at}/approve`)).status).toBe(303);
  expect(await refundsOf(id)).toEqual([80_000, 120_000]);
});

test('lets another person decide a former user’s proposal, and shows that they left', async () => {
  const leaver = await signIn(service, 'treasury');
  const id = await paid(2_000);
  const at = await proposed(id, leaver);
  await service.service.parts.users.changeMember(testOperator, {
    account: { id: testAccount, name: 'Test' },
    userId: leaver.userId,
    granting: null,
    role: null,
  });
  expect((await leaver.post(`${at}/approve`)).status).toBe(404);
  expect((await owner.get(at)).text).toContain('ya no trabaja para la cuenta');
  expect((await owner.post(`${at}/approve`)).status).toBe(303);
  expect(await refundsOf(id)).toEqual([200_000]);
});

test('hides another account’s proposals', async () => {
  const other = await signIn(service, 'owner', { accountId: stranger });
  const id = await paid(2_000);
  const at = await proposed(id);
  const theirs = at.replace(testAccount, stranger);
  for (const address of [at, theirs]) {
    expect((await other.get(address)).status).toBe(404);
    expect((await other.post(`${address}/approve`)).status).toBe(404);
    expect((await other.post(`${address}/reject`, { reason: 'x' })).status).toBe(404);
  }
  for (const wrong of ['0', 'x', '999999999999']) {
    expect((await owner.get(`${home}/refunds/proposals/${wrong}`)).status).toBe(404);
  }
  expect((await proposalsOf(id)).map(({ state }) => state)).toEqual(['waiting']);
});

test('renders accessible pages, and leaves a clean audit', async () => {
  const id = await paid(2_200);
  const at = await proposed(id);
  const look = (path: string, name: string): Promise<void> =>
    lookAtPage(browser, { origin: service.origin, office: owner, path }, name);
  await look(`${home}/refunds`, 'refunds');
  await look(at, 'refunds-one');
  await look(`${home}/requests/${id}`, 'requests-refund-proposed');
  await look(`${home}/settings/refunds`, 'settings-refunds');
  expect((await owner.get(`${home}/refunds?lang=en`)).text).toContain('Refunds to approve');
  const faults = await doing('command', () => auditAccount(service.sql, testAccount));
  expect(faults).toEqual([]);
  expect(await player.faults()).toEqual([]);
});

test('expires an undecided proposal after a week, by clock and sweep, with its event', async () => {
  const id = await paid(2_000);
  const at = await proposed(id);
  const moved = await player.move({ days: 8 });
  expect(moved.status).toBe(200);
  const late = await owner.post(`${at}/approve`);
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('Venció')]);
  expect((await proposalsOf(id)).map(({ state }) => state)).toEqual(['expired']);
  const [event] = await service.sql`
    select type, actor from events where entity = 'proposal' order by id desc limit 1`;
  expect(event).toMatchObject({ type: 'proposal.expired', actor: 'system' });
  expect(await refundsOf(id)).toEqual([]);
  expect(await player.faults()).toEqual([]);
});

test('shows “100+” waiting refunds when there are more than a hundred', async () => {
  await service.sql`
    insert into proposals (account_id, id, kind, reference, amount, terms, state, proposed_by,
      proposed_at, expires_at)
    select ${testAccount}, 9000000 + i, 'refund', 'many-' || i, i, '{}', 'waiting',
      ${treasurer.userId}, now(), now() + interval '100 years' from generate_series(1, 101) i`;
  expect((await second.get(home)).text).toContain('Hay 100+ devoluciones que esperan');
});
