import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { documentOf } from '../../../src/qr/imports/document-of.ts';

const program = new URL('./fixtures/read-many.ts', import.meta.url).pathname;

test('a spreadsheet of 100,000 QRs becomes a document while other calls get their turn', async () => {
  const run = await promisify(execFile)(process.execPath, [program, '100000']);
  const { longestMs, bytes } = JSON.parse(run.stdout);
  expect(bytes).toBeGreaterThan(15_000_000);
  expect(longestMs).toBeLessThan(50);
}, 60_000);

test('every row of a spreadsheet is an item of its document, in their order', async () => {
  const rows = Array.from(
    { length: 1_001 },
    (_, row) => `q${row};Salta;Cuota;${row + 1};1/2/2099;Ana`,
  );
  const file = Buffer.from(
    ['codigo;ciudad;concepto;importe;vencimiento;pagador', ...rows].join('\n'),
  );
  const pieces = await Array.fromAsync(await documentOf(file));
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
