import { expect, test } from 'vitest';
import { Refusal } from '../../../src/platform/errors.ts';
import { readSpreadsheet } from '../../../src/platform/spreadsheets/read.ts';
import { scanSheet } from '../../../src/platform/spreadsheets/sheet-scan.ts';
import type { NumberedRow, Reading } from '../../../src/platform/spreadsheets/table.ts';
import { bookOf, sheetOf, workbook } from './books.ts';

const limits = { rows: 50_000, columns: 20 };

const read = async (bytes: Uint8Array, reading: Reading = {}) => {
  const { pages, ...table } = await readSpreadsheet(bytes, limits, 'test', reading);
  return { ...table, rows: pages.flatMap((page): NumberedRow[] => JSON.parse(page)) };
};

const text = (content: string, encoding: BufferEncoding = 'utf8') => Buffer.from(content, encoding);

const rows: NumberedRow[] = [
  [2, ['José Ñandú', '1.430,50', '5/12/2026']],
  [4, ['Ana "la" Pérez', '20', '2026-12-05']],
];
const csv = (sign: string) =>
  [
    ['Nombre', 'Importe', 'Vto'],
    ['José Ñandú', '1.430,50', '5/12/2026'],
    ['', '', ''],
    ['"Ana ""la"" Pérez"', '20', '2026-12-05'],
  ]
    .map((cells) => cells.map((cell) => (cell.includes(sign) ? `"${cell}"` : cell)).join(sign))
    .join('\r\n');

test.each([
  ['UTF-8 with commas', text(csv(','))],
  ['UTF-8 with a mark and semicolons', text(`\uFEFF${csv(';')}`)],
  ['UTF-8 with bars', text(csv('|'))],
  ['Windows-1252 with semicolons', text(csv(';'), 'latin1')],
  ['UTF-16 with tabs', text(`\uFEFF${csv('\t')}`, 'utf16le')],
])('reads %s, each row with its number in the spreadsheet', async (_name, bytes) => {
  const table = await read(bytes);
  expect(table).toMatchObject({ format: 'csv', columns: ['Nombre', 'Importe', 'Vto'], count: 2 });
  expect(table.rows).toEqual(rows);
});

test('reads a workbook’s numbers and days by type, without losing rows', async () => {
  const bytes = await workbook([
    ['Socio', 'Importe', 'Vencimiento', 'Número'],
    ...Array.from({ length: 600 }, (_, no) => [
      `Ñandú ${no}`,
      1430.5 + no,
      new Date(Date.UTC(2026, 11, 5)),
      no,
    ]),
  ]);
  const table = await read(bytes);
  expect(table).toMatchObject({ format: 'xlsx', count: 600 });
  expect(table.rows[599]).toEqual([601, ['Ñandú 599', 2029.5, '2026-12-05T00:00:00.000Z', 599]]);
});

test('reads a formula’s stored value, and never its text', async () => {
  const formula = '<c r="AT"><f>1+1</f><v>7</v></c>';
  const failed = '<c r="AT" t="e"><f>1/0</f><v>#DIV/0!</v></c>';
  const table = await read(
    bookOf(
      sheetOf([
        ['a', 'b'],
        ['x', formula],
        ['y', failed],
        ['z', '<c r="AT"><f>1+1</f></c>'],
      ]),
    ),
  );
  expect(table.rows).toEqual([
    [2, ['x', 7]],
    [3, ['y', '#DIV/0!']],
    [4, ['z', '']],
  ]);
});

test('reads all rows of a CSV file between empty rows, and refuses too many between totals', async () => {
  const few = { rows: 1_000, columns: 20 };
  const between = Array.from({ length: 1_000 }, (_, no) => `Socio ${no};${no + 1};;\n;;;\n\n`);
  const table = await readSpreadsheet(
    text(`Socio;Importe;Vto;Ref\n${between.join('')}`),
    few,
    'test',
  );
  expect(table.count).toBe(1_000);
  const totals = Array.from({ length: 1_002 }, (_, no) => `Socio ${no};1;;\nTotal;1;;\n`);
  await expect(
    readSpreadsheet(text(`Socio;Importe;Vto;Ref\n${totals.join('')}`), few, 'test'),
  ).rejects.toMatchObject({ kind: 'too_large' });
});

test('separates CSV lines with mixed line endings', async () => {
  const { columns, rows: found } = await read(text('Socio,Importe\r\nAna,1\nJosé,2\rEva,3\r\n'));
  expect(columns).toEqual(['Socio', 'Importe']);
  expect(found).toEqual([
    [2, ['Ana', '1']],
    [3, ['José', '2']],
    [4, ['Eva', '3']],
  ]);
});

test('detects a CSV file’s separator despite a title or quoted heading', async () => {
  const titled = await read(text('Cuotas de noviembre\n\nSocio;Importe\nAna;1,50\n'));
  expect(titled.columns).toEqual(['Socio', 'Importe']);
  expect(titled.rows).toEqual([[4, ['Ana', '1,50']]]);
  const quoted = await read(text('"Apellido, nombre";Importe\nAna;1,50\n'));
  expect(quoted.columns).toEqual(['Apellido, nombre', 'Importe']);
});

test('joins a quoted heading with line breaks, and detects its separator', async () => {
  const table = await read(
    text('"Apellido, nombre,\no razón social";"Fecha de\r\nvencimiento"\nAna;5/12/2026\n'),
  );
  expect(table.columns).toEqual(['Apellido, nombre, o razón social', 'Fecha de vencimiento']);
  expect(table.rows).toEqual([[2, ['Ana', '5/12/2026']]]);
});

test('accepts headings that group columns above the ones that name them', async () => {
  const csv = await read(
    text('Pagador;;Primer vencimiento;\nNombre;Mail;Fecha;Importe\nAna;a@b.ar;5/12/2026;10\n'),
  );
  expect(csv.columns).toEqual(['Nombre', 'Mail', 'Fecha', 'Importe']);
  expect(csv.rows.map(([number]) => number)).toEqual([3]);
  const merged =
    '<mergeCells count="2"><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/></mergeCells>';
  const sheet = sheetOf(
    [
      ['Socio', 'Vencimiento', ''],
      ['', 'Fecha', 'Importe'],
      ['Ana', '5/12/2026', '10'],
    ],
    merged,
  );
  const book = await read(bookOf(sheet));
  expect(book.columns).toEqual(['Socio', 'Fecha', 'Importe']);
  expect(book.rows).toEqual([[3, ['Ana', '5/12/2026', '10']]]);
});

test('lets a person choose the heading row among the first rows', async () => {
  const bytes = text('Cuotas;Marzo\nEmitido;hoy\nSocio;Importe\nAna;10\n');
  const found = await read(bytes);
  expect(found.columns).toEqual(['Cuotas', 'Marzo']);
  expect(found.way.top).toEqual([
    [1, 'Cuotas · Marzo'],
    [2, 'Emitido · hoy'],
    [3, 'Socio · Importe'],
    [4, 'Ana · 10'],
  ]);
  const chosen = await read(bytes, { headings: 3 });
  expect(chosen.columns).toEqual(['Socio', 'Importe']);
  expect(chosen.rows).toEqual([[4, ['Ana', '10']]]);
  expect(chosen.notes).toEqual([{ what: 'above', rows: 2 }]);
  await expect(read(bytes, { headings: 9 })).rejects.toThrow(/^Row 9 is not a row of headings/);
});

test('reports rows of totals, titles above the columns and duplicate column names', async () => {
  const table = await read(
    text('Socios de noviembre;;\nNombre;Importe;importe\nTotal Gas;1;2\nAna;1;2\nTOTAL;2;\n'),
  );
  expect(table.rows.map(([number]) => number)).toEqual([3, 4]);
  expect(table.notes).toEqual([
    { what: 'above', rows: 1 },
    { what: 'totals', rows: [5], stated: [5, ['', '2', '']] },
    { what: 'same_name', name: 'Importe', columns: [1, 2] },
  ]);
});

test('keeps the row of a person whose name begins with Total, and leaves out rows of totals', async () => {
  const head = 'Socio;Importe;Vto;Concepto;Mail;Ref;Nota;Zona;Grupo;Otro';
  const lines = [
    'Total Clean SA;1500;5/12/2026;;;',
    'Total;3000;;;',
    'Suma;;;$ 4.500,00;;',
    'Total general (ARS);ARS 7.500',
  ];
  const table = await read(text([head, ...lines].join('\n')));
  expect(table.rows.map(([, [name]]) => name)).toEqual(['Total Clean SA']);
  expect(table.notes).toEqual([
    { what: 'totals', rows: [3, 4, 5], stated: [5, ['', 'ARS 7.500']] },
  ]);
});

test.each([
  ['the only one', ['Ana;1;x;x', 'Total Ana Gómez;1'], 3],
  ['the only one, a subtotal', ['Ana;1;x;x', 'Subtotal;1'], 3],
  ['one below subtotals', ['Ana;1;x;x', 'Subtotal;1', 'Bea;2;x;x', 'Subtotal;2', 'Total;3'], 6],
  ['one below other totals', ['Ana;1;x;x', 'Total A;1', 'Bea;2;x;x', 'Total B;2', 'Total;3'], 6],
  ['none of a part', ['Ana;1;x;x', 'Total A;1', 'Bea;2;x;x', 'Total B;2'], null],
  ['no subtotal of a part', ['Ana;1;x;x', 'Subtotal;1', 'Bea;2;x;x', 'Subtotal;2'], null],
  ['none above rows', ['Ana;1;x;x', 'Total;1', 'Bea;2;x;x'], null],
])('decides which row is the total of all rows: %s', async (_what, lines, row) => {
  const table = await read(text(['Socio;Importe;Ref;Nota', ...lines].join('\n')));
  const found = table.notes.find((note) => note.what === 'totals');
  expect(found?.stated?.[0] ?? null).toBe(row);
  // Names in labels are not kept.
  expect(found?.stated?.[1][0] ?? '').toBe('');
});

/** Builds a workbook whose directory claims that one part unpacks to 2 GiB. */
function bomb(): Buffer {
  const bytes = bookOf(sheetOf([['a', 'b']]));
  const entry = bytes.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  bytes.writeUInt32LE(0x7fff_ffff, entry + 24);
  return bytes;
}

test.each([
  ['an empty file', () => text(''), 'empty'],
  ['a file of empty rows', () => text('\n\n'), 'empty'],
  ['one column', () => text('a\nb\n'), 'one_column'],
  ['no rows', () => text('a;b\n'), 'no_rows'],
  ['another code page', () => text('a;b\nC\u00a2rdoba;1\n', 'latin1'), 'unknown_encoding'],
  ['an open quote', () => text('a;b\n"x;1\n'), 'not_csv'],
  ['too many rows', () => text(`a;b\n${'1;2\n'.repeat(50_001)}`), 'too_many_rows'],
  ['100,000 rows', () => text(`a;b\n${'1;2\n'.repeat(100_000)}`), 'too_many_rows'],
  ['too many columns', () => text(`${'a;'.repeat(21)}b\n1;2\n`), 'too_many_columns'],
  ['a PDF', () => text('%PDF-1.7\n'), 'pdf'],
  ['an old workbook', () => Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1]), 'old_format'],
  ['a broken workbook', () => text('PK\u0003\u0004broken'), 'not_workbook'],
  ['macros', () => bookOf('', { 'xl/vbaProject.bin': new Uint8Array(9) }), 'macros'],
  ['a zip bomb', bomb, 'unpacks_too_large'],
  [
    'merged cells',
    () =>
      bookOf(
        sheetOf(
          [['a', 'b'], ['x', '1'], ['y']],
          '<mergeCells count="1"><mergeCell ref="B2:B3"/></mergeCells>',
        ),
      ),
    'merged',
  ],
])('refuses %s with its code', async (_name, bytes, code) => {
  await expect(read(bytes())).rejects.toMatchObject({ errorCode: `spreadsheet.${code}` });
});

test.each([
  ['an open quote', 'a;b\n1;2\n"x;1\n3;4\n', 3],
  ['text after a closing quote', 'a;b\n"x\ny";2\n"x" y;1\n', 3],
])('names the row of %s', async (_name, file, row) => {
  await expect(read(text(file))).rejects.toThrow(`not valid CSV: in row ${row}, a quote`);
});

test('refuses too many rows of a wide sheet, and names its lower maximum', () => {
  const sheet = sheetOf([['<c r="ALL20001"><v>1</v></c>']]);
  const wide = { rows: 1_000_000, columns: 1_000 };
  expect(() => scanSheet(sheet, wide)).toThrow(/row 20001, but may have at most 20000 rows/);
});

test('returns the reading thread’s refusals in both languages', async () => {
  const refusal: unknown = await read(text(`${'a;'.repeat(21)}b\n1;2\n`)).catch((error) => error);
  if (!(refusal instanceof Refusal)) throw refusal;
  expect([refusal.kind, refusal.message]).toEqual([
    'too_large',
    'The file has more than 20 columns. Delete the columns that you do not need.',
  ]);
  expect(refusal.localized?.in('es')).toContain('más de 20 columnas');
});

test('reads parts with byte order marks, prefixed tags and custom namespaces', async () => {
  const prefixed = sheetOf([
    ['a', 'b'],
    ['x', '<c xmlns:r="urn:x" r="B2"><v>7</v></c>'],
  ]).replaceAll(/<(\/?)(sheetData|row|c|is|t|v)\b/g, '<$1x:$2');
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const book = bookOf('', {
    'xl/worksheets/sheet1.xml': Buffer.from(
      `\ufeff<?xml version="1.0"?><x:worksheet xmlns:x="${main}">${prefixed}</x:worksheet>`,
    ),
  });
  expect((await read(book)).rows).toEqual([[2, ['x', 7]]]);
});

test('does not let one account’s large spreadsheets delay another account’s', async () => {
  const large = text(`a;b\n${'x;1\n'.repeat(5_000)}`);
  const greedy = Array.from({ length: 4 }, () => readSpreadsheet(large, limits, 'greedy'));
  let left = greedy.length;
  const all = Promise.allSettled(greedy.map((one) => one.finally(() => (left -= 1))));
  await readSpreadsheet(text('a;b\n1;2\n'), limits, 'other');
  expect(left).toBeGreaterThan(0);
  await all;
});

test('accepts merged cells in a title above the columns', async () => {
  const sheet = sheetOf(
    [['Socios'], ['a', 'b'], ['x', '1']],
    '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>',
  );
  expect((await read(bookOf(sheet))).rows).toEqual([[3, ['x', '1']]]);
});

const styles = (code: string) => ({
  'xl/styles.xml': Buffer.from(
    `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
  ),
  'xl/_rels/workbook.xml.rels': Buffer.from(
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
  ),
});

test.each([
  ['000000', '000123'],
  ['[$USD] #,##0', 'USD 123'],
  ['[$€-2] 0.00', '€ 123'],
  ['[$$-2C0A] #,##0.00', 123],
  ['#,##0', 123],
])('reads 123 with the format %s as %j', async (format, shown) => {
  const cell = '<c r="AT" s="1"><v>123</v></c>';
  const sheet = sheetOf([
    ['Nombre', 'Legajo'],
    ['Ana', cell],
  ]);
  const table = await read(bookOf(sheet, styles(format)));
  expect(table.rows).toEqual([[2, ['Ana', shown]]]);
});

test('leaves out and reports rows hidden by a filter, unless the reader includes them', async () => {
  const sheet = sheetOf([
    ['Nombre', 'Importe'],
    ['Ana', '1'],
    ['Bea', '2'],
    ['Ceci', '3'],
  ]).replace('<row r="3">', '<row r="3" hidden="1">');
  const table = await read(bookOf(sheet));
  expect(table.rows.map(([number]) => number)).toEqual([2, 4]);
  expect(table.notes).toEqual([{ what: 'hidden', rows: [3] }]);
  expect(table.way).toMatchObject({ hidden: 1, hiddenToo: false });
  const all = await read(bookOf(sheet), { hiddenToo: true });
  expect(all.rows.map(([number]) => number)).toEqual([2, 3, 4]);
  expect(all.notes).toEqual([]);
  const none = sheet.replaceAll(/<row r="([24])">/g, '<row r="$1" hidden="1">');
  await expect(read(bookOf(none))).rejects.toThrow(/^All 3 rows are hidden/);
});

test('skips a hidden first sheet, which can still be chosen', async () => {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relation = (no: number) =>
    `<Relationship Id="rId${no}" Type="${office}/worksheet" Target="worksheets/sheet${no}.xml"/>`;
  const book = bookOf(
    sheetOf([
      ['Vieja', 'Hoja'],
      ['x', 'y'],
    ]),
    {
      'xl/workbook.xml': Buffer.from(
        `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Vieja" sheetId="1" state="hidden" r:id="rId1"/><sheet name="Socios" sheetId="2" r:id="rId2"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': Buffer.from(
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation(1)}${relation(2)}</Relationships>`,
      ),
      'xl/worksheets/sheet2.xml': Buffer.from(
        `<worksheet xmlns="${main}">${sheetOf([
          ['Nombre', 'Importe'],
          ['Ana', '1'],
        ])}</worksheet>`,
      ),
    },
  );
  const table = await read(book);
  expect(table.columns).toEqual(['Nombre', 'Importe']);
  expect(table.notes).toEqual([{ what: 'sheets', others: 1, name: 'Socios' }]);
  expect(table.way).toMatchObject({
    sheet: 2,
    sheets: [
      { place: 1, name: 'Vieja', isHidden: true },
      { place: 2, name: 'Socios', isHidden: false },
    ],
  });
  const chosen = await read(book, { sheet: 1 });
  expect(chosen.columns).toEqual(['Vieja', 'Hoja']);
  expect(chosen.way.sheet).toBe(1);
  await expect(read(book, { sheet: 3 })).rejects.toThrow(
    'The workbook has no worksheet at position 3.',
  );
});

test('finds a renamed workbook through its package’s relationships', async () => {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const book = bookOf(
    sheetOf([
      ['Nombre', 'Importe'],
      ['Ana', '1'],
    ]),
    {
      '_rels/.rels': Buffer.from(
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="${office}/officeDocument" Target="xl/workbook2.xml"/></Relationships>`,
      ),
      'xl/workbook2.xml': Buffer.from(
        `<x:workbook xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}"><x:sheets><x:sheet name="Socios" sheetId="1" r:id="rId1"/></x:sheets></x:workbook>`,
      ),
      'xl/_rels/workbook2.xml.rels': Buffer.from(
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      ),
      'xl/workbook.xml': Buffer.from('<nothing/>'),
    },
  );
  expect((await read(book)).columns).toEqual(['Nombre', 'Importe']);
});

/**
 * Packages in the style of the Open XML SDK and ClosedXML: prefixes, absolute targets, rich texts.
 */
test('reads a workbook of the Open XML SDK: prefixed sheets, absolute targets, shared texts', async () => {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packaged = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const xml = (body: string) =>
    Buffer.from(`\ufeff<?xml version="1.0" encoding="utf-8" standalone="yes"?>${body}`);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Type="${office}/${type}" Target="${target}" Id="${id}"/>`;
  const shared = (row: number, ...of: number[]) =>
    `<x:row r="${row}">${of.map((no, at) => `<x:c r="${'AB'[at]}${row}" t="s"><x:v>${no}</x:v></x:c>`).join('')}</x:row>`;
  const book = bookOf('', {
    '_rels/.rels': xml(
      `<Relationships xmlns="${packaged}">${relation('R1', 'officeDocument', '/xl/workbook.xml')}</Relationships>`,
    ),
    'xl/workbook.xml': xml(
      `<x:workbook xmlns:r="${office}" xmlns:x="${main}"><x:bookViews><x:workbookView/></x:bookViews><x:sheets><x:sheet name="Datos" sheetId="2" r:id="R5"/></x:sheets></x:workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="${packaged}">${relation('R5', 'worksheet', '/xl/worksheets/sheet7.xml')}${relation('R6', 'sharedStrings', '/xl/sharedStrings.xml')}</Relationships>`,
    ),
    'xl/worksheets/sheet7.xml': xml(
      `<x:worksheet xmlns:x="${main}"><x:sheetData>${shared(1, 0, 1)}${shared(2, 2, 3)}</x:sheetData></x:worksheet>`,
    ),
    'xl/sharedStrings.xml': xml(
      `<x:sst xmlns:x="${main}" count="4" uniqueCount="4"><x:si><x:t>Socio</x:t></x:si><x:si><x:t>Legajo</x:t></x:si><x:si><x:r><x:t>Ana </x:t></x:r><x:r><x:t>Pérez</x:t></x:r></x:si><x:si><x:t xml:space="preserve">000123</x:t></x:si></x:sst>`,
    ),
  });
  const table = await read(book);
  expect(table.columns).toEqual(['Socio', 'Legajo']);
  expect(table.rows).toEqual([[2, ['Ana Pérez', '000123']]]);
  expect(table.way.sheets).toEqual([{ place: 1, name: 'Datos', isHidden: false }]);
});
