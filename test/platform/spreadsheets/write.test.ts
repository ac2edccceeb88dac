import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { strFromU8, Unzip, UnzipInflate, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { expect, test, vi } from 'vitest';
import { centavos } from '../../../src/kernel/money.ts';
import {
  type SheetColumn,
  type SheetFormat,
  sheetFormats,
  writeTable,
} from '../../../src/platform/spreadsheets/write/table.ts';

const oneText: SheetColumn<string>[] = [
  { title: 'Nombre', kind: 'text', of: (text) => text },
  { title: 'Fin', kind: 'text', of: () => 'fin' },
];

async function* inPieces<Row>(...pieces: Row[][]): AsyncGenerator<Row[]> {
  yield* pieces;
}

const bytesOf = <Row>(
  format: SheetFormat,
  columns: readonly SheetColumn<Row>[],
  ...pieces: Row[][]
): Promise<Buffer> =>
  buffer(writeTable({ format, name: 'cobros', columns, pieces: inPieces(...pieces) }).file);

const csvRows = (bytes: Buffer): string[][] => parse(bytes, { bom: true });
const sheetXml = (bytes: Buffer): string =>
  strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());

interface Payment {
  id: number | null;
  name: string | null;
  amount: number;
  rate: number;
  day: Temporal.PlainDate;
  at: Temporal.Instant;
}
const payments: SheetColumn<Payment>[] = [
  { title: 'Id', kind: 'integer', of: ({ id }) => id },
  { title: 'Nombre', kind: 'text', of: ({ name }) => name },
  { title: 'Importe', kind: 'money', of: ({ amount }) => centavos(amount) },
  { title: 'Alícuota', kind: 'percent', of: ({ rate }) => rate },
  { title: 'Día', kind: 'day', of: ({ day }) => day },
  { title: 'Cuándo', kind: 'moment', of: ({ at }) => at },
];
const some: Payment[] = [
  {
    id: 12_345_678_901,
    name: 'Ñandú, José "el"\nsegundo',
    amount: 123_456_705,
    rate: 25_000,
    day: Temporal.PlainDate.from('2028-02-29'),
    at: Temporal.Instant.from('2026-12-05T02:30:15.9Z'),
  },
  {
    id: null,
    name: null,
    amount: -5,
    rate: 0,
    day: Temporal.PlainDate.from('2026-01-01'),
    at: Temporal.Instant.from('2026-06-01T03:00:00Z'),
  },
];

test('writes each row to a CSV file once, with decimal points, days and sortable Argentine times', async () => {
  expect(
    csvRows(await bytesOf('csv', payments, [some[0] as Payment], [], [some[1] as Payment])),
  ).toEqual([
    ['Id', 'Nombre', 'Importe', 'Alícuota', 'Día', 'Cuándo'],
    [
      '12345678901',
      'Ñandú, José "el"\nsegundo',
      '1234567.05',
      '2.5',
      '2028-02-29',
      '2026-12-04 23:30:15',
    ],
    ['', '', '-0.05', '0', '2026-01-01', '2026-06-01 00:00:00'],
  ]);
});

test('writes amounts as numbers, and days and moments as dates, to a workbook', async () => {
  expect(await readSheet(await bytesOf('xlsx', payments, some), 1)).toEqual([
    ['Id', 'Nombre', 'Importe', 'Alícuota', 'Día', 'Cuándo'],
    [
      12_345_678_901,
      'Ñandú, José "el"\nsegundo',
      1_234_567.05,
      0.025,
      new Date('2028-02-29T00:00:00Z'),
      new Date('2026-12-04T23:30:15Z'),
    ],
    [null, null, -0.05, 0, new Date('2026-01-01T00:00:00Z'), new Date('2026-06-01T00:00:00Z')],
  ]);
});

test('also accepts days and moments as text from the database', async () => {
  const columns: SheetColumn<string>[] = [
    { title: 'Día', kind: 'day', of: (text) => text.slice(0, 10) },
    { title: 'Cuándo', kind: 'moment', of: (text) => text },
  ];
  const row = '2026-12-05 14:03:09.123';
  expect(csvRows(await bytesOf('csv', columns, [row]))[1]).toEqual([
    '2026-12-05',
    '2026-12-05 14:03:09',
  ]);
  expect((await readSheet(await bytesOf('xlsx', columns, [row]), 1))[1]).toEqual([
    new Date('2026-12-05T00:00:00Z'),
    new Date('2026-12-05T14:03:09Z'),
  ]);
});

const formulas = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '=HYPERLINK("http://x","y")',
  '＝1',
];

test.each(formulas)('keeps %j from running as a formula in both formats', async (text) => {
  const [, row] = csvRows(await bytesOf('csv', oneText, [text]));
  expect(row?.[0]).toMatch(/^'/);
  const xml = sheetXml(await bytesOf('xlsx', oneText, [text]));
  expect(xml).not.toContain('<f');
  expect(xml.match(/<c r="A2" s="2" t="inlineStr">/g)).toHaveLength(1);
});

test('preserves any text in a workbook, except characters that XML forbids', async () => {
  const texts = fc.array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constant('_x0041_ & <b>')),
    {
      minLength: 1,
      maxLength: 20,
    },
  );
  await fc.assert(
    fc.asyncProperty(texts, async (rows) => {
      const read = await readSheet(await bytesOf('xlsx', oneText, rows), 1, { trim: false });
      const told = read
        .slice(1)
        .map(([text]) => String(text ?? '').replaceAll(/_x005F_(?=x)/g, '_'));
      const meant = rows.map((text) =>
        text.toWellFormed().replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD'),
      );
      // XML readers may normalize line breaks.
      const lines = (text: string) => text.replaceAll(/\r\n?/g, '\n');
      expect(told.map(lines)).toEqual(meant.map(lines));
    }),
    { numRuns: 60 },
  );
});

test.each(sheetFormats)('writes the column names of an empty %s', async (format) => {
  const bytes = await bytesOf(format, oneText);
  const rows = format === 'csv' ? csvRows(bytes) : await readSheet(bytes, 1);
  expect(rows).toEqual([['Nombre', 'Fin']]);
});

test('truncates overlong text to a cell’s limit, and sanitizes the sheet name', async () => {
  const { file } = writeTable({
    format: 'xlsx',
    name: 'a',
    title: "Cobros [2026]: lo de 'todos' & más, de enero a diciembre",
    columns: oneText,
    pieces: inPieces(['x'.repeat(40_000)]),
  });
  const bytes = await buffer(file);
  expect(String((await readSheet(bytes, 1))[1]?.[0])).toHaveLength(32_767);
  const workbook = strFromU8(unzipSync(bytes)['xl/workbook.xml'] ?? new Uint8Array());
  const [, name = ''] = /<sheet name="([^"]*)"/.exec(workbook) ?? [];
  expect(name).toMatch(/^Cobros {2}2026 {2}/);
  expect(name.replace('&amp;', '&').length).toBeLessThanOrEqual(31);
});

/** Yields endless rows, and counts the requested pieces. */
function endless() {
  const seen = { pieces: 0, ended: false };
  async function* pieces(): AsyncGenerator<string[]> {
    try {
      for (;;) {
        seen.pieces += 1;
        yield Array.from(
          { length: 500 },
          (_, index) => `Pérez ${seen.pieces} ${index} ${Math.random()}`,
        );
      }
    } finally {
      seen.ended = true;
    }
  }
  return { seen, pieces };
}

test.each(sheetFormats)(
  'writes a %s no faster than it is read, and stops producing rows when the reader stops',
  async (format) => {
    const { seen, pieces } = endless();
    const { file } = writeTable({ format, name: 'a', columns: oneText, pieces: pieces() });
    const reader = file.iterator();
    for (let taken = 0; taken < 5; taken += 1) {
      expect((await reader.next()).value.length).toBeGreaterThan(0);
      // A writer without back-pressure would produce a chunk in each turn.
      for (let turn = 0; turn < 500; turn += 1) await nextTurn();
    }
    expect(seen.pieces).toBeLessThan(200);
    file.destroy();
    await vi.waitUntil(() => seen.ended);
  },
);

test.each(sheetFormats)('aborts a %s whose rows fail midway', async (format) => {
  async function* failing(): AsyncGenerator<string[]> {
    yield Array.from({ length: 5_000 }, () => 'x'.repeat(50));
    throw new Error('the database went away');
  }
  const { file } = writeTable({ format, name: 'a', columns: oneText, pieces: failing() });
  await expect(buffer(file)).rejects.toThrow('the database went away');
});

/** Counts the rows of each sheet as it arrives, with an independent unpacker. */
async function countRows(file: AsyncIterable<Buffer>): Promise<number[]> {
  const counts: number[] = [];
  const unzip = new Unzip((part) => {
    if (!part.name.startsWith('xl/worksheets/')) return;
    const index = counts.push(0) - 1;
    let rest = '';
    part.ondata = (error, chunk) => {
      if (error) throw error;
      const tags = `${rest}${strFromU8(chunk, true)}`.split('<row ');
      counts[index] = (counts[index] ?? 0) + tags.length - 1;
      rest = (tags.at(-1) ?? '').slice(-4);
    };
    part.start();
  });
  unzip.register(UnzipInflate);
  for await (const chunk of file) unzip.push(chunk);
  unzip.push(new Uint8Array(), true);
  return counts;
}

const many = 1_050_000;
const program = new URL('./fixtures/write-many.ts', import.meta.url).pathname;

async function linesOf(file: AsyncIterable<Buffer>): Promise<number> {
  let lines = 0;
  for await (const chunk of file) lines += chunk.toString('latin1').split('\n').length - 1;
  return lines;
}

test.each(sheetFormats)(
  'writes a %s of a million rows without blocking calls or filling memory',
  async (format) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-sheets-'));
    const file = path.join(folder, `many.${format}`);
    try {
      const run = await promisify(execFile)(process.execPath, [program, format, `${many}`, file]);
      const { longestMs, mostMemory } = JSON.parse(run.stdout);
      expect(longestMs).toBeLessThan(50);
      expect(mostMemory).toBeLessThan(256 * 1024 * 1024);
      if (format === 'csv') expect(await linesOf(createReadStream(file))).toBe(many + 1);
      // More rows than one sheet can hold, plus the column names in each.
      else expect(await countRows(createReadStream(file))).toEqual([2 ** 20, many - 2 ** 20 + 2]);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  180_000,
);
