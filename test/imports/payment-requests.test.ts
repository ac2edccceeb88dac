import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Import } from '../../src/imports/index.ts';
import { LocalizedText } from '../../src/language/localized-text.ts';
import { takeParts } from '../../src/platform/imports/jobs.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { workbook } from '../platform/spreadsheets/books.ts';
import { type ImportDesk, openDesk, staff } from './desk.ts';

let service: TestService;
let desk: ImportDesk;
beforeAll(async () => {
  service = await startService();
  desk = openDesk(service);
});
afterAll(() => service.stop());

const countOf = async (): Promise<number> => {
  const [row] = await service.sql<{ count: number }[]>`select count(*)::int as count from requests`;
  return row?.count ?? -1;
};

const requestsLike = (prefix: string) => service.sql<
  { id: number; payer: string; total1: number; reference: string; state: string }[]
>`
  select id, payer, total1, reference, state from requests
  where reference like ${`${prefix}%`} order by id`;

test('creates payment requests from a spreadsheet that Excel saved in Argentina, once confirmed', async () => {
  const before = await countOf();
  const text = [
    'Cuotas de la cooperativa;;;;;',
    'Apellido y Nombre;Detalle;Fecha de vencimiento;Importe;N° de socio;Correo electrónico',
    `Núñez, José;Cuota;${desk.due.replaceAll('-', '/')};"$ 1.430,50";ansi-1;jose@example.com`,
    `Peña, Ana;Cuota;${desk.due};1.000;ansi-2;`,
    'TOTAL;;;2.430,50;;',
  ].join('\r\n');
  const { import: one, sameFile } = await desk.upload(
    Buffer.from(text, 'latin1'),
    'C:\\cuotas.csv',
  );
  expect(one).toMatchObject({ state: 'draft', file_name: 'cuotas.csv', row_count: 2 });
  expect(one).toMatchObject({ faulty_count: 0, existing_count: 0 });
  expect(one.notes.map(({ what }) => what)).toEqual(['encoding', 'above', 'totals']);
  expect([sameFile, await countOf()]).toEqual([null, before]);
  await desk.confirm(one);
  const done = await desk.until(one.id, 'completed');
  expect(done).toMatchObject({ created: 2, rejected: 0, skipped: 0 });
  const made = await requestsLike('ansi-');
  expect(made).toMatchObject([
    { payer: 'Núñez, José', total1: 143_050, reference: 'ansi-1' },
    { payer: 'Peña, Ana', total1: 100_000, reference: 'ansi-2' },
  ]);
  const { body } = await service.call('GET', `/payment-request/${made[0]?.id}`);
  expect(body).toMatchObject({ payer_email: 'jose@example.com', first_total: 1430.5 });
  const rows: Record<string, string>[] = parse(await desk.result(one.id), {
    columns: true,
    bom: true,
  });
  expect(rows).toMatchObject([
    { row: '3', status: 'created', id: String(made[0]?.id), checkout_url: body.checkout_url },
    { row: '4', status: 'created', pdf_url: expect.stringMatching(/coupon/) },
  ]);
});

test('creates the same requests from a workbook with typed numbers and days', async () => {
  const [day, month, year] = desk.due.split('-').map(Number);
  const due = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, day));
  const bytes = await workbook([
    ['Nombre', 'Concepto', 'Vto', 'Monto', 'Legajo'],
    ['Ana', 'Cuota', due, 1430.5, 12_345],
    ['Bea', 'Cuota', due, 20, 12_346],
  ]);
  const { import: one } = await desk.upload(bytes, 'alumnos.xlsx');
  await desk.confirm(one);
  expect(await desk.until(one.id, 'completed')).toMatchObject({ created: 2 });
  expect(await requestsLike('1234')).toMatchObject([
    { payer: 'Ana', total1: 143_050, reference: '12345' },
    { payer: 'Bea', total1: 2_000 },
  ]);
});

test('validates each row like the API call, with its messages, and skips faulty ones', async () => {
  const text = [
    'Nombre,Concepto,Vencimiento,Importe,Mail,Referencia',
    `Ana,Cuota,${desk.due},10,no-address,bad-1`,
    ',Cuota,31-02-2027,"1,2,3",,bad-2',
    `Bea,#N/A,${desk.due},10,,bad-3`,
    `Cora,Cuota,${desk.due},10,,good-4`,
    `Dina,Cuota,${desk.due},10,,good-5,more`,
  ].join('\n');
  const { import: one } = await desk.upload(text);
  expect(one).toMatchObject({ row_count: 5, faulty_count: 4 });
  const [page] = await desk.imports.remarked(staff, one.id, { from: 0, most: 10 });
  const { body } = await service.call('POST', '/payment-request', {
    body: {
      payment_request: {
        ...{ description: 'Cuota', first_due_date: desk.due, first_total: 10 },
        ...{ payer_name: 'Ana', payer_email: 'no-address' },
      },
    },
  });
  expect(page?.faults.map(([row, faults]) => [row, faults.map(({ path }) => path[0])])).toEqual([
    [2, ['payer_email']],
    [3, ['first_due_date', 'first_total', 'payer_name']],
    [4, ['description']],
    [6, [undefined]],
  ]);
  expect(page?.faults[0]?.[1][0]?.message).toBe(body.children.payer_email.errors[0]);
  // Faults are stored as codes, so each reader gets them in their language.
  expect(page?.faults[3]?.[1].map(({ localized }) => localized?.in('es'))).toEqual([
    'La fila tiene 7 celdas, y los encabezados nombran 6 columnas.',
  ]);
  await desk.confirm(one);
  expect(await desk.until(one.id, 'completed')).toMatchObject({ created: 1, rejected: 4 });
  expect(await requestsLike('bad-')).toEqual([]);
});

test('skips rows with a known or repeated reference unless the user wants them', async () => {
  const first = await desk.upload(desk.members(3));
  await desk.confirm(first.import);
  await desk.until(first.import.id, 'completed');
  const [made] = await service.sql<{ reference: string; id: number }[]>`
    select reference, id from requests order by id desc limit 1`;
  const text = [
    'Nombre;Concepto;Vencimiento;Importe;Referencia',
    `Ana;Cuota;${desk.due};10;${made?.reference}`,
    `Bea;Cuota;${desk.due};10;twice-1`,
    `Cora;Cuota;${desk.due};10;twice-1`,
  ].join('\n');
  const second = await desk.upload(text);
  expect(second.import).toMatchObject({ faulty_count: 0, existing_count: 2 });
  const [page] = await desk.imports.remarked(staff, second.import.id, { from: 0, most: 10 });
  expect(page?.existing).toEqual([
    [2, made?.id],
    [4, null],
  ]);
  await desk.confirm(second.import);
  expect(await desk.until(second.import.id, 'completed')).toMatchObject({ created: 1, skipped: 2 });
  const third = await desk.upload(`${text}\n`);
  await desk.confirm(third.import, { repeatsToo: true });
  expect(await desk.until(third.import.id, 'completed')).toMatchObject({ created: 3, skipped: 0 });
});

test('reuses the draft for the same file, and asks before repeating a finished import', async () => {
  const text = desk.members(2);
  const uploads = await Promise.all([desk.upload(text), desk.upload(text)]);
  const [one] = uploads.map((uploaded) => uploaded.import);
  expect(new Set(uploads.map((uploaded) => uploaded.import.id)).size).toBe(1);
  expect(uploads.map((uploaded) => uploaded.import.faulty_count)).toEqual([0, 0]);
  const draft = await desk.imports.get(staff, one?.id ?? 0);
  await desk.confirm(draft);
  await desk.until(draft.id, 'completed');
  const again = await desk.upload(text);
  expect(again.sameFile?.id).toBe(draft.id);
  await expect(desk.confirm(again.import)).rejects.toThrow(/already confirmed as import/);
  await desk.confirm(again.import, { again: true });
  expect(await desk.until(again.import.id, 'completed')).toMatchObject({ created: 0, skipped: 2 });
});

test('asks for unknown columns to be matched once, and remembers the match', async () => {
  const text = (no: number) =>
    `Quién;Qué;Cuándo;Cuánto\nAna ${no};Cuota;${desk.due};10\nBea;Cuota;${desk.due};20`;
  const { import: one } = await desk.upload(text(1));
  expect(one).toMatchObject({ faulty_count: null });
  await expect(desk.confirm(one)).rejects.toThrow(/required fields have no column/);
  const matched = { payer_name: 0, description: 1, first_due_date: 2, first_total: 3 };
  await expect(desk.imports.match(staff, one.id, { ...matched, first_total: 2 })).rejects.toThrow(
    /only one field/,
  );
  await expect(desk.imports.match(staff, one.id, { ...matched, nonsense: 1 })).rejects.toThrow(
    /no field nonsense/,
  );
  await expect(desk.imports.match(staff, one.id, { ...matched, first_total: 4 })).rejects.toThrow(
    /has no such column/,
  );
  const seen = await desk.imports.match(staff, one.id, matched);
  expect(seen).toMatchObject({ faulty_count: 0 });
  await expect(desk.confirm(one)).rejects.toMatchObject({ errorCode: 'import.changed' });
  const { import: next } = await desk.upload(text(2));
  expect(next).toMatchObject({ faulty_count: 0, matched: expect.objectContaining(matched) });
});

test('accepts one of several concurrent confirmations, and creates each row once with several workers', async () => {
  const { import: one } = await desk.upload(desk.members(900));
  const taken = await Promise.allSettled([desk.confirm(one), desk.confirm(one), desk.confirm(one)]);
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const { workOnImports } = service.service.parts;
  const { signal } = new AbortController();
  await Promise.all([workOnImports(signal), workOnImports(signal), workOnImports(signal)]);
  expect(await desk.until(one.id, 'completed')).toMatchObject({ created: 900 });
  const [row] = await service.sql`
    select count(*)::int as requests, count(distinct reference)::int as names
    from requests where description = (select description from requests order by id desc limit 1)`;
  expect(row).toEqual({ requests: 900, names: 900 });
});

test('writes an event for each step and each request, with the user if one acted', async () => {
  const { import: one } = await desk.upload(desk.members(1));
  await desk.confirm(one);
  await desk.until(one.id, 'completed');
  const events = await service.sql`
    select type, actor, version from events
    where account_id = ${testAccount} and entity = 'import' and entity_id = ${String(one.id)}
    order by version`;
  expect(events).toEqual([
    { type: 'import.uploaded', actor: 'user:7', version: 1 },
    { type: 'import.matched', actor: 'user:7', version: 2 },
    { type: 'import.confirmed', actor: 'user:7', version: 3 },
    { type: 'import.completed', actor: 'system', version: 4 },
  ]);
  const [created] = await service.sql`
    select actor from events where type = 'payment_request.created' order by id desc limit 1`;
  expect(created).toEqual({ actor: 'user:7' });
});

test('hides imports from other accounts, and deletes a discarded draft', async () => {
  const { import: one } = await desk.upload(desk.members(1));
  const stranger = { ...staff, accountId: '00000000' };
  await expect(desk.imports.get(stranger, one.id)).rejects.toMatchObject({
    errorCode: 'import.not_found',
  });
  await expect(desk.imports.undo(stranger, one.id, 'x')).rejects.toMatchObject({
    errorCode: 'import.not_found',
  });
  await expect(desk.imports.undo(staff, one.id, 'x')).rejects.toMatchObject({
    errorCode: 'import.wrong_state',
    message: expect.stringContaining('is draft'),
  });
  await desk.imports.discard(staff, one.id);
  await expect(desk.confirm(one)).rejects.toMatchObject({ errorCode: 'import.wrong_state' });
  const listed = await desk.imports.list(staff, { before: 1e15, limit: 100 });
  expect(listed.map(({ id }) => id)).not.toContain(one.id);
});

test('stops a suspended account’s import, and resumes it later', async () => {
  const { import: one } = await desk.upload(desk.members(2));
  const state = (to: string) =>
    service.sql`update accounts set state = ${to} where id = ${testAccount}`;
  await state('suspended');
  await expect(desk.confirm(one)).rejects.toMatchObject({ errorCode: 'account.creates_nothing' });
  await expect(desk.upload(desk.members(1))).rejects.toMatchObject({
    errorCode: 'account.creates_nothing',
  });
  await state('active');
  await desk.confirm(one);
  await service.sql`update imports set look_at = null where id = ${one.id}`;
  const { next_page: next } = await desk.imports.get(staff, one.id);
  if (next === 0) {
    await state('suspended');
    await service.sql`update imports set look_at = created_at where id = ${one.id}`;
    expect(await desk.until(one.id, 'failed')).toMatchObject({ created: 0 });
    await state('active');
    await desk.confirm(await desk.imports.get(staff, one.id));
  }
  expect(await desk.until(one.id, 'completed')).toMatchObject({ created: 2 });
});

test('ends an import that keeps failing, and explains it in both languages', async () => {
  const { import: one } = await desk.upload(desk.members(1));
  await service.sql`
    update imports set state = 'running', actor = 'user:7', tries = 20, look_at = created_at
    where id = ${one.id}`;
  const { error } = await desk.until(one.id, 'failed');
  if (!(error instanceof LocalizedText)) throw new Error(`${error} has no code`);
  expect(error.in('en')).toMatch(/^The import stopped because of a fault on our side\./);
  expect(error.in('es')).toMatch(/^La importación se cortó por una falla nuestra\./);
  const [failed] = await service.sql<{ error: string }[]>`
    select data::json->>'error' as error from events
    where type = 'import.failed' and entity_id = ${String(one.id)}`;
  expect(failed?.error).toBe(error.in('en'));
});

test('bills nobody twice for a corrected and reuploaded result', async () => {
  const text = [
    'Nombre;Concepto;Vto;Monto;Observaciones',
    `Ana;Cuota;${desk.due};100;+549 11 5555-0000`,
    `'=Bea;-10% de descuento;${desk.due};200;x`,
    `Ceci;Cuota;31-02-2027;300;`,
  ].join('\n');
  const { import: one } = await desk.upload(text, 'sin-referencia.csv');
  await desk.confirm(one);
  expect(await desk.until(one.id, 'completed')).toMatchObject({ created: 2, rejected: 1 });
  const made = await service.sql<{ payer: string; description: string }[]>`
    select payer, description from requests order by id desc limit 2`;
  expect(made.map(({ payer, description }) => [payer, description])).toEqual([
    // In a spreadsheet, an apostrophe marks a text, so the import removes it.
    ['=Bea', '-10% de descuento'],
    ['Ana', 'Cuota'],
  ]);
  const before = await countOf();
  const mended = (await desk.result(one.id)).replace('31-02-2027', desk.due);
  const { import: again } = await desk.upload(mended, 'corregida.csv');
  expect(again).toMatchObject({ row_count: 3, faulty_count: 0, existing_count: 2 });
  await desk.confirm(again);
  expect(await desk.until(again.id, 'completed')).toMatchObject({ created: 1, skipped: 2 });
  expect(await countOf()).toBe(before + 1);
  const [last] = await service.sql<{ payer: string }[]>`
    select payer from requests order by id desc limit 1`;
  expect(last?.payer).toBe('Ceci');
});

test('reports numbers rounded by a spreadsheet as faults, and bills nobody', async () => {
  const { import: book } = await desk.upload(
    await workbook([
      ['Nombre', 'Concepto', 'Vto', 'Monto', 'Legajo'],
      ['Ana', 'Cuota', desk.due, 100, 1_234_567_890_123_456],
      ['Bea', 'Cuota', desk.due, 100, 123_456_789_012_345],
    ]),
    'largos.xlsx',
  );
  expect(book).toMatchObject({ row_count: 2, faulty_count: 1 });
  const { import: csv } = await desk.upload(
    [
      'Nombre;Concepto;Vto;Monto;Legajo',
      `Ana;Cuota;${desk.due};100;5,49115E+12`,
      `Bea;Cuota;${desk.due};100;="00012345"`,
      `Ceci;Cuota;${desk.due};100;12E5`,
    ].join('\n'),
    'largos.csv',
  );
  expect(csv).toMatchObject({ row_count: 3, faulty_count: 1 });
  await desk.confirm(csv);
  expect(await desk.until(csv.id, 'completed')).toMatchObject({ created: 2 });
  expect(await requestsLike('00012345')).toMatchObject([{ payer: 'Bea' }]);
});

test('gives a page to only one of two workers', async () => {
  const { import: one } = await desk.upload(desk.members(1));
  const page = { cursor: 'next_page', from: 0, until: Temporal.Now.instant() };
  const taken: boolean[] = [];
  const work = service.sql.begin(async (tx) => {
    await tx`
      update imports set state = 'running'
      where account_id = ${one.account_id} and id = ${one.id}`;
    const running: Import = { ...one, state: 'running' };
    for (let worker = 0; worker < 2; worker += 1) {
      taken.push(await takeParts(tx, 'imports', running, page));
    }
    throw new Error('The worker of the service is not to see it.');
  });
  await expect(work).rejects.toThrow('is not to see it');
  expect(taken).toEqual([true, false]);
});
