import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn, type Player, playerOf } from '../scenarios/play.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let player: Player;
let office: Office;
let reader: Office;
const ids: Record<string, number> = {};
const home = `/portal/${testAccount}/requests`;
const stranger = 'B1B2C3D4';

/** Returns the day `days` ahead as date fields send it. */
const isoIn = (days: number): string =>
  service.service.parts.clocks.business.today().add({ days }).toString();

/** Returns the names listed at an address, page by page, without scripts. */
async function listed(query: string, most = 10): Promise<string[]> {
  const page = await openPage(
    browser,
    { origin: service.origin, office: reader, path: `${home}${query}` },
    { javaScriptEnabled: false },
  );
  const payers: string[] = [];
  for (let turn = 0; turn < most; turn += 1) {
    payers.push(...(await page.locator('tbody th a').allTextContents()));
    const next = page.locator('a[rel=next]');
    if ((await next.count()) === 0) break;
    await next.click();
  }
  await page.context().close();
  return payers;
}

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  player = playerOf(service);
  office = await signIn(service, 'owner');
  reader = await signIn(service, 'read_only');
  const acting = { ...service.service.parts.base, actor: testOperator };
  await createAccount(acting, { id: stranger, name: 'Otra', cuit: '30999999995', city: 'Salta' });
  ids.jose = await player.create({
    payer_name: 'José Peña',
    external_reference: 'FAC-001',
    payer_email: 'jpena@socios.example.com',
    description: 'Cuota de diciembre\nPlan Único',
    first_total: 24_350.5,
    second_due_date: dayIn(service, 20),
    second_total: 25_000,
    items: [{ quantity: 2, description: 'Kilovatios <b>', amount: '12175.25' }],
    metadata: { socio: 12 },
    excluded_channels: ['DEBIN'],
  });
  ids.maria = await player.create({ payer_name: 'MARÍA Gómez', first_total: 100 });
  ids.luz = await player.create({ payer_name: 'Luz Paz', first_due_date: dayIn(service, 40) });
  ids.zoe = await player.create({ payer_name: 'Zoe Sosa', first_total: 1_000_000 });
  expect((await player.pay(ids.maria, { channel: 'credit_card' })).status).toBe(200);
  expect((await player.pay(ids.zoe, { channel: 'wire_transfer' })).status).toBe(200);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test('links the list from the navigation, and lists the newest requests first', async () => {
  expect((await reader.get(`/portal/${testAccount}`)).text).toContain(`href="${home}"`);
  expect(await listed('')).toEqual(['Zoe Sosa', 'Luz Paz', 'MARÍA Gómez', 'José Peña']);
});

test.each([
  ['?q=jose+PEN', ['José Peña']],
  ['?q=fac-001', ['José Peña']],
  ['?q=jpena', ['José Peña']],
  ['?q=nobody', []],
  ['?state=paid', ['Zoe Sosa', 'MARÍA Gómez']],
  ['?state=expired', []],
  ['?state=paid&channel=credit_card', ['MARÍA Gómez']],
  ['?channel=wire_transfer', ['Zoe Sosa']],
  ['?channel=DEBIN', []],
  ['?q=zoe&channel=wire_transfer', ['Zoe Sosa']],
  ['?q=zoe&channel=credit_card', []],
  ['?external_reference=FAC-001', ['José Peña']],
  ['?external_reference=FAC-00', []],
  ['?first_total_gte=24.350,50&first_total_lte=24350.50', ['José Peña']],
  ['?first_total_gte=1500', ['Zoe Sosa', 'José Peña']],
])('lists the matching payers for %s', async (query, payers) => {
  expect(await listed(query)).toEqual(payers);
});

test('includes both days in filters of creation and due date', async () => {
  const [due, far, today] = [isoIn(10), isoIn(40), isoIn(0)];
  expect(await listed(`?first_due_date_gte=${far}&first_due_date_lte=${far}`)).toEqual(['Luz Paz']);
  expect(await listed(`?first_due_date_lte=${due}`)).toHaveLength(3);
  expect(await listed(`?created_at_gte=${today}&created_at_lte=${today}`)).toHaveLength(4);
  expect(await listed(`?created_at_gte=${isoIn(1)}`)).toEqual([]);
});

test('keeps filters in the address, and lets users remove one', async () => {
  const at = { origin: service.origin, office: reader, path: home };
  const page = await openPage(browser, at, { javaScriptEnabled: false });
  await page.getByLabel('Buscar').fill('jose');
  await page.getByLabel('Estado').selectOption('pending');
  await page.getByText('Más filtros').click();
  await page.getByLabel('Vence desde').fill(isoIn(5));
  await page.getByRole('button', { name: 'Filtrar' }).click();
  const { search } = new URL(page.url());
  expect(search).toBe(`?q=jose&state=pending&first_due_date_gte=${isoIn(5)}`);
  expect(await page.locator('tbody th').allTextContents()).toEqual(['José Peña']);
  expect(await page.locator('#first_due_date_gte').inputValue()).toBe(isoIn(5));
  await page.getByRole('link', { name: 'Quitar Pendiente' }).click();
  expect(new URL(page.url()).search).toBe(`?q=jose&first_due_date_gte=${isoIn(5)}`);
  await page.context().close();
});

test.each([
  ['first_due_date_gte', '31-02-2027', 'Ese día no existe'],
  ['created_at_lte', 'ayer', 'No es un día: escribilo como 05-12-2026'],
  ['first_total_gte', 'mucho', 'No es un importe'],
  ['state', 'lost', 'Elegí una de estas opciones'],
  ['channel', 'direct_debit', 'Elegí una de estas opciones'],
  ['q', 'x'.repeat(101), 'Puede tener hasta 100 caracteres'],
  ['q', '\u0000', 'caracteres de control'],
])('reports a %s of %j at its field, and lists nothing', async (name, value, words) => {
  const { status, text } = await reader.get(`${home}?${new URLSearchParams({ [name]: value })}`);
  expect(status).toBe(400);
  expect(text).toContain(`id="${name}-fault"`);
  expect(text).toContain(words);
  expect(text).toContain('Hay un filtro para corregir');
  expect(text).not.toContain('José');
});

test('accepts only a number as a cursor, and shows another account nothing', async () => {
  for (const before of ['999999999', '1']) {
    expect((await reader.get(`${home}?before=${before}`)).status).toBe(200);
  }
  expect((await reader.get(`${home}?before=x`)).status).toBe(400);
  const other = await signIn(service, 'owner', { accountId: stranger });
  const { text } = await other.get(`/portal/${stranger}/requests`);
  expect(text).toContain('Todavía no hay cobros');
  expect((await other.get(`/portal/${stranger}/requests/${ids.jose}`)).status).toBe(404);
  expect((await other.get(`${home}/${ids.jose}`)).status).toBe(404);
});

test('lists requests page by page, without gaps or repetitions', async () => {
  const made = [];
  for (let no = 0; no < 60; no += 1) {
    made.push(`Socia ${no}`);
    await player.create({ payer_name: `Socia ${no}`, first_total: 10 + (no % 3) });
  }
  expect(await listed('?q=soci')).toEqual(made.toReversed().concat('José Peña'));
  expect((await listed('')).slice(0, 60)).toEqual(made.toReversed());
  expect((await listed('?first_total_lte=12')).toSorted()).toEqual(made.toSorted());
  expect(await listed('?state=pending')).toHaveLength(62);
  expect(await listed(`?created_at_gte=${isoIn(0)}`)).toHaveLength(64);
}, 120_000);

test('shows the payment, fee and history of a request, and offers no actions to a viewer', async () => {
  const path = `${home}/${ids.maria}`;
  const page = await openPage(
    browser,
    { origin: service.origin, office: reader, path },
    { javaScriptEnabled: false },
  );
  const main = (await page.locator('main').innerText()).replaceAll('\u00a0', ' ');
  const { body } = await service.call('GET', `/payment-request/${ids.maria}`);
  const [result] = body.request_result;
  const pesos = (amount: number) => amount.toLocaleString('es-AR', { minimumFractionDigits: 2 });
  expect(main).toContain(`$ ${pesos(result.amount)}`);
  expect(main).toContain(`$ ${pesos(result.gross_fee)}`);
  expect(main).toContain('a acreditar');
  const steps = await page.locator('.timeline .step-title').allTextContents();
  expect(steps.slice(0, 3)).toEqual(['Creado', 'Intento de pago', 'Pagado']);
  expect(steps.at(-1)).toMatch(/^Disponible el /);
  expect(await page.getByRole('link', { name: /Devolver|Retirar/ }).count()).toBe(0);
  await page.context().close();
});

test('shows the links, items and excluded channels of a request, and each link opens', async () => {
  const { text } = await reader.get(`${home}/${ids.jose}`);
  const links = [...text.matchAll(/class="code" href="([^"]+)"/g)].map(([, href]) => href ?? '');
  expect(links.map((href) => href.replace(/.*(\.\w+)$/, '$1')).slice(1)).toEqual([
    '.pdf',
    '.png',
    '.svg',
  ]);
  for (const href of links) expect((await fetch(href)).status).toBe(200);
  expect(text).toContain('Kilovatios &lt;b>');
  expect(text).toContain('Medios excluidos');
  expect(text).toContain('DEBIN');
  const { body } = await service.call('GET', `/payment-request/${ids.jose}`);
  expect(links[0]).toBe(body.checkout_url);
});

test('copies an address with a button if scripts are on', async () => {
  const at = { origin: service.origin, office: reader, path: `${home}/${ids.jose}` };
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await openPage(browser, at, { permissions });
  const button = page.getByRole('button', { name: 'Copiar: Página de pago' });
  await button.click();
  await expect.poll(() => button.textContent()).toBe('Copiado');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^http.*\/checkout\//);
  await page.context().close();
});

test('answers 404 with a page for an unknown request', async () => {
  for (const id of ['0', '99999999', 'x', '999999999999999999', '-1']) {
    const { status, text } = await reader.get(`${home}/${id}`);
    expect([id, status]).toEqual([id, 404]);
    expect(text).toContain('No encontramos esta página');
  }
});

test('shows a suspended account’s request, and that its links are disabled', async () => {
  await service.sql`update accounts set state = 'suspended' where id = ${testAccount}`;
  try {
    const { status, text } = await office.get(`${home}/${ids.jose}`);
    expect(status).toBe(200);
    expect(text).toContain('La cuenta no recibe pagos ahora');
  } finally {
    await service.sql`update accounts set state = 'active' where id = ${testAccount}`;
  }
});

test('shows the pages in English', async () => {
  const { text } = await reader.get(`${home}?lang=en&q=maria`);
  expect(text).toContain('<h1>Payment requests</h1>');
  expect(text).toContain('Paid');
  expect(text).toContain('ARS\u00a0100.00');
});

const look = (office: Office, path: string, name: string): Promise<void> =>
  lookAtPage(browser, { origin: service.origin, office, path }, name);

test('renders accessible pages', async () => {
  await look(office, home, 'requests');
  await look(office, `${home}?q=jose&state=pending&first_total_gte=10`, 'requests-filtered');
  await look(office, `${home}?state=expired`, 'requests-none');
  await look(office, `${home}/${ids.jose}`, 'requests-pending');
  await look(office, `${home}/${ids.maria}`, 'requests-paid');
}, 240_000);
