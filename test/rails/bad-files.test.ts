import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LineFault } from '../../src/rails/files/fault.ts';
import { inboundRails } from '../../src/rails/index.ts';
import { type Office, openOffice } from '../harness/builders/office.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { file, linkLines, type Payment, pagoFacilLines, pmcLines, rapipagoLines } from './files.ts';

let service: TestService;
let office: Office;
let payments: Record<'barcode' | 'code', Payment[]>;
beforeAll(async () => {
  service = await startService(withoutWorker);
  office = await openOffice(service);
  const made = await office.request();
  const paying = (code: string): Payment[] => [
    { code, amount: 143_050, paidOn: office.compact() },
    { code, amount: 200, paidOn: office.compact() },
  ];
  payments = { barcode: paying(made.barcode), code: paying(made.code) };
});
afterAll(async () => {
  await office.close();
  await service.stop();
});

const put = (line: string, column: number, text: string): string =>
  line.slice(0, column - 1) + text + line.slice(column - 1 + text.length);

/** Changes one line, counted from 1. */
const at = (no: number, change: (line: string) => string) => (lines: string[]) =>
  lines.map((line, index) => (index === no - 1 ? change(line) : line));
const over = (no: number, column: number, text: string) =>
  at(no, (line) => put(line, column, text));
const without = (no: number) => (lines: string[]) =>
  lines.filter((_line, index) => index !== no - 1);
const swapped = (a: number, b: number) => (lines: string[]) =>
  lines.map(
    (line, index) => lines[index === a - 1 ? b - 1 : index === b - 1 ? a - 1 : index] ?? line,
  );
const last = (lines: string[]) => lines.slice(0, -1);
const more = (lines: string[]) => [...lines, lines.at(-1) ?? ''];

type Change = (lines: string[]) => string[];
const builds: Record<string, () => string[]> = {
  'pago-facil': () => pagoFacilLines(office.compact(), payments.barcode, { perBatch: 1 }),
  rapipago: () => rapipagoLines(office.compact(), payments.barcode),
  pmc: () => pmcLines(office.compact(), payments.code),
  link: () => linkLines(office.compact(), payments.code),
};

const bad: [rail: string, what: string, change: Change, message: RegExp][] = [
  // Pago Fácil: 1 header; 2–6 and 7–11 batches of 3, 5, 6, 7, 8; 12 trailer.
  [
    'pago-facil',
    'of another company',
    over(1, 35, '000000999'),
    /line 1, columns 35-43 \(client\): found "000000999", expected 000000515/,
  ],
  [
    'pago-facil',
    'dated in the future',
    over(1, 2, '20991231'),
    /line 1, columns 2-9 \(date\): found "20991231", expected a day up to today/,
  ],
  [
    'rapipago',
    'dated in the future',
    over(1, 29, '20991231'),
    /line 1, columns 29-36 \(date\): found "20991231", expected a day up to today/,
  ],
  [
    'pago-facil',
    'with a letter in an amount',
    over(3, 49, '00000X'),
    /line 3, columns 49-58 \(amount\): found "00000X3050", expected 10 digits/,
  ],
  [
    'pago-facil',
    'with a payment of zero',
    over(3, 49, '0000000000'),
    /line 3, columns 49-58 \(amount\).*above zero/,
  ],
  [
    'pago-facil',
    'with an impossible day',
    over(3, 65, '20260230'),
    /line 3, columns 65-72 \(paid_on\): found "20260230", expected a day as AAAAMMDD/,
  ],
  [
    'pago-facil',
    'with an impossible time',
    over(3, 73, '2460'),
    /line 3, columns 73-76 \(paid_at\): found "2460", expected a time/,
  ],
  [
    'pago-facil',
    'with a payment in the future',
    over(3, 65, '20991231'),
    /line 3, columns 65-72 \(paid_on\).*a day up to today/,
  ],
  [
    'pago-facil',
    'with a wrong total of a batch',
    over(6, 23, '000000000001'),
    /line 6, columns 23-34 \(total\): found "000000000001", expected 1430\.50/,
  ],
  [
    'pago-facil',
    'with a wrong count of a batch',
    over(6, 16, '0000002'),
    /line 6, columns 16-22 \(count\)/,
  ],
  [
    'pago-facil',
    'with the trailer of another batch',
    over(6, 10, '000007'),
    /line 6, columns 10-15 \(batch\)/,
  ],
  [
    'pago-facil',
    'with a wrong total',
    over(12, 23, '000000000001'),
    /line 12, columns 23-34 \(total\): found "000000000001", expected 1432\.50/,
  ],
  [
    'pago-facil',
    'with a wrong count of batches',
    over(12, 10, '000003'),
    /line 12, columns 10-15 \(batches\)/,
  ],
  [
    'pago-facil',
    'with a missing barcode',
    without(4),
    /line 4: found "7PES.*expected a barcode \(6\)/,
  ],
  [
    'pago-facil',
    'out of order',
    swapped(2, 3),
    /line 2: found "5.*expected a batch header \(3\) or file trailer \(9\)/,
  ],
  [
    'pago-facil',
    'cut short',
    last,
    /line 12: found "the end of the file", expected a batch header \(3\) or file trailer/,
  ],
  ['pago-facil', 'with lines after its end', more, /line 13: .*the end of the file/],
  [
    'rapipago',
    'of another company',
    over(1, 9, 'OTRA SA'),
    /line 1, columns 9-28 \(company\): found "OTRA SA/,
  ],
  [
    'rapipago',
    'of another rail',
    at(1, (line) => put(line, 37, 'PAGOS')),
    /line 1, columns 37-56 \(content\)/,
  ],
  ['rapipago', 'with a letter in an amount', over(2, 9, '0O'), /line 2, columns 9-23 \(amount\)/],
  [
    'rapipago',
    'with a short line',
    at(2, (line) => line.slice(0, 20)),
    /line 2: found "20 characters", expected 73/,
  ],
  [
    'rapipago',
    'with a wrong total',
    over(4, 17, '000000000000000001'),
    /line 4, columns 17-34 \(total\)/,
  ],
  [
    'rapipago',
    'with a wrong count',
    over(4, 9, '00000003'),
    /line 4, columns 9-16 \(count\): found "00000003", expected 2/,
  ],
  ['rapipago', 'without its header', without(1), /line 1: .*the header first/],
  [
    'rapipago',
    'with two headers',
    (lines) => [lines[0] ?? '', ...lines],
    /line 2: .*one header only/,
  ],
  ['rapipago', 'cut short', last, /line 4: found "the end of the file", expected the trailer/],
  ['rapipago', 'out of order', swapped(3, 4), /line 3, columns 9-16 \(count\)/],
  ['rapipago', 'that is empty', () => [], /line 1: found "the end of the file"/],
  [
    'rapipago',
    'with a blank line inside',
    (lines) => [...lines.slice(0, 2), '', ...lines.slice(2)],
    /line 3: found "0 characters"/,
  ],
  [
    'pmc',
    'of another company',
    over(1, 5, '0999'),
    /line 1, columns 5-8 \(company\): found "0999", expected 0515 \(PMC_COMPANY\)/,
  ],
  [
    'pmc',
    'with a trailer of another company',
    over(4, 5, '0999'),
    /line 4, columns 5-8 \(company\)/,
  ],
  ['pmc', 'with a trailer of another day', over(4, 9, '20200101'), /line 4, columns 9-16 \(date\)/],
  [
    'pmc',
    'with a payment credited on another day',
    over(2, 70, '20200101'),
    /line 2, columns 70-77 \(credited_on\): found "20200101"/,
  ],
  [
    'pmc',
    'with a payment in dollars',
    over(3, 49, '1'),
    /line 3, columns 49-49 \(currency\): found "1", expected `0`/,
  ],
  [
    'pmc',
    'with a line of another type',
    over(2, 1, '7'),
    /line 2, columns 1-1 \(type\): found "7", expected `5`/,
  ],
  [
    'pmc',
    'with a wrong total',
    over(4, 31, '00000000001'),
    /line 4, columns 31-41 \(total\): found "00000000001", expected 1432\.50/,
  ],
  [
    'pmc',
    'with a missing payment',
    without(3),
    /line 3, columns 17-23 \(count\): found "0000002", expected 1/,
  ],
  [
    'pmc',
    'that is cut within a line',
    (lines) => [...last(lines), '9400051'],
    /line 4: found "7 characters", expected 100/,
  ],
  [
    'pmc',
    'with a line of 128 columns',
    at(2, (line) => line.padEnd(128, '0')),
    /line 2: found "128 characters", expected 100/,
  ],
  [
    'link',
    'of another entity',
    over(1, 2, '999'),
    /line 1, columns 2-4 \(entity\): found "999", expected 515 \(LINK_ENTITY\)/,
  ],
  [
    'link',
    'with an impossible month',
    over(2, 41, '261301'),
    /line 2, columns 41-46 \(paid_on\): found "261301"/,
  ],
  ['link', 'with a wrong total', over(4, 8, '0000000000000001'), /line 4, columns 8-23 \(total\)/],
  ['link', 'cut short', last, /line 4: found "the end of the file"/],
  ['link', 'with lines after its end', more, /line 5: .*the end of the file/],
  [
    'link',
    'that is one endless line',
    () => ['0'.repeat(3_000_000)],
    /line 1: found "2000 characters", expected 96/,
  ],
];

test.each(bad)(
  'refuses a %s file %s, names the place, and changes nothing',
  async (rail, _what, change, message) => {
    const lines = change(builds[rail]?.() ?? []);
    const before = await office.counts();
    const path = await office.write(file(lines));
    await expect(office.import(rail, path)).rejects.toThrow(message);
    await expect(office.import(rail, path)).rejects.toThrow(/Nothing was imported\.$/);
    expect(await office.counts()).toEqual(before);
  },
);

test.each([
  ['the same sequence number', 1],
  ['a smaller one', 0],
])('refuses a Pago Fácil batch whose second payment has %s', async (_what, no) => {
  const lines = pagoFacilLines(office.compact(), payments.barcode);
  const second = 5;
  const wrong = over(second + 1, 2, String(no).padStart(5, '0'))(lines);
  expect(wrong[second]).not.toBe(lines[second]);
  await expect(office.import('pago-facil', await office.write(file(wrong)))).rejects.toThrow(
    /line 6, columns 2-6 \(sequence\): .*a number above 1, that of the payment before/,
  );
});

test('refuses a file with any one character changed, unless its amounts stay the same', () => {
  const rails = fc.constantFrom('pago-facil', 'rapipago', 'pmc', 'link');
  const change = fc.tuple(rails, fc.nat(), fc.nat(), fc.integer({ min: 0x20, max: 0xff }));
  fc.assert(
    fc.property(change, ([name, place, column, letter]) => {
      const lines = builds[name]?.() ?? [];
      const no = place % lines.length;
      const line = lines[no] ?? '';
      lines[no] = put(line, 1 + (column % line.length), String.fromCharCode(letter));
      const reader = inboundRails.find((one) => one.name === name)?.createReader(office.terms);
      if (!reader) throw new Error(`no rail ${name}`);
      try {
        const told = lines.map((one) => reader.read(one)).filter((one) => one !== null);
        reader.end();
        expect(told.map(({ amount }) => amount)).toEqual([143_050, 200]);
      } catch (error) {
        expect(error).toBeInstanceOf(LineFault);
      }
    }),
    { seed: 20261121, numRuns: 3_000 },
  );
});
