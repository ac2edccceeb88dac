import { afterAll, beforeAll, expect, test } from 'vitest';
import { factsOf, importText } from '../../src/cli/imports/print.ts';
import { statedTotal } from '../../src/imports/index.ts';
import { signedAdhesion } from '../harness/builders/mandates.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { workbook } from '../platform/spreadsheets/books.ts';
import { type ImportDesk, openDesk, staff } from './desk.ts';

let service: TestService;
let desk: ImportDesk;
let office: Office;
beforeAll(async () => {
  service = await startService();
  desk = openDesk(service);
  office = await signIn(service, 'collections');
});
afterAll(() => service.stop());

const heading = 'Socio;Concepto;Vencimiento;Importe;Referencia';
const row = (amount: string, reference: string): string =>
  `Ana;Cuota;${desk.due};${amount};${reference}`;
const uploaded = async (lines: string[]) =>
  (await desk.upload([heading, ...lines].join('\r\n'))).import;
/** Returns a page's text with plain spaces. */
const pageOf = async (id: number, lang = 'es') => {
  const { text } = await office.get(`/portal/${testAccount}/imports/${id}?lang=${lang}`);
  return text.replaceAll('\u00a0', ' ');
};
const differs = 'El total de la planilla no coincide';

test('adds up the rows, and shows that the sum equals the spreadsheet’s total', async () => {
  const one = await uploaded([row('$ 1.430,50', 'eq-1'), row('1.000', 'eq-2'), 'TOTAL;;;2.430,50']);
  expect(one).toMatchObject({ rows_amount: 243_050, sound_amount: 243_050, unread_amounts: 0 });
  const text = await pageOf(one.id);
  expect(text).toContain('Filas que se crean: 2, por $ 2.430,50.');
  expect(text).toContain('Igual al total de la fila 4');
  expect(text).not.toContain(differs);
});

test('warns of a total that differs by a centavo, in both languages', async () => {
  const one = await uploaded([row('100,50', 'df-1'), row('200', 'df-2'), 'Total;;;300,51']);
  expect(await pageOf(one.id)).toContain(
    `${differs}: la fila 4 dice $ 300,51 y las filas suman $ 300,50, $ 0,01 de menos.`,
  );
  expect(await pageOf(one.id, 'en')).toMatch(/row 4 says .*300\.51.*300\.50, .*0\.01 less\./);
  // It comes before the button, so that it is read first.
  const page = await pageOf(one.id);
  expect(page.indexOf(differs)).toBeLessThan(page.indexOf('Crear 2 filas'));
  // It is a warning, so the rows can still be created.
  await desk.confirm(one);
  expect(await desk.until(one.id, 'completed')).toMatchObject({ created: 2 });
});

test('counts rows with faults and repeats in the comparison, but not in the amount to create', async () => {
  const first = await uploaded([row('10', 'rp-1')]);
  await desk.confirm(first);
  await desk.until(first.id, 'completed');
  const one = await uploaded([
    row('10', 'rp-1'),
    row('20', 'rp-2'),
    `;Cuota;${desk.due};30;rp-3`,
    row('gratis', 'rp-4'),
    'Total;;;60',
  ]);
  expect(one).toMatchObject({ rows_amount: 6_000, sound_amount: 2_000, unread_amounts: 1 });
  const text = await pageOf(one.id);
  expect(text).toContain('Filas que se crean: 1, por $ 20,00.');
  expect(text).toContain('Igual al total de la fila 6');
});

test('prints a sum of zero as an amount, and an unnamed sheet without a name', async () => {
  const one = await uploaded([`;Cuota;${desk.due};30;ze-1`]);
  const { amount, amount_to_create } = factsOf(desk.imports, one);
  expect([amount, amount_to_create]).toEqual(['$ 30,00', '$ 0,00']);
  const lines = await importText(desk.imports, staff, {
    ...one,
    notes: [{ what: 'sheets', others: 1 }],
  });
  expect(lines).toContainEqual(expect.stringMatching(/^the first visible sheet was read;/));
});

test('shows how many rows have no amount if that may explain a difference', async () => {
  const one = await uploaded([row('10', 'un-1'), row('veinte', 'un-2'), 'Total;;;30']);
  const text = await pageOf(one.id);
  expect(text).toContain('$ 20,00 de menos.');
  expect(text).toContain('1 fila no tiene un importe que se pueda sumar.');
});

test('shows only the sum if the spreadsheet has no total, or none of the amounts', async () => {
  for (const lines of [[], ['Total;;;'], ['Total;;;#REF!']]) {
    const one = await uploaded([row('10', `al-${lines.length}-${lines[0]?.length}`), ...lines]);
    expect(one.rows_amount).toBe(1_000);
    const text = await pageOf(one.id);
    expect(text).toContain('Suma de las filas');
    expect(text).not.toMatch(/Igual al total|no coincide/);
  }
});

test('compares workbooks whose formulas leave binary noise', async () => {
  const [day, month, year] = desk.due.split('-').map(Number);
  const due = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, day));
  const amounts = [0.1, 0.2, 4935.3];
  const bytes = await workbook([
    heading.split(';'),
    ...amounts.map((amount, at) => ['Ana', 'Cuota', due, amount, `bn-${at}`]),
    ['Total', '', '', amounts.reduce((sum, amount) => sum + amount, 0), ''],
  ]);
  const { import: one } = await desk.upload(bytes, 'ruido.xlsx');
  const stated = statedTotal(desk.imports.kinds.payment_request, one);
  expect([one.rows_amount, stated]).toEqual([493_560, { row: 5, amount: 493_560 }]);
});

test('adds up another column after a new match, and nothing while one is missing', async () => {
  const one = await uploaded([row('10', '7'), row('20', '8'), 'Total;;;30;15']);
  const { first_total: amount, external_reference: reference, ...others } = one.matched;
  const swapped = { ...others, first_total: reference ?? null, external_reference: amount ?? null };
  const again = await desk.imports.match(staff, one.id, swapped);
  expect(again).toMatchObject({ rows_amount: 1_500, sound_amount: 1_500 });
  const none = await desk.imports.match(staff, one.id, { ...others, first_total: null });
  expect(none).toMatchObject({ rows_amount: null, sound_amount: null, unread_amounts: null });
  expect(await pageOf(one.id)).not.toContain('Suma de las filas');
});

test('adds up debits, and shows no sum for mandates', async () => {
  const mandate = await signedAdhesion(service);
  const text = ['Adhesión;Vencimiento;Importe', `${mandate};${desk.due};15,50`, 'Total;;15,50'];
  const { import: one } = await desk.upload(text.join('\r\n'), 'd.csv', 'debit_request');
  expect([one.rows_amount, one.faulty_count]).toEqual([1_550, 0]);
  const mandates = ['Nombre;Mail;Concepto;Concepto corto;CBU;Titular;DNI', 'Ana;x;x;x;x;x;x'];
  const other = await desk.upload(mandates.join('\r\n'), 'm.csv', 'adhesion');
  expect(other.import).toMatchObject({ rows_amount: null, sound_amount: null });
});

test('shows no sums of a draft that a process of an earlier release matched again', async () => {
  const lines = ['Socio;Concepto;Vencimiento;Monto', `Ana;Cuota;${desk.due};1550`];
  const { import: one } = await desk.upload(lines.join('\n'), 'antes.csv');
  expect(one.rows_amount).toBe(155_000);
  await service.sql`
    update imports set version = version + 1, matched = ${JSON.stringify(one.matched)},
      faulty_count = 0, existing_count = 0 where id = ${one.id}`;
  const stale = await desk.imports.get(staff, one.id);
  expect(stale).toMatchObject({ rows_amount: null, sound_amount: null, unread_amounts: null });
  await desk.confirm(stale);
  expect(await desk.until(one.id, 'completed')).toMatchObject({ created: 1, rows_amount: null });
});
