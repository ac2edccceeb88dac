import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { looks, violationsOn } from '../harness/accessible.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Fields, type Office, type Shown, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn, type Player, playerOf } from '../scenarios/play.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let player: Player;
let office: Office;
const home = `/portal/${testAccount}/requests`;
const action = `${home}/new`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  player = playerOf(service);
  office = await signIn(service, 'collections');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const isoIn = (days: number): string => dayIn(service, days).split('-').reverse().join('-');

const stored = async (): Promise<number> => {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from requests`;
  return row?.count ?? -1;
};

const fields = (more: Fields = {}): Fields => ({
  key: crypto.randomUUID(),
  payer_name: 'Ana Paz',
  description: 'Cuota de diciembre',
  first_due_date: isoIn(10),
  first_total: '1.430,50',
  channels: ['credit_card', 'wire_transfer'],
  ...more,
});

const send = (more: Fields): Promise<Shown> => office.post(action, fields(more));

/** Returns the hidden inputs of the page's form. */
const hiddenIn = ({ text }: Shown): [string, string][] =>
  [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value],
  );

test('writes, previews and creates a request without scripts', async () => {
  const before = await stored();
  const at = { origin: service.origin, office, path: home };
  const page = await openPage(browser, at, { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Nuevo cobro' }).first().click();
  await page.getByLabel('Nombre del pagador').fill('José Peña');
  await page.getByLabel('Correo del pagador').fill('jose@example.com');
  await page.getByLabel('Concepto', { exact: true }).fill('Cuota\nDiciembre <b>');
  await page.getByLabel('Vencimiento', { exact: true }).fill(isoIn(10));
  await page.getByLabel('Importe', { exact: true }).fill('1.430,50');
  await page.getByText('Segundo vencimiento', { exact: true }).first().click();
  await page.locator('#second_due_date').fill(isoIn(20));
  await page.locator('#second_total').fill('1500');
  await page.locator('#external_reference').fill('FAC-9');
  await page.getByText('Detalle de lo que se cobra').click();
  await page.locator('#item_description-0').fill('Kilovatios');
  await page.locator('#item_quantity-0').fill('2');
  await page.locator('#item_amount-0').fill('715,25');
  await page.getByLabel('DEBIN').uncheck();
  await page.getByText('Más opciones').click();
  await page.getByLabel('Datos propios').fill('{"socio": 12, "grande": 12345678901234567890}');
  await page.getByRole('button', { name: 'Ver antes de crear' }).click();

  const shown = page.frameLocator('iframe');
  await shown.getByRole('heading', { level: 1 }).waitFor();
  const payer = (await shown.locator('body').innerText()).replaceAll('\u00a0', ' ');
  for (const words of ['José Peña', '$ 1.430,50', '$ 1.500,00', 'Diciembre <b>', 'Kilovatios']) {
    expect(payer).toContain(words);
  }
  expect(payer).toContain('FAC-9');
  expect(await shown.locator('#channel-DEBIN').count()).toBe(0);
  expect(await shown.locator('#channel-credit_card').count()).toBe(1);
  expect(await stored()).toBe(before);

  await page.getByRole('button', { name: 'Corregir los datos' }).click();
  expect(await page.locator('#item_amount-0').inputValue()).toBe('715,25');
  expect(await page.getByLabel('DEBIN').isChecked()).toBe(false);
  await page.getByLabel('Importe', { exact: true }).fill('1.440');
  await page.getByRole('button', { name: 'Ver antes de crear' }).click();
  await page.getByRole('button', { name: 'Crear el cobro' }).click();
  const id = Number(new URL(page.url()).pathname.split('/').at(-1));
  await page.context().close();

  expect(await stored()).toBe(before + 1);
  expect(await player.get(id)).toMatchObject({
    payer_name: 'José Peña',
    payer_email: 'jose@example.com',
    description: 'Cuota\nDiciembre <b>',
    first_total: 1440,
    second_total: 1500,
    external_reference: 'FAC-9',
    excluded_channels: ['DEBIN'],
    items: [{ quantity: 2, description: 'Kilovatios', amount: '715.25' }],
    metadata: { socio: 12 },
  });
  const [event] = await player.events(id);
  expect(event?.actor).toBe(`user:${office.userId}`);
});

test('accepts the API’s other options: brands, installments and return addresses', async () => {
  const more = {
    excluded_card_brands: ['43', '8', '999'],
    excluded_installments: '9, 12 y 18',
    back_url_success: 'https://coop.example/gracias',
    back_url_pending: 'https://coop.example/pendiente',
    back_url_rejected: 'https://coop.example/no',
  };
  const preview = await send(more);
  expect(preview.status).toBe(200);
  const sent: Fields = {};
  for (const [name, value] of hiddenIn(preview)) {
    sent[name] = name in sent ? [sent[name] ?? '', value].flat() : value;
  }
  const { token: _token, ...again } = sent;
  const made = await office.post(action, { ...again, step: 'create' });
  const id = Number(made.location?.split('/').at(-1));
  expect(await player.get(id)).toMatchObject({
    excluded_card_brands: ['43', '8'],
    excluded_installments: [9, 12, 18],
    back_url_success: more.back_url_success,
    back_url_pending: more.back_url_pending,
    back_url_rejected: more.back_url_rejected,
  });
  const edited = await office.post(action, { ...again, step: 'edit' });
  expect(edited.text).toContain('value="https://coop.example/gracias"');
  expect(edited.text).toMatch(/value="43"[^>]*checked|checked[^>]*value="43"/);
});

test.each([
  ['excluded_installments', '0'],
  ['excluded_installments', 'doce'],
  ['excluded_installments', '1000, 2000'],
  ['back_url_success', 'javascript:alert(1)'],
  ['back_url_rejected', 'ejemplo.com'],
])('reports %s %j next to its field, and creates nothing', async (name, value) => {
  const before = await stored();
  const answer = await send({ [name]: value });
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(`href="#${name}"`)]);
  expect(answer.text.match(new RegExp(`href="#${name}"`, 'g'))).toHaveLength(1);
  expect(await stored()).toBe(before);
});

test('creates one request for a form confirmed twice at once', async () => {
  const before = await stored();
  const form = fields({ step: 'create' });
  const answers = await Promise.all([1, 2, 3].map(() => office.post(action, form)));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
  expect(await stored()).toBe(before + 1);
  // The same form with other data creates nothing, reports that, and can be sent as a new one.
  const changed = await office.post(action, { ...form, first_total: '99' });
  expect([changed.status, await stored()]).toEqual([409, before + 1]);
  expect(changed.text).toContain('Con este formulario ya se creó un cobro');
  const next = Object.fromEntries(hiddenIn(changed));
  expect(next.key).not.toBe(form.key);
  const again = await office.post(action, { ...form, first_total: '99', key: next.key ?? '' });
  expect([again.status, await stored()]).toEqual([303, before + 2]);
});

test.each([
  ['payer_name', { payer_name: ' ' }, 'Completá este dato.'],
  ['payer_name', { payer_name: 'x'.repeat(256) }, 'Puede tener hasta 255 caracteres; tiene 256.'],
  ['payer_email', { payer_email: 'ana' }, 'Tiene que ser un correo'],
  ['description', { description: 'a\u0007b' }, 'caracteres de control'],
  ['first_due_date', { first_due_date: '2027-02-31' }, 'Ese día no existe'],
  ['first_due_date', { first_due_date: '2020-01-01' }, 'Tiene que ser hoy'],
  ['first_total', { first_total: '1,234' }, 'No es un importe'],
  ['first_total', { first_total: '0' }, 'tiene que ser de $\u00a00,01'],
  ['first_total', { first_total: '100000000' }, 'El importe más grande'],
  ['second_total', { second_total: '2000' }, ''],
  ['second_total', { second_due_date: '2030-01-01', second_total: '1' }, 'No puede ser menor'],
  ['excluded_channels', { channels: [] }, 'Dejá al menos un medio'],
  ['excluded_channels', { channels: ['lost'] }, 'Dejá al menos un medio'],
  ['metadata', { metadata: '[1]' }, 'Tiene que ser un objeto JSON'],
  ['metadata', { metadata: '{"a":' }, 'Tiene que ser un objeto JSON'],
  [
    'item_amount-0',
    { item_description: 'Luz', item_quantity: '', item_amount: 'x' },
    'No es un importe',
  ],
  [
    'item_description-1',
    { item_description: ['Luz', ''], item_quantity: ['', '3'], item_amount: ['1', '2'] },
    'Completá este dato.',
  ],
] as const)('reports a fault of %s at its field: %o', async (field, more, words) => {
  const before = await stored();
  for (const step of ['', 'create']) {
    const { status, text } = await send({ ...more, step });
    expect(status).toBe(400);
    expect(text).toContain(words);
    if (field !== 'second_total' || words !== '') expect(text).toContain(`id="${field}-fault"`);
    expect(text).toContain(
      `href="#${field === 'second_total' && words === '' ? 'second_due_date' : field}"`,
    );
  }
  expect(await stored()).toBe(before);
});

test('creates nothing for an empty or malformed form', async () => {
  const before = await stored();
  for (const form of [
    {},
    { step: 'create' },
    { step: 'lost', item_amount: ['1', '2', '3'], key: "'" },
  ]) {
    expect((await office.post(action, form)).status).toBe(400);
  }
  const huge = await office.post(action, fields({ description: 'x'.repeat(70_000) }));
  expect(huge.status).toBe(413);
  expect(await stored()).toBe(before);
});

test('reports a known reference before creating another request with it', async () => {
  const id = await player.create({ external_reference: 'TWICE-1' });
  const { status, text } = await send({ external_reference: 'TWICE-1' });
  expect(status).toBe(200);
  expect(text).toContain(`Ya tenés un cobro con esta referencia: el ${id}.`);
});

test('previews the payer’s page without scripts, and without links or sources elsewhere', async () => {
  const page = await openPage(browser, { origin: service.origin, office, path: action });
  await page.getByLabel('Nombre del pagador').fill('"><script>alert(1)</script>');
  await page.getByLabel('Concepto', { exact: true }).fill('Cuota');
  await page.getByLabel('Vencimiento', { exact: true }).fill(isoIn(10));
  await page.getByLabel('Importe', { exact: true }).fill('100');
  await page.getByRole('button', { name: 'Ver antes de crear' }).click();
  const shown = page.frameLocator('iframe');
  await shown.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-same-origin');
  const html = (await page.locator('iframe').getAttribute('srcdoc')) ?? '';
  expect(html).not.toContain('<script');
  const leads = [...html.matchAll(/(?:href|action|src)="([^"]*)"/g)].map(([, to = '']) => to);
  const elsewhere = leads.filter((to) => !to.startsWith('#') && !to.startsWith('/page-assets/'));
  expect(elsewhere.filter((to) => to !== 'about:blank')).toEqual([]);
  await page.context().close();
});

test('shows no form to users without permission, and creates nothing for a suspended account', async () => {
  const reader = await signIn(service, 'read_only');
  expect((await reader.get(home)).text).not.toContain('Nuevo cobro');
  expect((await reader.get(action)).status).toBe(403);
  const before = await stored();
  await service.sql`update accounts set state = 'suspended' where id = ${testAccount}`;
  try {
    expect((await office.get(home)).text).not.toContain('Nuevo cobro');
    expect((await send({ step: 'create' })).status).toBe(403);
  } finally {
    await service.sql`update accounts set state = 'active' where id = ${testAccount}`;
  }
  expect(await stored()).toBe(before);
});

/** Fills in the required fields, and continues to the preview of the payer's page. */
async function toPreview(page: Page): Promise<void> {
  await page.getByLabel('Nombre del pagador').fill('Ana');
  await page.getByLabel('Concepto', { exact: true }).fill('Cuota');
  await page.getByLabel('Vencimiento', { exact: true }).fill(isoIn(10));
  await page.getByLabel('Importe', { exact: true }).fill('100');
  await page.getByRole('button', { name: 'Ver antes de crear' }).click();
  await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();
}

test('renders an accessible form', async () => {
  await lookAtPage(browser, { origin: service.origin, office, path: action }, 'requests-new');
}, 60_000);

test.each(looks)('renders an accessible preview: $colorScheme $viewport.width', async (look) => {
  const page = await openPage(browser, { origin: service.origin, office, path: action }, look);
  const refused: string[] = [];
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
  await toPreview(page);
  const folder = process.env.PICTURES;
  if (folder) {
    const name = `requests-preview-${look.viewport.width}-${look.colorScheme}`;
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  }
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(sideways).toBe(look.viewport.width);
  expect(await violationsOn(page)).toEqual([]);
  expect(refused).toEqual([]);
  await page.context().close();
});
