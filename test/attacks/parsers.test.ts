import { strToU8 } from 'fflate';
import { expect, test } from 'vitest';
import { isEmail } from '../../src/kernel/email.ts';
import { parsePayload } from '../../src/kernel/emv.ts';
import { readReports } from '../../src/payment-requests/mails/bounces/parse.ts';
import { readJsonBody } from '../../src/platform/http/body.ts';
import { bodyOf } from '../../src/platform/spreadsheets/bodies.ts';
import { readTable } from '../../src/platform/spreadsheets/table.ts';
import { qrSheetFields } from '../../src/qr/index.ts';
import { bookOf, sheetOf } from '../platform/spreadsheets/books.ts';

/**
 * Parses slow input of legal size. The limit is processor time per byte, which other load does not
 * change; a parser that backtracks exceeds it by orders of magnitude.
 */
const mostNanosecondsPerByte = 3_000;
/** Allowance for compiling and first calls, before the input counts. */
const allowedMs = 150;

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function expectLinear(bytes: number, parse: () => unknown): Promise<void> {
  const before = processorMs();
  try {
    await parse();
  } catch {
    // A refusal is a valid response.
  }
  const spent = processorMs() - before;
  expect(spent).toBeLessThan(allowedMs + (bytes * mostNanosecondsPerByte) / 1e6);
}

const limits = { rows: 50_000, columns: 100 };
const megabyte = 1024 * 1024;
const longest = 32_767;
const fill = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

const units = [
  '$ ',
  ' ',
  '$',
  '\t',
  '1 234 ',
  '1.234',
  '1,234',
  '(',
  '"',
  '""',
  '=',
  'ars ',
  '\u00a0',
  'á',
  '#',
  '-',
];

test.each(units)(
  'parses a CSV file whose only cell is a megabyte of %j in linear time',
  async (unit) => {
    const text = `Nombre;Importe\n${fill(unit, megabyte)}x;1\n`;
    await expectLinear(megabyte, () => readTable(Buffer.from(text), limits));
  },
);

test.each(units)('parses a CSV file of a megabyte of %j alone in linear time', async (unit) => {
  await expectLinear(megabyte, () => readTable(Buffer.from(fill(unit, megabyte)), limits));
});

test.each(units)('parses a CSV heading of %j in linear time', async (unit) => {
  const text = `${fill(unit, megabyte / 2)};b\n1;2\n`;
  await expectLinear(megabyte / 2, () => readTable(Buffer.from(text), limits));
});

const matched = Object.fromEntries(qrSheetFields.map(({ name }, place) => [name, place]));

test.each(units)(
  'parses maximum-length cells filled with %j as every field, in linear time',
  async (unit) => {
    const count = qrSheetFields.length;
    const cells = qrSheetFields.map(() => `${fill(unit, longest - 1)}x`);
    await expectLinear(count * longest, () =>
      bodyOf(cells, { fields: qrSheetFields, matched, count }),
    );
  },
);

const relations = 'xl/_rels/workbook.xml.rels';

const books: Record<string, () => Buffer> = {
  'a tag that never ends': () => bookOf(`<sheetData><c ${fill('r ', megabyte)}`),
  'unclosed tags': () => bookOf(fill('<c r="A1" t="e"', megabyte)),
  'cells with errors and no end': () => bookOf(fill('<c t="e"><f>', megabyte)),
  'merged cells without a range': () => bookOf(fill('<mergeCell ', megabyte)),
  'a comment that never ends': () => bookOf(`<!--${fill('<>', megabyte)}`),
  'nested tags': () => bookOf(fill('<a>', megabyte)),
  'a text that never ends': () =>
    bookOf(`<sheetData><row r="1"><c r="A1"><v>${fill('1', megabyte)}`),
  entities: () =>
    bookOf(
      sheetOf([
        ['a', 'b'],
        [fill('&#38;', longest), '&'],
      ]),
    ),
  'unclosed relations': () =>
    bookOf('<sheetData/>', { [relations]: strToU8(fill('<Relationship ', megabyte)) }),
  'unclosed sheets': () =>
    bookOf('<sheetData/>', { 'xl/workbook.xml': strToU8(fill('<sheet r:id="', megabyte)) }),
};

test.each(Object.keys(books))(
  'reads or refuses a workbook with %s in linear time',
  async (name) => {
    const bytes = books[name]?.() ?? Buffer.alloc(0);
    await expectLinear(megabyte, () => readTable(bytes, limits));
  },
);

test.each([
  ['XFD1048576', /far below the 50000 rows|more than 100 columns/],
  ['XFE1', /names a cell "XFE1"/],
  ['ZZZZZZ999999999', /names a cell "ZZZZZZ999999999"/],
  ['A0', /names a cell "A0"/],
  ['', /has a cell without an address/],
  ['CV1048576', /at most 50000 rows/],
])('rejects a cell at %s, and allocates nothing for the cells before it', async (at, message) => {
  const sheet = sheetOf([['a', 'b']], '').replace(
    '</sheetData>',
    `<row r="1048576"><c r="${at}"><v>1</v></c></row></sheetData>`,
  );
  const before = process.memoryUsage().rss;
  await expect(readTable(bookOf(sheet), limits)).rejects.toThrow(message);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * megabyte);
});

/** Returns an archive whose directory declares a false size for its sheet. */
function lying(bytes: Buffer, part: string, size: number): Buffer {
  const name = Buffer.from(part);
  const entry = bytes.lastIndexOf(name) - 46;
  bytes.writeUInt32LE(size, entry + 24);
  return bytes;
}

test('does not unpack a part beyond its declared size', async () => {
  const part = 'xl/worksheets/sheet1.xml';
  const book = bookOf(fill(' ', 64 * megabyte));
  await expectLinear(megabyte, async () => {
    await expect(readTable(lying(book, part, 1_000), limits)).rejects.toThrow(
      /not a valid workbook/,
    );
  });
});

test('limits the total size of a shared string over all cells that use it', async () => {
  const strings = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>${fill('x', longest)}</t></si></sst>`;
  const cells = Array.from({ length: 3_000 }, (_, no) => ['Ana', String(no + 2)]).map(
    ([name, row]) =>
      `<row r="${row}"><c r="A${row}" t="inlineStr"><is><t>${name}</t></is></c><c r="B${row}" t="s"><v>0</v></c></row>`,
  );
  const sheet = `<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1" t="inlineStr"><is><t>b</t></is></c></row>${cells.join('')}</sheetData>`;
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const rels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`;
  const book = bookOf(sheet, {
    [relations]: strToU8(rels),
    'xl/sharedStrings.xml': strToU8(strings),
  });
  await expect(readTable(book, limits)).rejects.toThrow(/at most 67108864 characters/);
});

test('refuses a cell longer than spreadsheets allow, and names its row', async () => {
  const text = `Nombre;Importe\nAna;1\n${fill('x', longest + 1)};1\n`;
  await expect(readTable(Buffer.from(text), limits)).rejects.toThrow(
    /^Row 3 has a cell that is too long/,
  );
});

const bodies: Record<string, string> = {
  'open brackets': fill('[', megabyte),
  'open objects': fill('{"a":', megabyte),
  'one key again and again': `{${fill('"a":1,', megabyte - 8)}"b":1}`,
  'many keys': `{${Array.from({ length: 90_000 }, (_, no) => `"k${no}":1`).join(',')}}`,
  escapes: `"${fill('\\u0041', megabyte)}"`,
  'a long number': fill('9', megabyte),
  exponents: `[${fill('1e999,', megabyte)}1]`,
};

test.each(Object.keys(bodies))('parses a JSON body of %s in linear time', async (name) => {
  const bytes = Buffer.from(bodies[name] ?? '');
  await expectLinear(bytes.length, () => readJsonBody(bytes));
});

const lines = [
  'Message-ID:',
  'Message-ID: <',
  'a@',
  'Content-Type: ',
  '\n',
  ' ',
  '\t\n',
  '--',
  '<',
  ': ',
];

test.each(lines)('parses a bounced mail of a megabyte of %j in linear time', async (unit) => {
  const head = 'Content-Type: multipart/report; report-type=delivery-status; boundary="x"\n\n';
  for (const text of [fill(unit, megabyte), head + fill(unit, megabyte)]) {
    await expectLinear(megabyte, () => Array.from(readReports(text)));
  }
});

test.each(['a', '+', '@', 'a@', 'a.', '\u00e1'])(
  'parses an address of %j in linear time',
  async (unit) => {
    await expectLinear(longest, () => isEmail(fill(unit, longest)));
  },
);

test.each(['0', '00', '000201', '9999', '26'])('parses a QR of %j in linear time', async (unit) => {
  await expectLinear(longest, () => parsePayload(fill(unit, longest)));
});
