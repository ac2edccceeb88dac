import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { createDebit } from '../harness/builders/debits.ts';
import { signedAdhesion } from '../harness/builders/mandates.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { keepStates } from '../harness/request-states.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn, type Player, playerOf } from '../scenarios/play.ts';
import { lookAtPage, openPage } from './look.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let player: Player;
let operator: Office;
let reader: Office;
const home = '/portal/operator/suspense';
let told = 0;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  player = playerOf(service);
  operator = await signIn(service, 'operator');
  reader = await signIn(service, 'operator_read_only');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Puts money for an unknown request into suspense. Returns its id. */
async function unknown(amount: number, code = '123'): Promise<number> {
  told += 1;
  const { base, suspend } = service.service.parts;
  const sourceRef = `1:${told}`;
  await suspend([
    {
      reason: 'unknown_request',
      channel: 'non_banking',
      label: 'Pago Fácil',
      code,
      amount: centavos(amount),
      paidAt: base.clocks.business.now(),
      source: 'test',
      sourceRef,
    },
  ]);
  const [row] = await service.sql<{ id: number }[]>`
    select id from suspense where source = 'test' and source_ref = ${sourceRef}`;
  if (!row) throw new Error('nothing was kept');
  return row.id;
}

const stateOf = async (id: number): Promise<string> => {
  const [row] = await service.sql<{ state: string }[]>`select state from suspense where id = ${id}`;
  return row?.state ?? 'gone';
};

const faults = () =>
  doing('command', async () => [
    ...(await auditAccount(service.sql, testAccount)),
    ...(await auditAccount(service.sql, '00000000')),
  ]);

test('finds a request by amount, reference, name or number, and explains a search that finds none', async () => {
  const id = await player.create({
    first_total: 4321.5,
    external_reference: 'SOCIO-77',
    payer_name: 'Ñandú Peña',
  });
  await player.create({ first_total: 99, external_reference: 'SOCIO-78' });
  const money = await unknown(432_150);
  const first = await operator.get(`${home}/${money}`);
  expect(first.text).toContain(`request=${id}"`);
  for (const query of [
    'amount=4.321,50',
    'reference=SOCIO-77',
    `text=${id}`,
    'reference=SOCIO-77&text=pena',
    `account=${testAccount}&text=nandu`,
    'amount=4321.50&text=%C3%91and%C3%BA',
  ]) {
    const { text } = await operator.get(`${home}/${money}?${query}`);
    expect([query, text.match(/request=\d+/g)]).toEqual([query, [`request=${id}`]]);
  }
  const nobody = await operator.get(`${home}/${money}?reference=SOCIO-77&text=gomez`);
  expect(nobody.text).toContain('Ningún cobro coincide');
  const name = await operator.get(`${home}/${money}?text=pena`);
  expect(name.text).toContain('elegí una cuenta');
  const wrong = await operator.get(`${home}/${money}?amount=abc`);
  expect([wrong.status, wrong.text.includes('Escribí un importe en pesos')]).toEqual([400, true]);
});

test('finds requests and debits by their second total, in one account and overall', async () => {
  const second = (days: number, total: number) => ({
    first_due_date: dayIn(service, days),
    second_due_date: dayIn(service, days + 5),
    second_total: total,
  });
  const id = await player.create({ ...second(3, 777.25), first_total: 700 });
  const adhesion = await signedAdhesion(service);
  const made = await createDebit(service, adhesion, { ...second(10, 777.25), first_total: 600 });
  const debit = made.body.id;
  await player.create({ first_total: 777.24 });
  const money = await unknown(77_725);
  for (const query of ['', '?amount=777,25', `?amount=777,25&account=${testAccount}`]) {
    const { text } = await operator.get(`${home}/${money}${query}`);
    expect([query, text.match(/request=\d+/g)]).toEqual([
      query,
      [`request=${debit}`, `request=${id}`],
    ]);
    expect(text.replaceAll('\u00a0', ' ')).toContain('$ 777,25');
  }
});

test('assigns money to the chosen request, once, with its actor', async () => {
  const id = await player.create({ first_total: 250 });
  const money = await unknown(25_000);
  const at = `${home}/${money}/assign`;
  const asked = await operator.get(`${at}?account=${testAccount}&request=${id}`);
  expect(asked.status).toBe(200);
  const fields = { account: testAccount, request: String(id), note: 'Llamó el socio' };
  const blank = await operator.post(at, { ...fields, note: ' ' });
  expect([blank.status, await stateOf(money)]).toEqual([400, 'open']);
  expect((await operator.post(at, fields)).status).toBe(303);
  expect((await operator.post(at, fields)).status).toBe(303);
  expect([await stateOf(money), (await player.get(id)).state]).toEqual(['assigned', 'paid']);
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int from results where request_id = ${id}`;
  expect(row?.count).toBe(1);
  const [event] = await service.sql<{ actor: string }[]>`
    select actor from events where entity = 'suspense' and entity_id = ${String(money)}
      and type = 'suspense.assigned'`;
  expect(event?.actor).toBe(`user:${operator.userId}`);
  const shown = await operator.get(`${home}/${money}`);
  expect(shown.text).toContain('Llamó el socio');
  expect(shown.text).not.toContain('/assign');
  expect(await faults()).toEqual([]);
});

test('assigns nothing through an incomplete or tampered form', async () => {
  const id = await player.create({ first_total: 260 });
  const money = await unknown(26_000);
  const at = `${home}/${money}/assign`;
  const fields = { account: testAccount, request: String(id), note: 'Llamó el socio' };
  const { note: _, ...another } = fields;
  expect((await operator.post(at, another)).status).toBe(400);
  for (const wrong of [{ account: 'nobody' }, { request: '-1' }, { request: '' }]) {
    expect([wrong, (await operator.post(at, { ...fields, ...wrong })).status]).toEqual([
      wrong,
      404,
    ]);
  }
  const { status, text } = await operator.post(at, { ...fields, note: 'x'.repeat(256) });
  expect([status, text]).toEqual([400, expect.stringContaining('hasta 255 caracteres')]);
  expect(await stateOf(money)).toBe('open');
});

test('keeps the chosen request’s address in the form, to return there after a fresh proof', async () => {
  const id = await player.create({ first_total: 270 });
  const at = `${home}/${await unknown(27_000)}/assign?account=${testAccount}&request=${id}`;
  const { text } = await operator.get(at);
  const back = /name="back" value="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  expect(back).toBe(at);
});

test('applies only one of several concurrent decisions, whichever they are', async () => {
  const other = await signIn(service, 'operator');
  for (let no = 0; no < 6; no += 1) {
    const [one, two] = [await player.create({ first_total: 10 }), await player.create({})];
    const money = await unknown(1_000 + no);
    const to = (id: number) => ({ account: testAccount, request: String(id), note: 'era de este' });
    const answers = await Promise.all([
      operator.post(`${home}/${money}/assign`, to(one)),
      other.post(`${home}/${money}/assign`, to(two)),
      operator.post(`${home}/${money}/return`, { note: 'transferencia' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409]);
    for (const { text } of answers.filter(({ status }) => status === 409)) {
      expect(text).toContain('Este pago ya se asignó, se devolvió o lo revirtió su banco.');
    }
    const paid = [(await player.get(one)).state, (await player.get(two)).state];
    const winners = paid.filter((state) => state === 'paid').length;
    expect(winners).toBe((await stateOf(money)) === 'returned' ? 0 : 1);
  }
  expect(await faults()).toEqual([]);
});

test('answers 404 for unknown money and requests', async () => {
  const money = await unknown(777);
  for (const path of ['0', 'x', '1/assign', '1/return', '99999999999999999999']) {
    expect([path, (await operator.get(`${home}/${path}`)).status]).toEqual([path, 404]);
  }
  const acting = { ...service.service.parts.base, actor: testOperator };
  await createAccount(acting, { id: 'B1B2C3D4', name: 'Otra', cuit: '30999999995', city: 'Salta' });
  const id = await player.create({});
  for (const [account, request] of [
    ['B1B2C3D4', String(id)],
    [testAccount, '0'],
    ['', ''],
    ["' or 1=1", 'x'],
    ['\u0000', String(id)],
  ] as const) {
    const fields = { account, request, note: 'x' };
    const search = new URLSearchParams({ account, request });
    expect((await operator.get(`${home}/${money}/assign?${search}`)).status).toBe(404);
    expect((await operator.post(`${home}/${money}/assign`, fields)).status).toBe(404);
  }
  expect(await stateOf(money)).toBe('open');
});

test('shows each open entry once across pages, and lists decided ones on request', async () => {
  const [gone] = await service.sql<{ id: number }[]>`
    select id from suspense where state <> 'open' order by id limit 1`;
  for (let no = 0; no < 52; no += 1) await unknown(100 + no, `C${no}`);
  const page = await openPage(
    browser,
    { origin: service.origin, office: operator, path: home },
    { javaScriptEnabled: false },
  );
  const seen: string[] = [];
  for (;;) {
    seen.push(...(await page.locator('tbody th').allTextContents()));
    const next = page.locator('a[rel=next]');
    if ((await next.count()) === 0) break;
    await next.click();
  }
  const open = await service.sql`select 1 from suspense where state = 'open'`;
  expect(new Set(seen).size).toBe(open.length);
  expect(seen.length).toBe(open.length);
  await page.getByRole('link', { name: 'Todos', exact: true }).click();
  expect(await page.locator('tbody').textContent()).toContain(String(gone?.id));
  await page.context().close();
});

test('shows money to read-only users without letting them decide', async () => {
  const money = await unknown(555);
  const { status, text } = await reader.get(`${home}/${money}`);
  expect([status, text.includes('/assign'), text.includes('/return')]).toEqual([200, false, false]);
  expect((await reader.get(`${home}/${money}/return`)).status).toBe(403);
  expect((await reader.post(`${home}/${money}/return`, { note: 'x' })).status).toBe(403);
});

test('finds a payment’s request and assigns it without scripts', async () => {
  const id = await player.create({ first_total: 8888.25, external_reference: 'CUOTA-9' });
  const money = await unknown(888_825);
  const page = await openPage(
    browser,
    { origin: service.origin, office: operator, path: `${home}/${money}` },
    { javaScriptEnabled: false },
  );
  await page.getByLabel('Referencia externa').fill('CUOTA-9');
  await page.getByRole('button', { name: 'Filtrar' }).click();
  await page.getByRole('link', { name: /Asignar a este/ }).click();
  await page.getByLabel('Cómo lo sabés').fill('Mandó el comprobante');
  await page.getByRole('button', { name: 'Asignar el pago' }).click();
  expect(await page.locator('main').textContent()).toContain('Mandó el comprobante');
  expect((await player.get(id)).state).toBe('paid');
  await page.context().close();
});

test('renders accessible pages', async () => {
  const id = await player.create({ first_total: 1234.5 });
  const money = await unknown(123_450, '0515000000000000000001234567890123456789');
  const pages: [string, string][] = [
    ['operator-suspense', home],
    ['operator-suspense-one', `${home}/${money}`],
    ['operator-suspense-assign', `${home}/${money}/assign?account=${testAccount}&request=${id}`],
    ['operator-suspense-return', `${home}/${money}/return`],
  ];
  for (const [name, path] of pages) {
    await lookAtPage(browser, { origin: service.origin, office: operator, path }, name);
  }
  expect((await operator.get(`${home}?lang=en`)).text).toContain('Unknown payments');
});

test('shows read-only users no candidates, and reports that only some names were compared', async () => {
  const money = await unknown(5_555_555);
  await service.sql`
    insert into requests (account_id, id, kind, state, version, created_at, payer, description,
      due1, total1, last_due, details, place)
    select ${testAccount}, 900000000 + no, 'payment_request', 'pending', 1, now(),
      case when no = 1 then 'Primera Socia' else 'Socio ' || no end, 'Cuota', '2099-01-01', 5555555,
      '2099-01-01', '{}', 0
    from generate_series(1, 1001) as no`;
  await keepStates(service.sql);
  await service.sql`
    insert into request_words (account_id, kind, id, words)
    select account_id, kind, id, array_to_tsvector(string_to_array(
      account_id || replace(lower(payer), ' ', ' ' || account_id), ' '))
    from requests where id > 900000000`;
  const { text: all } = await operator.get(`${home}/${money}`);
  expect(all.match(/request=\d+/g)).toHaveLength(50);
  expect(all).not.toContain('El nombre se comparó');
  const name = `${home}/${money}?amount=55.555,55&text=primera`;
  const { text: cut } = await operator.get(name);
  expect(cut).toContain('Ningún cobro coincide');
  expect(cut).toContain('El nombre se comparó solo con los 1000 cobros más nuevos');
  // With an account, the search uses its word index, which covers all names.
  const { text: one } = await operator.get(`${name}&account=${testAccount}`);
  expect(one).toContain('request=900000001"');
  const { text: read } = await reader.get(name);
  expect(read).not.toContain('request=9');
});
