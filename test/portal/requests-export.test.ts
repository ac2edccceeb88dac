import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { readSpreadsheet } from '../../src/platform/spreadsheets/read.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { keepStates } from '../harness/request-states.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let player: Player;
let reader: Office;
const home = `/portal/${testAccount}/requests`;
const stranger = 'B1B2C3D4';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  player = playerOf(service);
  reader = await signIn(service, 'read_only');
  const acting = { ...service.service.parts.base, actor: testOperator };
  await createAccount(acting, { id: stranger, name: 'Otra', cuit: '30999999995', city: 'Salta' });
  await player.create({ payer_name: '=HYPERLINK("x")', description: 'a;=1', first_total: 10 });
  const paid = await player.create({ payer_name: 'Ana, Paz', external_reference: 'F-1' });
  expect((await player.pay(paid, { channel: 'credit_card' })).status).toBe(200);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const limits = { rows: 10_000, columns: 50 };

/** Returns the rows of a download, by the names of its columns. */
async function downloaded(office: Office, query: string, format: string, at = home) {
  const { origin } = service;
  const answer = await fetch(`${origin}${at}/export.${format}${query}`, {
    headers: { cookie: office.cookie },
    redirect: 'manual',
  });
  if (answer.status !== 200) return { status: answer.status, rows: [], name: null };
  const bytes = new Uint8Array(await answer.arrayBuffer());
  // The project's own reader removes the guard against formulas.
  if (format === 'csv') expect(new TextDecoder().decode(bytes)).not.toMatch(/(^|;|")=/m);
  const table = await readSpreadsheet(bytes, limits, 'test').catch(() => null);
  const rows = (table?.pages ?? []).flatMap((page) => JSON.parse(page) as [number, string[]][]);
  return {
    status: 200,
    name: answer.headers.get('content-disposition'),
    rows: rows.map(([, cells]) =>
      Object.fromEntries((table?.columns ?? []).map((name, no) => [name, cells[no] ?? ''])),
    ),
  };
}

/** Reads a workbook's number, or one with a decimal comma, as Excel opens CSV in Argentina. */
const numberIn = (cell: unknown): number => Number(String(cell).replace(',', '.'));

test.each(['csv', 'xlsx'])(
  'exports the filtered list as %s, with numbers and no formulas',
  async (format) => {
    const { rows, name } = await downloaded(reader, '', format);
    expect(name).toBe(`attachment; filename="cobros.${format}"`);
    expect(rows).toHaveLength(2);
    const [ana, other] = rows;
    expect(ana).toMatchObject({ Pagador: 'Ana, Paz', Estado: 'Pagado', 'Tu referencia': 'F-1' });
    const { body } = await service.call('GET', `/payment-request/${ana?.Cobro}`);
    const [result] = body.request_result;
    const numbers = [ana?.Cobrado, ana?.['Comisión con IVA']].map(numberIn);
    expect(numbers).toEqual([result.amount, result.gross_fee]);
    expect(ana?.['Página de pago']).toBe(body.checkout_url);
    expect(String(other?.Pagador)).toMatch(/^=/);
    const filtered = await downloaded(reader, '?q=ana&state=paid', format);
    expect(filtered.rows.map(({ Pagador }) => Pagador)).toEqual(['Ana, Paz']);
  },
);

test('exports more than a thousand requests, each once', async () => {
  const { sql } = service;
  await sql`
    insert into requests (account_id, id, kind, state, version, created_at, payer, description,
      due1, total1, last_due, details, place)
    select ${testAccount}, 900000 + n, 'payment_request', 'pending', 1, now(), 'Muchos ' || n,
      'Cuota', date '2098-01-01', 500000 + n % 7, date '2098-01-01', '{"barcode":"0"}'::json, 0
    from generate_series(1, 1700) n`;
  await keepStates(service.sql);
  for (const query of ['?first_total_gte=5000', '?first_due_date_gte=01-01-2098']) {
    const { rows } = await downloaded(reader, query, 'csv');
    expect([query, new Set(rows.map(({ Cobro }) => Cobro)).size]).toEqual([query, 1_700]);
    expect(rows).toHaveLength(1_700);
  }
});

test('reports an invalid filter, and exports nothing of another account', async () => {
  const at = `${home}/export.csv?first_total_gte=x`;
  const wrong = await reader.get(at);
  expect([wrong.status, wrong.text]).toEqual([
    400,
    expect.stringContaining('first_total_gte-fault'),
  ]);
  const other = await signIn(service, 'owner', { accountId: stranger });
  expect((await downloaded(other, '', 'csv')).status).toBe(404);
  const own = await other.get(`/portal/${stranger}/requests/export.csv`);
  expect(own.text.trim().split('\r\n')).toHaveLength(1);
});

const filters = `${home}/filters`;

test('saves, reuses and deletes a filter without scripts', async () => {
  const at = { origin: service.origin, office: reader, path: `${home}?q=ana&state=paid` };
  const page = await openPage(browser, at, { javaScriptEnabled: false });
  await page.getByText('Guardar este filtro').click();
  await page.getByLabel('Nombre del filtro').fill('Pagos de Ana');
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  expect(new URL(page.url()).search).toBe('?q=ana&state=paid');
  await page.goto(service.origin + home);
  await page.getByRole('link', { name: 'Pagos de Ana' }).click();
  expect(await page.locator('tbody th').allTextContents()).toEqual(['Ana, Paz']);
  expect(await page.getByText('Guardar este filtro').count()).toBe(0);
  await page.getByRole('link', { name: 'Administrar filtros' }).click();
  await page.getByRole('button', { name: 'Quitar Pagos de Ana' }).click();
  expect(new URL(page.url()).pathname).toBe(filters);
  expect(await page.locator('main').innerText()).toContain('Todavía no guardaste filtros');
  await page.context().close();
  const rows = await service.sql`
    select type, actor from operator_events
    where entity = 'user' and entity_id = ${String(reader.userId)} and type like '%filter%'
    order by id`;
  const actor = `user:${reader.userId}`;
  expect([...rows]).toEqual([
    { type: 'user.filter_saved', actor },
    { type: 'user.filter_forgotten', actor },
  ]);
});

test('never exceeds a user’s limit of filters with concurrent saves', async () => {
  const owner = await signIn(service, 'owner');
  const keep = (no: number) => owner.post(filters, { name: `n${no}`, query: '?state=paid' });
  for (let no = 0; no < 18; no += 1) await keep(no);
  await Promise.all(Array.from({ length: 8 }, (_, no) => keep(18 + no)));
  const rows = await service.sql`select from saved_filters where user_id = ${owner.userId}`;
  expect(rows).toHaveLength(20);
});

test('keeps filters private to a person and account, and replaces one of the same name', async () => {
  const owner = await signIn(service, 'owner');
  const keep = (office: Office, name: string, query: string) =>
    office.post(filters, { name, query });
  await Promise.all([1, 2].map(() => keep(owner, 'Mine', '?state=paid')));
  await keep(owner, 'Mine', '?state=expired&evil=1&before=5');
  const rows = await service.sql`select query from saved_filters where user_id = ${owner.userId}`;
  expect([...rows]).toEqual([{ query: '?state=expired' }]);
  expect((await reader.get(home)).text).not.toContain('Mine');
  expect((await owner.get(home)).text).toContain('Mine');
});

test.each([
  ['', '?state=paid', 'Escribí un nombre'],
  ['x'.repeat(61), '?state=paid', 'Escribí un nombre'],
  ['a\u0007', '?state=paid', 'Escribí un nombre'],
  ['Nothing', '', 'No hay ningún filtro'],
  ['Elsewhere', 'https://evil.example/?x=1', 'No hay ningún filtro'],
])(
  'refuses a filter named %j with query %j, and explains it on its page',
  async (name, query, words) => {
    const { status, text } = await reader.post(filters, { name, query });
    expect([status, text]).toEqual([400, expect.stringContaining(words)]);
    const rows = await service.sql`select 1 from saved_filters where user_id = ${reader.userId}`;
    expect(rows).toHaveLength(0);
  },
);

test('saves at most twenty filters', async () => {
  const office = await signIn(service, 'collections');
  for (let no = 0; no < 20; no += 1) {
    await office.post(filters, { name: `F ${no}`, query: `?q=f${no}` });
  }
  const { status, text } = await office.post(filters, { name: 'One more', query: '?q=x' });
  expect([status, text]).toEqual([409, expect.stringContaining('Ya tenés 20')]);
  expect((await office.post(filters, { name: 'F 3', query: '?q=y' })).status).toBe(303);
  const look = (path: string, name: string): Promise<void> =>
    lookAtPage(browser, { origin: service.origin, office, path }, name);
  await look(filters, 'requests-filters');
  await look(`${home}?q=ana`, 'requests-saved');
}, 60_000);
