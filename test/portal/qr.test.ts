import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { indexWords } from '../../src/requests/index.ts';
import { launchBrowser } from '../harness/browser.ts';
import { callerOf, full, itemOf } from '../harness/builders/qrs.ts';
import { staticBody } from '../harness/builders/static-qrs.ts';
import { type Office, type Shown, signIn } from '../harness/portal.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { lookAtPage, openPage } from './look.ts';

// A browser runs alongside workers, on machines with other load.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let owner: Office;
let collector: Office;
let api: ReturnType<typeof callerOf>;
const home = `/portal/${testAccount}`;
const list = `${home}/qr`;

const at = (path: string, office = owner) => ({ origin: service.origin, office, path });
const keyIn = ({ text }: Shown): string => /name="key" value="([^"]+)"/.exec(text)?.[1] ?? '';
const idsIn = ({ text }: Shown): string[] =>
  [...text.matchAll(/<th scope="row"[^>]*><a href="[^"]*\/qr\/(?:static\/)?([\w-]+)"/g)].map(
    ([, id = '']) => id,
  );
const isoDay = (days: number): string =>
  service.service.parts.clocks.business.today().add({ days }).toString();

const fieldsOf = (id: string) => ({
  id,
  payer_name: 'Lía Fernández',
  description: 'Cuota de diciembre',
  first_total: '1.430,50',
  first_due_date: isoDay(10),
  city: 'Salta',
});

const upload = (name: string, content: string | Uint8Array, office = owner) =>
  office.send(`${list}/uploads`, { name, content });

beforeAll(async () => {
  service = await startService();
  browser = await launchBrowser();
  api = callerOf(service);
  owner = await signIn(service, 'owner');
  collector = await signIn(service, 'collections');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test('explains how to create QRs to an account that has none', async () => {
  expect((await owner.get(list)).text).toContain('Todavía no hay QR');
  expect((await owner.get(`${list}/static`)).text).toContain('Todavía no hay QR de mostrador');
  await lookAtPage(browser, at(list), 'qr-empty');
});

test('creates, shows, changes and deletes a QR as the API does', async () => {
  const page = await openPage(browser, at(`${list}/new`, collector), { javaScriptEnabled: false });
  for (const [name, value] of Object.entries(fieldsOf('UNO'))) {
    await page.fill(`[name=${name}]`, value);
  }
  await page.click('main button[type=submit]');
  await page.waitForURL(new RegExp(`/qr/${full('UNO')}$`));
  const source = await page.getAttribute('figure img', 'src');
  expect((await fetch(source ?? '')).headers.get('content-type')).toContain('image/svg+xml');
  expect((await api.status('UNO')).body).toMatchObject({
    id: full('UNO'),
    first_total: 1430.5,
    payer_name: 'Lía Fernández',
    multiple_payment: false,
    status: 'Pending',
  });
  await page.click('text=Cambiar');
  await page.fill('[name=first_total]', '2000');
  await page.check('[name=multiple_payment]');
  await page.click('main button[type=submit]');
  await page.waitForURL(new RegExp(`/qr/${full('UNO')}$`));
  expect((await api.status('UNO')).body).toMatchObject({
    first_total: 2000,
    multiple_payment: true,
  });
  await page.click('text=Eliminar');
  await page.click('main button[type=submit]');
  await page.waitForURL(new RegExp(`/qr/${full('UNO')}$`));
  expect(await page.textContent('main')).toContain('Eliminado');
  await page.context().close();
  expect((await api.status('UNO')).body.status).toBe('Deleted');
  const actors = await service.sql<{ actor: string }[]>`
    select actor from events where entity_id = ${full('UNO')}`;
  expect(new Set(actors.map(({ actor }) => actor))).toEqual(new Set([`user:${collector.userId}`]));
});

test('creates one QR for a form sent twice at once, and shows faults and taken codes at their fields', async () => {
  const path = `${list}/new`;
  const key = keyIn(await owner.get(path));
  const sent = { ...fieldsOf('DOS'), key };
  const both = await Promise.all([owner.post(path, sent), owner.post(path, sent)]);
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  expect((await owner.post(path, { ...sent, first_total: '99' })).status).toBe(422);
  const fresh = keyIn(await owner.get(path));
  const taken = await owner.post(path, { ...sent, key: fresh });
  expect([taken.status, taken.text.includes('Este código ya se usó')]).toEqual([409, true]);
  const wrong = { ...sent, id: 'con espacios', first_total: '1', first_due_date: 'ayer', city: '' };
  const faulty = await owner.post(path, { ...wrong, key: fresh });
  expect(faulty.status).toBe(400);
  for (const name of ['id', 'first_total', 'first_due_date', 'city']) {
    expect([name, faulty.text.includes(`id="${name}-fault"`)]).toEqual([name, true]);
  }
  expect(faulty.text).toContain('value="con espacios"');
});

test('refuses changes to a QR that was paid in the meantime, and explains it', async () => {
  await api.save([itemOf(service, 'PAGO')]);
  const edit = { ...fieldsOf('PAGO'), first_total: '50' };
  expect((await api.pay('PAGO')).status).toBe(200);
  for (const what of ['edit', 'delete']) {
    const { status, text } = await owner.post(`${list}/${full('PAGO')}/${what}`, edit);
    expect([what, status, text.includes('no se puede cambiar')]).toEqual([what, 409, true]);
  }
  const { text } = await owner.get(`${list}/${full('PAGO')}`);
  expect(text).toContain('Pagado');
  expect(text).not.toContain('/edit"');
  expect((await api.status('PAGO')).body.first_total).toBe(1430.5);
});

test('creates a static QR once and shows its image', async () => {
  const path = `${list}/static/new`;
  const key = keyIn(await owner.get(path));
  const sent = { ...(staticBody({ id: 'CAJA-9' }) as Record<string, string>), key };
  const first = await owner.post(path, sent);
  expect(first.location).toBe(`${list}/static/${full('CAJA-9')}`);
  expect((await owner.post(path, sent)).location).toBe(first.location);
  const again = await owner.post(path, { ...sent, key: keyIn(await owner.get(path)) });
  expect([again.status, again.text.includes('Este código ya se usó')]).toEqual([409, true]);
  const bad = await owner.post(path, { ...sent, qr_type: 'x', qr_name: 'x'.repeat(16), key });
  expect(bad.text).toContain('id="qr_name-fault"');
  expect(bad.text).toContain('id="qr_type-fault"');
  expect(idsIn(await owner.get(`${list}/static`))).toEqual([full('CAJA-9')]);
  await lookAtPage(browser, at(first.location ?? ''), 'qr-static-one');
  await lookAtPage(browser, at(`${list}/static`), 'qr-static');
});

test('finds QRs by words, code and state, page by page', async () => {
  const many = Array.from({ length: 60 }, (_, no) =>
    itemOf(service, `M${no}`, { payer_name: `Muñoz ${no}` }),
  );
  expect((await api.save(many)).status).toBe(201);
  const found = async (query: string) => idsIn(await owner.get(`${list}?${query}`));
  expect(await found('q=munoz%2042')).toEqual([full('M42')]);
  expect(await found('q=PAGO')).toEqual([full('PAGO')]);
  expect(await found(`q=${full('PAGO')}&state=x`)).toEqual([full('PAGO')]);
  expect(await found('state=deleted')).toEqual([full('UNO')]);
  expect(await found('q=%27!%3A*')).toEqual([]);
  expect(await found('q=munoz%2042&state=paid')).toEqual([]);
  const seen: string[] = [];
  let path: string | undefined = `${list}?state=pending`;
  while (path !== undefined) {
    const page = await owner.get(path);
    seen.push(...idsIn(page));
    path = /rel="next" href="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
  }
  expect(seen).toHaveLength(61);
  expect(new Set(seen).size).toBe(61);
  expect((await found('behind=x.1')).length).toBe(50);
  await lookAtPage(browser, at(list), 'qr');
  await lookAtPage(browser, at(`${list}/${full('M42')}`), 'qr-one');
});

test('finds a QR by its words before and after indexing, after an edit, and across pages', async () => {
  const found = async (query: string) => idsIn(await owner.get(`${list}?${query}`));
  expect((await api.save([itemOf(service, 'W1', { payer_name: 'Ñandú Uno' })])).status).toBe(201);
  expect(await found('q=nandu')).toEqual([full('W1')]);
  await sealEvents(service);
  expect(await found('q=nandu')).toEqual([full('W1')]);
  await indexWords(service.sql, testAccount);
  expect(await found('q=nandu')).toEqual([full('W1')]);
  expect(await found('q=w1')).toEqual([full('W1')]);
  expect((await api.edit('W1', itemOf(service, 'W1', { payer_name: 'Yaguareté' }))).status).toBe(
    200,
  );
  expect(await found('q=yagua')).toEqual([full('W1')]);
  await sealEvents(service);
  await indexWords(service.sql, testAccount);
  expect(await found('q=yagua')).toEqual([full('W1')]);
  expect(await found('q=nandu')).toEqual([]);
  // Indexing again from the seals restores lost words.
  await service.sql`delete from request_words where kind = 'qr'`;
  await service.sql`update request_word_marks set seal_no = 0`;
  await indexWords(service.sql, testAccount);
  const seen: string[] = [];
  let path: string | undefined = `${list}?q=munoz`;
  while (path !== undefined) {
    const page = await owner.get(path);
    seen.push(...idsIn(page));
    path = /rel="next" href="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
  }
  expect([seen.length, new Set(seen).size]).toEqual([60, 60]);
  const [words] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from request_words where kind = 'qr'`;
  const [made] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from requests
    where kind = 'qr' and details->>'static_id' is null`;
  expect(words?.count).toBe(made?.count);
  expect((await api.remove('W1')).status).toBe(200);
});

test('prints every payable QR with its image', async () => {
  const all = await owner.get(`${list}/sheet.html`);
  expect(all.headers.get('content-disposition')).toContain('qr.html');
  expect(all.text.match(/<figure>/g)).toHaveLength(62);
  expect(all.text).toContain('src="data:image/svg+xml;base64,');
  const one = await owner.get(`${list}/sheet.html?id=${full('M42')}`);
  expect(one.text.match(/<figure>/g)).toHaveLength(1);
  for (const nothing of ['nada', '%00', '']) {
    const sheet = await owner.get(`${list}/sheet.html?id=${nothing}`);
    expect([sheet.status, sheet.text.includes('<figure>')]).toEqual([200, false]);
  }
  expect((await owner.get(`${list}/sheet.html?since=2099-01-01`)).text).not.toContain('<figure>');
  await lookAtPage(browser, at(`${list}/sheet`), 'qr-sheet');
});

const spreadsheet = [
  'Código;Pagador;Concepto;Importe;Vencimiento;Ciudad',
  ...Array.from({ length: 30 }, (_, no) => `P${no};Peña ${no};Cuota;1.430,50;31/12/2099;Salta`),
  'MAL;Sin importe;Cuota;;31/12/2099;Salta',
  'DOS;Repetido;Cuota;100;31/12/2099;Salta',
].join('\r\n');

test('creates QRs from a spreadsheet in the background, and lists rejected rows', async () => {
  const answer = await upload('mayo.csv', Buffer.from(spreadsheet, 'latin1'));
  expect(answer.status).toBe(303);
  const path = answer.location ?? '';
  await vi.waitFor(
    async () => expect((await owner.get(path)).text).toContain('badge-good">Terminado'),
    { timeout: 20_000 },
  );
  const { text } = await owner.get(path);
  expect(text).toContain('<dd class="figure-value">30</dd>');
  expect(text).toContain('<dd class="figure-value">2</dd>');
  expect(text).toContain(full('DOS'));
  expect(text).toContain('Completá este dato.');
  expect(text).not.toContain('This field is required');
  expect((await api.status('P7')).body).toMatchObject({
    payer_name: 'Peña 7',
    first_total: 1430.5,
    first_due_date: '31-12-2099',
  });
  expect((await owner.get(`${list}/uploads`)).text).toContain(path);
  await lookAtPage(browser, at(path), 'qr-upload');
  await lookAtPage(browser, at(`${list}/uploads`), 'qr-uploads');
});

test.each([
  ['an empty file', 'a.csv', '', 400],
  ['missing columns', 'a.csv', 'codigo;pagador\r\n1;Ana\r\n', 422],
  [
    'a duplicate column',
    'a.csv',
    'codigo;legajo;pagador;concepto;importe;vencimiento;ciudad\r\n1;2;Ana;Cuota;10;1/2/2099;Salta\r\n',
    422,
  ],
  ['a row with a missing cell', 'a.csv', `${spreadsheet}\r\nX;Peña;Cuota;10;1/2/2099`, 422],
  ['a file that is not a spreadsheet', 'a.xlsx', '\u0000\u0001\u0002', 400],
])('reports the faults of %s, and stores nothing', async (_, name, content, status) => {
  const count = async () => (await service.sql`select from batches where bytes is not null`).length;
  const before = await count();
  const answer = await upload(name, content);
  expect([answer.status >= 400 && answer.status < 500, await count()]).toEqual([true, before]);
  expect(answer.status).toBe(status);
  expect(answer.text).toContain('id="file-fault"');
});

test('shows read-only users no actions, and answers 404 for a missing QR', async () => {
  const reader = await signIn(service, 'read_only');
  expect((await reader.get(list)).text).not.toContain(`${list}/new`);
  expect((await reader.get(`${list}/${full('M1')}`)).text).not.toContain('/edit"');
  expect((await reader.get(`${list}/uploads`)).text).not.toContain('type="file"');
  expect((await upload('a.csv', spreadsheet, reader)).status).toBe(403);
  for (const path of [
    'nada',
    'B1B2C3D4-M1',
    'static/nada',
    'uploads/1',
    'uploads/x',
    'nada/edit',
  ]) {
    expect([path, (await owner.get(`${list}/${path}`)).status]).toEqual([path, 404]);
  }
  expect((await owner.post(`${list}/nada/delete`)).status).toBe(404);
});

test.each([
  ['new', 'qr-new'],
  ['static/new', 'qr-static-new'],
])('renders the form at %s accessibly', async (path, name) => {
  await lookAtPage(browser, at(`${list}/${path}`), name);
});

test.each(['edit', 'delete'])('renders the %s page of a QR accessibly', async (what) => {
  await lookAtPage(browser, at(`${list}/${full('M1')}/${what}`), `qr-${what}`);
});
