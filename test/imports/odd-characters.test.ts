import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KindName } from '../../src/imports/index.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { bookOf, sheetOf } from '../platform/spreadsheets/books.ts';
import { type ImportDesk, openDesk, staff } from './desk.ts';

let service: TestService;
let desk: ImportDesk;
let office: Office;
beforeAll(async () => {
  service = await startService();
  desk = openDesk(service);
  office = await signIn(service, 'collections');
});
afterAll(() => service?.stop());

const codesOf = async (id: number) => {
  const pages = await desk.imports.remarked(staff, id, { from: 0, most: 10 });
  return pages.flatMap(({ faults }) =>
    faults.flatMap(([row, all]) =>
      all.map(({ path, localized }) => [row, path[0], localized?.key]),
    ),
  );
};

const broken = 'spreadsheet.broken_character';
const half = '&#xD83D;';

test.each<[string, KindName, string]>([
  ['a payment request', 'payment_request', 'external_reference'],
  ['a debit', 'debit_request', 'adhesion_reference'],
  ['a QR', 'qr', 'id'],
])('reports a NUL or half an emoji in the reference of %s', async (_what, kind, field) => {
  const heading = kind === 'qr' ? 'id' : 'Referencia';
  const rows = (odd: string) => [
    [heading, 'Socio', 'Concepto', 'Vencimiento', 'Importe', 'Ciudad'],
    [`R-1${odd}`, 'Ana', 'Cuota', desk.due, '100', 'Salta'],
  ];
  const csv = rows('\0').map((cells) => cells.join(';'));
  const files: [string | Buffer, string][] = [
    [csv.join('\r\n'), 'nul.csv'],
    [bookOf(sheetOf(rows(half))), 'half.xlsx'],
  ];
  for (const [bytes, name] of files) {
    const { import: one } = await desk.upload(bytes, `${kind}-${name}`, kind);
    expect(await codesOf(one.id), name).toContainEqual([2, field, broken]);
    expect((await office.get(`/portal/${testAccount}/imports/${one.id}`)).status).toBe(200);
  }
});

test.each([
  ['a NUL', 'Refe\0rencia', 'Referencia'],
  ['half an emoji', 'Referencia \ud83d', 'Referencia \ufffd'],
  ['an emoji at its limit', `${'x'.repeat(254)}🙂y`, `${'x'.repeat(254)}🙂`],
])('reads, matches and finishes a file whose heading has %s', async (what, heading, name) => {
  const cells = ['Socio', 'Concepto', 'Vencimiento', 'Importe', heading];
  const text = heading.replace('\ud83d', half).replace(/&#xD83D;(?=\ude42)/, '\ud83d');
  const { import: one } = await desk.upload(
    what === 'a NUL'
      ? [cells, ['Ana', 'Cuota', desk.due, '10', `h ${what}`]]
          .map((row) => row.join(';'))
          .join('\n')
      : bookOf(
          sheetOf([
            [...cells.slice(0, 4), text],
            ['Ana', 'Cuota', desk.due, '10', what],
          ]),
        ),
    what === 'a NUL' ? 'nul.csv' : 'libro.xlsx',
  );
  expect(one.columns.at(-1)).toBe(name);
  const matched = { ...one.matched, external_reference: 4 };
  const again = await desk.imports.match(staff, one.id, matched);
  expect(again).toMatchObject({ faulty_count: 0 });
  await desk.confirm(again);
  expect(await desk.until(one.id, 'completed')).toMatchObject({ created: 1 });
  expect(await desk.result(one.id)).toContain(name);
});

test('stores an upload whose file name has a NUL', async () => {
  const at = `/portal/${testAccount}/imports`;
  const file = { name: 'so\0cios.csv', content: desk.members(1) };
  const sent = await office.send(at, file, { kind: 'payment_request' });
  expect([sent.status, sent.location]).toEqual([303, expect.stringMatching(/imports\/\d+/)]);
});
