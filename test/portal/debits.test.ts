import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalWords, rejectCodes } from '../../src/debit-requests/index.ts';
import { launchBrowser } from '../harness/browser.ts';
import { inDays } from '../harness/builders/clock.ts';
import {
  createCardDebit,
  createDebit,
  getDebit,
  handOver,
  settle,
  submittedDebit,
} from '../harness/builders/debits.ts';
import { signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { type Office, type Shown, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let owner: Office;
let collector: Office;
const home = `/portal/${testAccount}`;
const list = `${home}/debits`;

const at = (path: string, office = owner) => ({ origin: service.origin, office, path });
const keyIn = ({ text }: Shown): string => /name="key" value="([^"]+)"/.exec(text)?.[1] ?? '';
const idsIn = ({ text }: Shown): number[] =>
  [...text.matchAll(/<th scope="row"[^>]*><a href="[^"]*\/debits\/(\d+)"/g)].map(([, id]) =>
    Number(id),
  );
const isoDay = (days: number): string =>
  service.service.parts.clocks.business.today().add({ days }).toString();
const stateOf = async (id: number) => (await getDebit(service, id)).state;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  owner = await signIn(service, 'owner');
  collector = await signIn(service, 'collections');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test('explains debits to an account that has none', async () => {
  expect((await owner.get(list)).text).toContain('Todavía no hay débitos');
  expect((await owner.get(`${list}/days`)).text).toContain('Todavía no hay débitos');
  await lookAtPage(browser, at(list), 'debits-empty');
});

test('creates a debit from its mandate’s page without scripts, with a decimal comma', async () => {
  const mandate = await signedAdhesion(service, { adhesion_holder_name: 'Eva Luna' });
  const page = await openPage(browser, at(`${home}/mandates/bank/${mandate}`, collector), {
    javaScriptEnabled: false,
  });
  await page.click('text=Nuevo débito');
  await page.fill('[name=first_due_date]', isoDay(20));
  await page.fill('[name=first_total]', '1.430,50');
  await page.click('main button[type=submit]');
  await page.waitForURL(/\/debits\/\d+$/);
  const id = Number(/(\d+)$/.exec(page.url())?.[1]);
  await page.context().close();
  expect(await getDebit(service, id)).toMatchObject({
    adhesion_id: mandate,
    state: 'pending',
    first_total: 1430.5,
    description: 'Cuota social del club',
  });
  const [event] = await service.sql<{ actor: string }[]>`
    select actor from events where entity_id = ${String(id)} and type = 'debit_request.created'`;
  expect(event?.actor).toBe(`user:${collector.userId}`);
  const { text } = await owner.get(`${home}/mandates/bank/${mandate}`);
  expect(text).toContain(`/debits/${id}"`);
});

test('requests a card debit for a month, and refuses a past or malformed month', async () => {
  const mandate = await signedCardAdhesion(service);
  const path = `${list}/new/card/${mandate}`;
  const period = service.service.parts.clocks.business.today().add({ months: 2 });
  const sent = {
    key: keyIn(await owner.get(path)),
    period: period.toPlainYearMonth().toString(),
    amount: '900',
  };
  const { location } = await owner.post(path, sent);
  const { text } = await owner.get(location ?? '');
  expect(text).toContain(`${period.month}/${period.year}`);
  const past = await owner.post(path, { ...sent, period: '2020-01' });
  expect([past.status, past.text.includes('id="period-fault"')]).toEqual([400, true]);
  expect((await owner.post(path, { ...sent, period: 'x' })).status).toBe(400);
});

test('creates one debit for a form sent twice at once, and none for an invalid one', async () => {
  const mandate = await signedAdhesion(service);
  const path = `${list}/new/bank/${mandate}`;
  const key = keyIn(await owner.get(path));
  const sent = { key, first_due_date: isoDay(20), first_total: '100' };
  const both = await Promise.all([owner.post(path, sent), owner.post(path, sent)]);
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  expect(new Set(both.map(({ location }) => location)).size).toBe(1);
  expect((await owner.post(path, { ...sent, first_total: '200' })).status).toBe(422);
  const faulty = await owner.post(path, {
    key: keyIn(await owner.get(path)),
    first_due_date: isoDay(0),
    first_total: '-3',
    second_due_date: isoDay(1),
  });
  expect(faulty.status).toBe(400);
  for (const name of ['first_due_date', 'first_total', 'second_total']) {
    expect(faulty.text).toContain(`id="${name}-fault"`);
  }
  const made = await service.sql`select from requests where mandate_id = ${mandate}
    and kind = 'debit_request'`;
  expect(made).toHaveLength(1);
});

test('refuses a debit on a mandate that is no longer signed', async () => {
  const mandate = await signedAdhesion(service);
  const path = `${list}/new/bank/${mandate}`;
  const key = keyIn(await owner.get(path));
  await owner.post(`${home}/mandates/bank/${mandate}/cancel`);
  const { status, text } = await owner.post(path, {
    key,
    first_due_date: isoDay(20),
    first_total: '100',
  });
  expect([status, text.includes('La adhesión ya no está firmada')]).toEqual([409, true]);
  expect((await owner.get(path)).location).toBe(`${home}/mandates/bank/${mandate}`);
});

test('explains a rejection in both languages, with its remedy', async () => {
  const { debit } = await submittedDebit(service);
  await settle(service, debit, { code: 'R02' });
  const { text } = await owner.get(`${list}/${debit}`);
  expect(text).toContain('El banco lo rechazó: Cuenta cerrada o suspendida.');
  expect(text).toContain('pedile al titular otra cuenta');
  expect(text).toContain('<code>R02</code>');
  const english = await owner.get(`${list}/${debit}?lang=en`);
  expect(english.text).toContain('The bank rejected it: Account closed or suspended.');
  const { text: rows } = await owner.get(`${list}?state=rejected`);
  expect(rows).toContain('Cuenta cerrada o suspendida.');
  await lookAtPage(browser, at(`${list}/${debit}`), 'debits-rejected');
});

test('quotes the bank’s text for a code missing from the table', async () => {
  const { debit } = await submittedDebit(service);
  await settle(service, debit, { code: 'X77', text: 'Consulte <su> banco' });
  const { text } = await owner.get(`${list}/${debit}`);
  expect(text).toContain('El banco lo rechazó: Consulte &lt;su> banco');
});

test('shows a first run rejected for lack of funds next to the pending second one', async () => {
  const mandate = await signedAdhesion(service);
  const made = await createDebit(service, mandate, {
    second_due_date: inDays(service, 30),
    second_total: 1500,
  });
  const id = made.body.id as number;
  await handOver(service, id);
  expect(await settle(service, id, { code: 'R10' })).toBe('retried');
  const { text } = await owner.get(`${list}/${id}`);
  expect(text).toContain('El banco avisó: Falta de fondos.');
  expect(text).toContain('no crees otro débito');
  expect(text).not.toContain('creá otro débito');
  expect(text).toContain('1.500,00');
  expect(text).toContain('Rechazada');
  await lookAtPage(browser, at(`${list}/${id}`), 'debits-one');
});

test('has texts and advice in both languages for every code that ends or delays a debit', () => {
  for (const code of [...Object.keys(rejectCodes), 'card_gone', 'NOT_SENT', 'stop_debit']) {
    const spanish = refusalWords('es', { code, state_comment: `${code}: Some text.` });
    const english = refusalWords('en', { code, state_comment: `${code}: Some text.` });
    expect([code, spanish.isQuoted]).toEqual([code, false]);
    expect([code, spanish.reason === english.reason]).toEqual([code, false]);
    expect(spanish.advice).not.toBe(english.advice);
    expect(spanish.advice.length).toBeGreaterThan(20);
  }
  expect(refusalWords('es', {})).toMatchObject({ code: null, reason: '—' });
});

test('cancels a pending debit once for two concurrent forms, and never one that the bank already has', async () => {
  const mandate = await signedAdhesion(service);
  const id = (await createDebit(service, mandate)).body.id as number;
  const both = await Promise.all([
    collector.post(`${list}/${id}/cancel`),
    collector.post(`${list}/${id}/cancel`),
  ]);
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  expect(await stateOf(id)).toBe('canceled');
  expect((await owner.get(`${list}/${id}`)).text).toContain('se canceló antes de presentarse');
  const { debit } = await submittedDebit(service);
  const late = await collector.post(`${list}/${debit}/cancel`);
  expect([late.status, late.text.includes('ya se presentó')]).toEqual([409, true]);
  expect(await stateOf(debit)).toBe('in_process');
  expect((await owner.get(`${list}/${debit}`)).text).not.toContain(`${debit}/cancel`);
});

test('finds debits by words, state, kind and day, alone and combined', async () => {
  const mandate = await signedAdhesion(service, { adhesion_holder_name: 'Ñandú Gómez' });
  const id = (await createDebit(service, mandate, { external_reference: 'cuota-doce' })).body.id;
  const card = await signedCardAdhesion(service, { adhesion_holder_name: 'Ñandú Gómez' });
  const other = (await createCardDebit(service, card)).body.id;
  const found = async (query: string) => idsIn(await owner.get(`${list}?${query}`));
  expect(await found('q=nandu')).toEqual([other, id]);
  expect(await found('q=NAN%20cuota%20doc')).toEqual([id]);
  expect(await found('q=nandu&kind=card')).toEqual([other]);
  expect(await found('q=nandu&state=paid')).toEqual([]);
  const [run] = await service.sql<{ run_on: Temporal.PlainDate }[]>`
    select run_on from debit_runs where request_id = ${id}`;
  expect(await found(`day=${run?.run_on}&q=nandu`)).toEqual([id]);
  expect(await found(`day=${run?.run_on}&q=nandu&kind=card`)).toEqual([]);
  expect(await found(`day=${run?.run_on}`)).toContain(id);
  expect((await found('state=x&kind=y&day=2026-13-40&behind=z')).length).toBeGreaterThan(2);
  expect(await found('q=%27%3A*!')).toEqual([]);
});

test('shows the number of each day’s debits, with links to them', async () => {
  const [{ count } = { count: 0 }] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from debit_runs where account_id = ${testAccount}`;
  const { text } = await owner.get(`${list}/days`);
  const runs = [...text.matchAll(/data-title="Débitos"[^>]*><span class="cell">(\d+)</g)];
  expect(runs.reduce((sum, [, one]) => sum + Number(one), 0)).toBe(count);
  const [, day] = /debits\?day=([\d-]+)/.exec(text) ?? [];
  expect(idsIn(await owner.get(`${list}?day=${day}`)).length).toBeGreaterThan(0);
  await lookAtPage(browser, at(`${list}/days`), 'debits-days');
  await lookAtPage(browser, at(`${list}?day=${day}`), 'debits-day');
});

test('shows each debit once across the pages of a long list', async () => {
  const mandate = await signedAdhesion(service, { adhesion_holder_name: 'Muchos' });
  for (let no = 0; no < 55; no += 1) await createDebit(service, mandate, { first_total: 10 + no });
  const seen: number[] = [];
  let path: string | undefined = `${list}?state=pending`;
  while (path !== undefined) {
    const page = await owner.get(path);
    seen.push(...idsIn(page));
    path = /rel="next" href="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
  }
  const all = await service.sql`
    select from requests where account_id = ${testAccount} and mandate_id is not null
      and state = 'pending'`;
  expect(seen.length).toBe(all.length);
  expect(new Set(seen).size).toBe(seen.length);
  await lookAtPage(browser, at(list), 'debits');
});

test('links rejected debits from the home page', async () => {
  const { debit } = await submittedDebit(service);
  await settle(service, debit, { code: 'R08' });
  const page = await openPage(browser, at(home, collector), { javaScriptEnabled: false });
  await page.click('text=/se rechaz/');
  await page.waitForURL(/\/debits\?state=rejected$/);
  expect(await page.textContent('main')).toContain('Orden de no pagar.');
  expect(await page.locator('.badge-bad').count()).toBe(await page.locator('tbody tr').count());
  await page.context().close();
});

test('shows read-only users no actions, and hides other accounts’ debits and invalid ids', async () => {
  const mandate = await signedAdhesion(service);
  const id = (await createDebit(service, mandate)).body.id as number;
  const reader = await signIn(service, 'read_only');
  expect((await reader.get(`${list}/${id}`)).text).not.toContain(`${id}/cancel`);
  expect((await reader.get(`${home}/mandates/bank/${mandate}`)).text).not.toContain('debits/new');
  const request = await service.sql<{ id: number }[]>`
    insert into requests (account_id, id, kind, state, version, created_at, payer, description,
      due1, total1, last_due, details, place)
    select 'B1B2C3D4', 999999, 'debit_request', 'pending', 1, created_at, payer, description, due1,
      total1, last_due, details, 0 from requests where id = ${id} returning id`;
  for (const path of [
    '9999999',
    'x',
    '999999',
    '99999999999999999999',
    `${request[0]?.id}/cancel`,
  ]) {
    expect([path, (await owner.get(`${list}/${path}`)).status]).toEqual([path, 404]);
  }
  expect((await owner.post(`${list}/999999/cancel`)).status).toBe(404);
  for (const path of ['bank/999999', 'x/1', 'card/x']) {
    expect([path, (await owner.get(`${list}/new/${path}`)).status]).toEqual([path, 404]);
  }
});

test('renders accessible forms', async () => {
  const bank = await signedAdhesion(service);
  const card = await signedCardAdhesion(service);
  const id = (await createDebit(service, bank)).body.id as number;
  await lookAtPage(browser, at(`${list}/new/bank/${bank}`), 'debits-new');
  await lookAtPage(browser, at(`${list}/new/card/${card}`), 'debits-new-card');
  await lookAtPage(browser, at(`${list}/${id}/cancel`), 'debits-cancel');
});
