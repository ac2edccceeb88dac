import { afterAll, beforeAll, expect, test } from 'vitest';
import { cbu, signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { callerOf } from '../harness/builders/qrs.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type ImportDesk, openDesk, staff } from './desk.ts';

let service: TestService;
let desk: ImportDesk;
beforeAll(async () => {
  service = await startService();
  desk = openDesk(service);
});
afterAll(() => service.stop());

const sheet = (...rows: (string | number)[][]): string =>
  rows.map((row) => row.join(';')).join('\r\n');

type KindName = Parameters<ImportDesk['upload']>[2];

/** Uploads a file, and confirms it if it has no faults. */
async function imported(content: string, kind: KindName, name = `${kind}.csv`) {
  const { import: draft } = await desk.upload(content, name, kind);
  const faults = (await desk.imports.remarked(staff, draft.id, { from: 0, most: 9 })).flatMap(
    (page) => page.faults.map(([row, [fault]]) => [row, fault?.path[0], fault?.message]),
  );
  await desk.confirm(draft);
  return { one: await desk.until(draft.id, 'completed'), faults };
}

const statesOf = async (kind: string) =>
  (
    await service.sql<{ state: string }[]>`
      select state from requests where account_id = ${testAccount} and kind = ${kind} order by id`
  ).map(({ state }) => state);

test('creates QRs with images from rows, and shows taken and duplicate ids before confirmation', async () => {
  const heads = ['Código', 'Socio', 'Concepto', 'Localidad', 'Vencimiento', 'Importe'];
  const row = (id: string) => [id, 'Ana Sosa', 'Cuota', 'Rosario', desk.due, '1.430,50'];
  const first = await imported(sheet(heads, row('S-1'), row('S-2'), row('bad id!')), 'qr');
  expect(first.one).toMatchObject({ created: 2, rejected: 1 });
  expect(first.faults).toEqual([[4, 'id', expect.stringMatching(/letters from A to Z, digits/)]]);
  const status = await callerOf(service).status(`${testAccount}-S-1`);
  expect(status.body).toMatchObject({ first_total: 1430.5, multiple_payment: false });
  const image = /http\S+?\.png/.exec(await desk.result(first.one.id))?.[0] ?? '';
  expect((await fetch(image)).headers.get('content-type')).toBe('image/png');

  const { import: again } = await desk.upload(
    sheet(heads, row('S-2'), row('S-3'), row('S-3')),
    'more.csv',
    'qr',
  );
  expect(again).toMatchObject({ faulty_count: 0, existing_count: 2 });
  // Forced repeats are refused row by row: ids are never used twice.
  await desk.confirm(again, { repeatsToo: true });
  expect(await desk.until(again.id, 'completed')).toMatchObject({ created: 1, rejected: 2 });
});

test('deletes the QRs of an undone import, except for paid ones', async () => {
  const heads = ['Código', 'Socio', 'Concepto', 'Localidad', 'Vencimiento', 'Importe'];
  const rows = ['U-1', 'U-2', 'U-3'].map((id) => [id, 'Ana', 'Cuota', 'Salta', desk.due, 1500]);
  const { one } = await imported(sheet(heads, ...rows), 'qr', 'undo.csv');
  const [paid] = await service.sql<{ id: number }[]>`
    select id from requests where code = ${`${testAccount}-U-2`}`;
  expect((await service.call('POST', `/sandbox/pay/${paid?.id}`)).status).toBe(200);
  await desk.imports.undo(staff, one.id, 'ana@example.com');
  expect(await desk.until(one.id, 'undone')).toMatchObject({ withdrawn: 2 });
  const after = await service.sql`
    select code, state from requests where code like ${`${testAccount}-U-%`} order by code`;
  expect(after.map(({ state }) => state)).toEqual(['deleted', 'paid', 'deleted']);
});

test('does not undo a paid multi-payment QR', async () => {
  const heads = ['Código', 'Socio', 'Concepto', 'Localidad', 'Vencimiento', 'Importe'];
  const rows = ['M-1', 'M-2'].map((id) => [id, 'Ana', 'Cuota', 'Salta', desk.due, 1500, 'sí']);
  const { one } = await imported(sheet([...heads, 'multiple_payment'], ...rows), 'qr', 'many.csv');
  const caller = callerOf(service);
  expect((await caller.pay('M-1')).body.status).toBe('Pending');
  await desk.imports.undo(staff, one.id, 'ana@example.com');
  expect(await desk.until(one.id, 'undone')).toMatchObject({ withdrawn: 1 });
  expect((await caller.status('M-1')).body).toMatchObject({ status: 'Pending', payments: 1 });
  expect((await caller.status('M-2')).body.status).toBe('Deleted');
});

test('creates debits on signed mandates, and shows rows without one before confirmation', async () => {
  const mandate = await signedAdhesion(service);
  const unsigned = await signedAdhesion(service, { email: 'eva+nosign@example.com' });
  const { one, faults } = await imported(
    sheet(
      ['Adhesión', 'Vencimiento', 'Importe', 'Referencia'],
      [mandate, desk.due, '250,75', 'D-1'],
      [999_999, desk.due, 100, 'D-2'],
      [unsigned, desk.due, 100, 'D-3'],
      [mandate, '01-01-2020', 100, 'D-4'],
    ),
    'debit_request',
  );
  expect(faults).toEqual([
    [3, 'adhesion_id', expect.stringMatching(/no bank account mandate with this id/)],
    [4, undefined, expect.stringMatching(/pending_to_sign/)],
    [5, 'first_due_date', expect.anything()],
  ]);
  expect(one).toMatchObject({ created: 1, rejected: 3 });
  expect(await statesOf('debit_request')).toEqual(['pending']);
  const [run] = await service.sql`select amount from debit_runs order by request_id desc limit 1`;
  expect(run).toEqual({ amount: 25_075 });
  await desk.imports.undo(staff, one.id, 'ana@example.com');
  expect(await desk.until(one.id, 'undone')).toMatchObject({ withdrawn: 1 });
  expect(await statesOf('debit_request')).toEqual(['canceled']);
});

test('creates a month’s card debits, and rejects rows whose mandate has ended since the upload', async () => {
  const stays = await signedCardAdhesion(service);
  const ends = await signedCardAdhesion(service);
  const year = Number(service.service.parts.clocks.business.today().year) + 1;
  const { import: draft } = await desk.upload(
    sheet(['Mandato', 'Mes', 'Año', 'Importe'], [stays, 1, year, 900], [ends, 1, year, 800]),
    'tarjetas.csv',
    'card_debit_request',
  );
  expect(draft).toMatchObject({ faulty_count: 0 });
  await service.call('PUT', `/card-adhesion/${ends}/cancel`);
  await desk.confirm(draft);
  expect(await desk.until(draft.id, 'completed')).toMatchObject({ created: 1, rejected: 1 });
  expect(await desk.result(draft.id)).toMatch(/canceled\. Debits need a mandate/);
});

test('creates mandates, asks their holders to sign, and undoes only the unsigned ones', async () => {
  const heads = [
    'Nombre',
    'Correo',
    'Concepto',
    'Concepto corto',
    'CBU',
    'Titular',
    'DNI',
    'Legajo',
  ];
  const row = (email: string, account: string, no: number) => [
    ...['Ana Sosa', email, 'Cuota social', 'Cuota', account, 'Ana Sosa', '20.111.222', `M-${no}`],
  ];
  const { one, faults } = await imported(
    sheet(
      heads,
      row('ana@example.com', cbu, 1),
      row('eva+nosign@example.com', cbu, 2),
      row('ines@example.com', '2850590940090418135202', 3),
    ),
    'adhesion',
  );
  expect(faults).toEqual([[4, 'cbu_number', expect.stringMatching(/check digit/)]]);
  expect(one).toMatchObject({ created: 2, rejected: 1 });
  const states = () => service.sql`
    select reference, state from mandates where reference like 'M-%' order by id`;
  expect(await states()).toEqual([
    { reference: 'M-1', state: 'signed' },
    { reference: 'M-2', state: 'pending_to_sign' },
  ]);
  const letters = await service.sql`select 1 from mails where recipient = 'eva+nosign@example.com'`;
  expect(letters.length).toBeGreaterThan(0);
  await desk.imports.undo(staff, one.id, 'ana@example.com');
  expect(await desk.until(one.id, 'undone')).toMatchObject({ withdrawn: 1 });
  expect((await states()).map(({ state }) => state)).toEqual(['signed', 'canceled']);
});

test('refuses a CBU stored as a number, which has lost its digits', async () => {
  const { checkRows } = await import('../../src/imports/check.ts');
  const kind = desk.imports.kinds.adhesion;
  const check = await kind.checker(testAccount);
  const place = kind.fields.findIndex(({ name }) => name === 'cbu_number');
  const matched = { cbu_number: place };
  const cells = kind.fields.map((_field, at) => (at === place ? 1.1059952e20 : ''));
  const columns = kind.fields.map(({ name }) => name);
  const [row] = await checkRows(kind, check, { matched, columns }, [[2, cells]]);
  expect(
    row?.ok === false && row.faults.find(({ path }) => path[0] === 'cbu_number'),
  ).toMatchObject({
    message: expect.stringMatching(/as text/),
  });
});
