import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sureMatch } from '../../../src/platform/spreadsheets/headings.ts';
import { documentOf } from '../../../src/qr/imports/document-of.ts';
import { qrItemSchema } from '../../../src/qr/item.ts';
import { qrSheetDefaults, qrSheetFields } from '../../../src/qr/sheet-fields.ts';

const program = new URL('./fixtures/read-many.ts', import.meta.url).pathname;

test('converts a spreadsheet of 100,000 QRs without blocking other calls', async () => {
  const run = await promisify(execFile)(process.execPath, [program, '100000']);
  const { longestMs, bytes } = JSON.parse(run.stdout);
  expect(bytes).toBeGreaterThan(15_000_000);
  expect(longestMs).toBeLessThan(50);
}, 60_000);

test('converts every row to an item, in order', async () => {
  const rows = Array.from(
    { length: 1_001 },
    (_, row) => `q${row};Salta;Cuota;${row + 1};1/2/2099;Ana`,
  );
  const file = Buffer.from(
    ['codigo;ciudad;concepto;importe;vencimiento;pagador', ...rows].join('\n'),
  );
  const pieces = await Array.fromAsync(await documentOf(file, 'test'));
  const document = JSON.parse(Buffer.concat(pieces).toString());
  expect(document.total_count).toBe(1_001);
  expect(document.data.map(({ id }: { id: string }) => id)).toEqual(
    rows.map((_, row) => `q${row}`),
  );
  expect(document.data[1_000]).toMatchObject({
    id: 'q1000',
    city: 'Salta',
    description: 'Cuota',
    first_total: '1001',
    payer_name: 'Ana',
    multiple_payment: 'false',
  });
});

const heads = 'codigo;ciudad;concepto;importe;vencimiento;pagador';
const good = 'q1;Salta;Cuota;10;1/2/2099;Ana';

test.each([
  ['cells moved to the right', 'q2;Salta;Cuota; mayo;10;1/2/2099;Ana'],
  ['a line that was cut', 'q2;Salta;Cuo'],
  ['a formula that failed', 'q2;Salta;#N/A;10;1/2/2099;Ana'],
])('refuses a file with %s, with the row’s number', async (_, row) => {
  const file = Buffer.from([heads, good, row].join('\n'));
  await expect(documentOf(file, 'test')).rejects.toThrow(/^These rows are not valid: 3\. /);
});

test('has a column for every field, and requires those that an item requires', () => {
  const names = qrSheetFields.map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(qrItemSchema.properties ?? {}).toSorted());
  const needed = qrSheetFields.filter(({ required }) => required).map(({ name }) => name);
  const others = Object.keys(qrSheetDefaults);
  expect([...needed, ...others].toSorted()).toEqual((qrItemSchema.required as string[]).toSorted());
});

test('has no ambiguous headings', () => {
  for (const { name, label, words } of qrSheetFields) {
    for (const word of [name, label.es, label.en, ...words]) {
      const others = qrSheetFields.filter((field) => field.name !== name);
      const columns = [word, ...others.map((field) => field.name)];
      expect(sureMatch(qrSheetFields, columns)[name], word).toBe(0);
    }
  }
});

test('maps a column with a field’s own name to that field, whatever other columns match', () => {
  const columns = ['Código', 'id', 'Importe', 'first_total', 'Monto'];
  const names = ['city', 'description', 'first_due_date', 'payer_name'];
  expect(sureMatch(qrSheetFields, [...columns, ...names])).toMatchObject({
    id: 1,
    first_total: 3,
    city: 5,
  });
  expect(() => sureMatch(qrSheetFields, ['Código', 'Legajo', ...names, 'Importe'])).toThrow(
    'Several columns match the field id. Keep one, and remove or rename the others.',
  );
});
