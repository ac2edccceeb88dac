import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { moveAccount } from '../../src/accounts/index.ts';
import { looks, openAll, violationsOn } from '../harness/accessible.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { inDays } from '../harness/builders/clock.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openDesk } from '../imports/desk.ts';
import { sheetOf, twoSheets, workbook } from '../platform/spreadsheets/books.ts';

// A browser runs alongside workers, on machines with other load.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let office: Office;
let folder: string;
const home = `/portal/${testAccount}/imports`;

beforeAll(async () => {
  service = await startService();
  browser = await launchBrowser();
  office = await signIn(service, 'collections');
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-portal-imports-'));
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Opens the imports page, signed in with the collections role. */
async function opened(options: BrowserContextOptions = {}): Promise<[Page, BrowserContext]> {
  const context = await browser.newContext(options);
  const [name = '', value = ''] = office.cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: service.origin }]);
  const page = await context.newPage();
  await page.goto(service.origin + home);
  return [page, context];
}

async function written(name: string, content: string | Buffer): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

const headings = 'Socio;Concepto;Vencimiento;Importe;Referencia';
const members = (count: number, mark: string): string[] =>
  Array.from(
    { length: count },
    (_, no) => `Ñandú ${no};Cuota;${inDays(service, 20)};${100 + no},50;${mark}-${no}`,
  );

async function upload(page: Page, file: string): Promise<void> {
  await page.setInputFiles('input[type=file]', file);
  await page.getByRole('button', { name: 'Subir y revisar' }).click();
}

const figure = (page: Page, label: string) =>
  page
    .locator('.figure', { has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first();

const stored = async (mark: string) => {
  const [row] = await service.sql`
    select count(*)::int as requests, count(*) filter (where state = 'expired')::int as withdrawn
    from requests where reference like ${`${mark}-%`}`;
  return row;
};

async function lookUntil(page: Page, state: string): Promise<void> {
  await vi.waitFor(
    async () => {
      await page.reload();
      expect(await page.locator('.lead').textContent()).toContain(state);
    },
    { timeout: 90_000, interval: 300 },
  );
}

test('uploads, reviews, creates, downloads and undoes 2,000 members of a cooperative without scripts', async () => {
  const [page, context] = await opened({ javaScriptEnabled: false });
  const lines = [headings, ...members(2_000, 'coop'), `;Cuota;31-02-2027;1,2,3;bad`, 'TOTAL;;;9;'];
  await upload(page, await written('socios.csv', Buffer.from(lines.join('\r\n'), 'latin1')));
  expect(await page.textContent('h1')).toBe('socios.csv');
  expect(await figure(page, 'Sin errores').textContent()).toBe('2000');
  expect(await figure(page, 'Con errores').textContent()).toBe('1');
  const remark = page.locator('tr', { hasText: '31-02-2027' });
  expect(await remark.textContent()).toMatch(/Fila 2002.*Vencimiento.*Ese día no existe/);
  expect(await page.textContent('main')).toContain('filas de totales: 2003');
  expect(await stored('coop')).toEqual({ requests: 0, withdrawn: 0 });
  await page.getByRole('button', { name: 'Crear 2000 filas' }).click();
  await lookUntil(page, 'Terminada');
  expect(await figure(page, 'Creados').textContent()).toBe('2000');
  expect(await stored('coop')).toEqual({ requests: 2_000, withdrawn: 0 });
  const result = await office.get(new URL(page.url()).pathname.concat('/result.csv'));
  expect(result.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(result.text.match(/;created;/g)).toHaveLength(2_000);
  await page.getByRole('link', { name: 'Deshacer esta importación' }).click();
  await page.getByRole('button', { name: 'Sí, retirar' }).click();
  await lookUntil(page, 'Deshecha');
  expect(await stored('coop')).toEqual({ requests: 2_000, withdrawn: 2_000 });
  const [comment] = await service.sql`
    select distinct state_comment as text from requests where reference like 'coop-%'`;
  expect(comment?.text).toContain(`Withdrawn by ${office.email}`);
  await context.close();
});

test('lets the user choose sheet, heading row and hidden rows without scripts', async () => {
  const [page, context] = await opened({ javaScriptEnabled: false });
  const rows = (mark: string) => [
    ['Club', 'Social'],
    headings.split(';'),
    ['Ana', 'Cuota', inDays(service, 20), '100', `${mark}-1`],
    ['Bea', 'Cuota', inDays(service, 20), '100', `${mark}-2`],
  ];
  const sheet = sheetOf(rows('second')).replace('<row r="4">', '<row r="4" hidden="1">');
  await upload(page, await written('hojas.xlsx', twoSheets(sheetOf(rows('first')), sheet)));
  expect(await page.textContent('main')).toContain('Leímos la hoja «Enero»');
  await page.getByLabel('Hoja').selectOption('Febrero');
  await page.getByLabel('Fila de títulos').selectOption({ value: '2' });
  await page.getByRole('button', { name: 'Leer de nuevo' }).click();
  expect(await page.textContent('main')).toContain('una fila oculta, la 4');
  expect(await page.textContent('main')).toContain('Dejamos afuera la primera fila,');
  expect(await figure(page, 'Sin errores').textContent()).toBe('1');
  await page.getByLabel('Leer también la fila oculta').check();
  await page.getByRole('button', { name: 'Leer de nuevo' }).click();
  expect(await figure(page, 'Sin errores').textContent()).toBe('2');
  await page.getByRole('button', { name: 'Crear 2 filas' }).click();
  await lookUntil(page, 'Terminada');
  expect(await stored('second')).toMatchObject({ requests: 2 });
  expect(await stored('first')).toMatchObject({ requests: 0 });
  await context.close();
});

test('shows the number of e-mails waiting for payers, and when the last one will be sent', async () => {
  const [page, context] = await opened({ javaScriptEnabled: false });
  await upload(page, await written('pocos.csv', [headings, ...members(2, 'few')].join('\n')));
  await page.getByRole('button', { name: 'Crear 2 filas' }).click();
  await lookUntil(page, 'Terminada');
  expect(await page.textContent('main')).not.toContain('correos a pagadores');
  await service.sql`
    insert into mails (account_id, id, recipient, subject, body, state, attempts, next_at, mailbox,
      paced, mass)
    select ${testAccount}, 900000 + no, 'a@b.example', 's', 'b', 'waiting', 0,
      now() + interval '1 day', 'a@b.example', true, true from generate_series(1, 1296) as no`;
  await page.reload();
  // 108 per minute: a tenth of the 120 is reserved for e-mails to individuals.
  const until = service.service.parts.clocks.business.now().add({ minutes: 12 });
  const text = await page.textContent('main');
  expect(text).toContain('Faltan enviar 1.296 correos a pagadores.');
  const hour = until.toZonedDateTimeISO('America/Argentina/Buenos_Aires').toString().slice(11, 15);
  expect(text).toContain(`${hour}`);
  await service.sql`delete from mails where id > 900000`;
  await context.close();
});

test('maps unknown columns on request, and lists missing ones', async () => {
  const [page, context] = await opened();
  const rows = members(2, 'hand').join('\n');
  await upload(page, await written('a-mano.csv', `Quién;Qué;Cuándo;Cuánto;Ref\n${rows}`));
  expect(await page.textContent('.notice-bad')).toContain('Nombre del pagador, Concepto');
  expect(await page.getByRole('button', { name: /^Crear/ }).count()).toBe(0);
  await page.selectOption('select[name=payer_name]', '0');
  await page.selectOption('select[name=description]', '1');
  await page.selectOption('select[name=first_due_date]', '2');
  await page.selectOption('select[name=first_total]', '2');
  const save = page.getByRole('button', { name: 'Guardar y volver a revisar' });
  await save.click();
  expect(await page.textContent('[role=alert]')).toContain('un solo dato');
  await page.selectOption('select[name=payer_name]', '0');
  await page.selectOption('select[name=description]', '1');
  await page.selectOption('select[name=first_due_date]', '2');
  await page.selectOption('select[name=first_total]', '3');
  await save.click();
  expect(await page.getByRole('button', { name: 'Crear 2 filas' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Descartar la planilla' }).click();
  expect(new URL(page.url()).pathname).toBe(home);
  expect(await page.textContent('main')).not.toContain('a-mano.csv');
  await context.close();
});

test('reports a file that is not a spreadsheet, is too large or is missing, and stores nothing', async () => {
  const [page, context] = await opened();
  await upload(page, await written('macro.xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0])));
  expect(await page.textContent('#file-fault')).toContain('XLS viejo');
  await upload(page, await written('filas.csv', `a;b\n${'1;2\n'.repeat(100_000)}`));
  expect(await page.textContent('#file-fault')).toContain('hasta 50000 filas');
  await page.locator('input[type=file]').evaluate((input) => input.removeAttribute('required'));
  await page.getByRole('button', { name: 'Subir y revisar' }).click();
  expect(await page.textContent('#file-fault')).toContain('Elegí una planilla');
  await context.close();
  const large = { name: 'grande.csv', content: new Uint8Array(17 * 1024 * 1024) };
  const { status, text } = await office.send(home, large);
  expect([status, text]).toEqual([413, expect.stringContaining('<h1>')]);
  const [row] = await service.sql`
    select count(*)::int as count from imports where file_name = any('{macro.xls,filas.csv,grande.csv}')`;
  expect(row).toEqual({ count: 0 });
});

test('keeps the draft when the session ends, until the next sign-in', async () => {
  const [page, context] = await opened();
  const due = inDays(service, 20);
  const bytes = await workbook([
    ['Alumno', 'Concepto', 'Vencimiento', 'Importe', 'Legajo'],
    ['Ana', 'Cuota', due, 10.5, 'later-1'],
  ]);
  await upload(page, await written('alumnos.xlsx', bytes));
  await context.clearCookies();
  await page.getByRole('button', { name: 'Crear 1 fila' }).click();
  expect(new URL(page.url()).pathname).toBe('/portal/sign-in');
  expect(await stored('later')).toEqual({ requests: 0, withdrawn: 0 });
  await context.close();
  const [again, other] = await opened();
  await again.getByRole('link', { name: 'alumnos.xlsx' }).click();
  await again.getByRole('button', { name: 'Crear 1 fila' }).click();
  await lookUntil(again, 'Terminada');
  expect(await stored('later')).toEqual({ requests: 1, withdrawn: 0 });
  await other.close();
});

test('lets the user choose the kind of rows, and shows progress without reloading the page', async () => {
  const [page, context] = await opened();
  await page.getByLabel('Qué crea cada fila').selectOption('QR');
  const rows = Array.from(
    { length: 3_000 },
    (_, no) => `L-${no};Ana;Cuota;Rosario;${inDays(service, 20)};${100 + no}`,
  );
  const heads = 'Código;Socio;Concepto;Localidad;Vencimiento;Importe';
  await upload(page, await written('qr.csv', [heads, ...rows].join('\n')));
  await page.getByRole('button', { name: 'Crear 3000 filas' }).click();
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  await page.getByText('Terminada').waitFor({ timeout: 60_000 });
  expect(await page.getByText('3000', { exact: true }).count()).toBe(1);
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true);
  await context.close();
});

test('refuses an unknown kind of rows', async () => {
  const file = { name: 'x.csv', content: 'a;b\n1;2' };
  const sent = await office.send(home, file, { kind: 'card_adhesion' });
  expect([sent.status, sent.text]).toEqual([400, expect.stringContaining('de la lista')]);
});

/** Uploads rows. Marks their import as a completed one of this kind. Returns its address. */
async function doneOf(kind: string): Promise<string> {
  const content = [headings, ...members(1, `done-${kind}`)].join('\n');
  const sent = await office.send(home, { name: 'x.csv', content }, { kind: 'payment_request' });
  const at = sent.location ?? '';
  await service.sql`
    update imports set kind = ${kind}, state = 'completed' where id = ${Number(at.split('/').at(-1))}`;
  return at;
}

test('offers to undo an import only if the account’s state allows it', async () => {
  const [requests, qrs] = [await doneOf('payment_request'), await doneOf('qr')];
  const undoes = async (at: string) => (await office.get(at)).text.includes(`${at}/undo"`);
  expect([await undoes(requests), await undoes(qrs)]).toEqual([true, true]);
  const acting = { ...service.service.parts.base, actor: testOperator };
  const move = { accountId: testAccount, reason: 'x' };
  await moveAccount(acting, { ...move, move: 'suspend' });
  try {
    // A suspended account can withdraw its requests, but not change QRs.
    expect([await undoes(requests), await undoes(qrs)]).toEqual([true, false]);
    expect((await office.get(`${requests}/undo`)).status).toBe(200);
    for (const answer of [await office.get(`${qrs}/undo`), await office.post(`${qrs}/undo`)]) {
      expect([answer.status, answer.text]).toEqual([
        403,
        expect.stringContaining('La cuenta está suspendida'),
      ]);
    }
    expect((await office.post(`${requests}/undo`)).status).toBe(303);
    const states = await service.sql<{ kind: string; state: string }[]>`
      select kind, state from imports where file_name = 'x.csv' order by id`;
    expect(states.find(({ kind }) => kind === 'qr')?.state).toBe('completed');
    expect(states.find(({ kind }) => kind === 'payment_request')?.state).not.toBe('completed');
  } finally {
    await moveAccount(acting, { ...move, move: 'reopen' });
  }
});

test.each(looks)('renders accessible pages: $colorScheme $viewport.width', async (look) => {
  const [page, context] = await opened(look);
  const mark = `look${look.colorScheme}${look.viewport.width}`;
  const lines = [headings, ...members(3, mark), `;Cuota;31-02-2027;1,2,3;${mark}-0`];
  const file = await written(`${mark}.csv`, lines.join('\n'));
  const check = async (): Promise<void> => {
    await openAll(page);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth);
    expect([page.url(), sideways]).toEqual([page.url(), look.viewport.width]);
    expect([page.url(), ...(await violationsOn(page))]).toEqual([page.url()]);
  };
  await check();
  await upload(page, file);
  await check();
  // The menu that the check opened covers the button.
  await page.reload();
  await page.getByRole('button', { name: 'Crear 3 filas' }).click();
  await lookUntil(page, 'Terminada');
  await check();
  await page.goto(`${page.url()}/undo`);
  await check();
  await context.close();
});

test('lists every import across pages, newest first', async () => {
  await doneOf('payment_request');
  await service.sql`
    insert into imports (account_id, id, kind, state, version, created_at, file_name, sha256,
      columns, notes, way, matched, row_count, page_count)
    select account_id, 1000000 + copy, kind, 'undone', 1, created_at, 'old-' || copy || '.csv', sha256,
      columns, notes, way, matched, row_count, page_count
    from (select * from imports where account_id = ${testAccount} limit 1) as one,
      generate_series(1, 120) as copy`;
  const listed: string[] = [];
  let next: string | undefined = home;
  while (next !== undefined) {
    const { text } = await office.get(next);
    const found = [...text.matchAll(/href="[^"]*\/imports\/(\d+)"/g)].map(([, id = '']) => id);
    expect(found.length).toBeLessThanOrEqual(50);
    listed.push(...found);
    next = /rel="next" href="([^"]+)"/.exec(text)?.[1];
  }
  const rows = await service.sql<{ id: number }[]>`
    select id from imports where account_id = ${testAccount} and state <> 'discarded'
    order by id desc`;
  expect(listed).toEqual(rows.map(({ id }) => String(id)));
});

test('fills the progress bar of an undo that leaves paid rows', async () => {
  const desk = openDesk(service);
  const { import: one } = await desk.upload(desk.members(2));
  await service.sql`
    update imports set state = 'undoing', created = 2, withdrawn = 1, next_page = 3,
      undone_page = 3, look_at = null
    where account_id = ${testAccount} and id = ${one.id}`;
  const office = await signIn(service, 'owner');
  const { text } = await office.get(`/portal/${testAccount}/imports/${one.id}`);
  expect(text).toMatch(/<progress max="3" value="3"/);
});
