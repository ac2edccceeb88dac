import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { order } from '../../src/rails/debits/card-debit/layout.ts';
import { ldebliqd, rdeblimc, rdebliqc, rdebliqd } from '../../src/rails/debits/card-debit/read.ts';
import { deblimc, debliqc, debliqd } from '../../src/rails/debits/card-debit/write.ts';
import { type CardAnswer, credit300Lines, debit150Lines, zeros } from './debit-files.ts';
import {
  cardSubmissions,
  columns,
  compact,
  put,
  railTerms,
  readAll,
  today,
} from './debit-samples.ts';

const seed = { seed: 20261121 };
const terms = {
  ...railTerms,
  visaEstablishment: '0000000515',
  visaDebitEstablishment: '0000000516',
  mastercardEstablishment: '0000000517',
};
const presentation = {
  date: today,
  time: Temporal.PlainTime.from('09:30'),
  count: 0,
  total: centavos(0),
};
const outbound = [
  ['DEBLIQC', debliqc, '0000000515'],
  ['DEBLIQD', debliqd, '0000000516'],
  ['DEBLIMC', deblimc, '0000000517'],
] as const;

describe.each(outbound)('%s', (name, rail, establishment) => {
  test('puts each field at the position that the processor specifies', () => {
    fc.assert(
      fc.property(fc.array(cardSubmissions, { minLength: 1, maxLength: 3 }), (submissions) => {
        const writer = rail.createWriter(terms, presentation);
        expect(writer.name).toBe(`${name}.txt`);
        const start = `${name} ${establishment}900000    202611200930`;
        expect(writer.head()).toBe(`${`0${start}0`.padEnd(99)}*`);
        submissions.forEach((submission, index) => {
          const { run, number } = submission;
          const line = writer.line(submission);
          expect(line).toMatch(/^[ -~]{99}\*$/);
          expect(columns(line, 1, 20)).toBe(`1${zeros(number, 16)}   `);
          expect(columns(line, 21, 28)).toBe(zeros(index + 1, 8));
          expect(columns(line, 29, 36)).toBe(compact(run.run_on));
          expect(columns(line, 37, 40)).toBe('0005');
          expect(columns(line, 41, 55)).toBe(zeros(run.amount, 15));
          expect(columns(line, 56, 70)).toBe(`${zeros(run.request_id, 14)}${run.no}`);
          expect(columns(line, 71, 99)).toBe('E'.padEnd(29));
          const read = order.decode(line);
          expect(read).toMatchObject({ ok: true, values: { card: number } });
          expect(read.ok && order.encode(read.values)).toBe(line);
        });
        const total = submissions.reduce((sum, { run }) => sum + run.amount, 0);
        const sums = `${zeros(submissions.length, 7)}${zeros(total, 15)}`;
        expect(writer.tail()).toBe(`${`9${start}${sums}`.padEnd(99)}*`);
      }),
      seed,
    );
  });

  test('refuses oversized values, without revealing the card', () => {
    const [sample] = fc.sample(cardSubmissions, { seed: 1, numRuns: 1 });
    if (!sample) throw new Error('no sample');
    const write = (over: object) =>
      rail.createWriter(terms, presentation).line({ ...sample, ...over });
    const amount = (value: number) => ({ run: { ...sample.run, amount: centavos(value) } });
    expect(columns(write(amount(999_999_999_999_999)), 41, 55)).toBe('9'.repeat(15));
    expect(() => write(amount(1_000_000_000_000_000))).toThrow(/^amount: .* does not fit/);
    expect(() => write({ number: '4507990000004905123' })).toThrow(
      /^card: A card number of 19 digits does not fit: the field has room for 16\.$/,
    );
  });
});

test('exports a Visa card in the file of its product', () => {
  const [sample] = fc.sample(cardSubmissions, { seed: 1, numRuns: 1 });
  if (!sample) throw new Error('no sample');
  const takers = (number: string) =>
    [debliqc, debliqd]
      .filter((rail) => rail.takes({ ...sample, number }, terms))
      .map(({ name }) => name);
  expect(takers('4507990000004905')).toEqual(['debliqc']);
  expect(takers('4517721004856075')).toEqual(['debliqd']);
  expect([debliqc, debliqd, deblimc].flatMap((rail) => rail.brands(terms))).toEqual([
    'visa',
    'visa',
    'mastercard',
  ]);
});

const date = compact(today);
const card = '4507990000004905';
const done: CardAnswer = { card, reference: '000000000012341', amount: 143_050 };
const item = (over: object) => ({
  reference: '000000000012341',
  mandate: '',
  amount: 143_050,
  replacement: null,
  ...over,
});

const creditFiles = [
  ['RDEBLIQC', rdebliqc],
  ['RDEBLIMC', rdeblimc],
] as const;
describe.each(creditFiles)('%s', (name, rail) => {
  const read = (items: CardAnswer[]) =>
    readAll(rail, credit300Lines(date, items, { name }), railTerms);

  test('reports payments on the day of payment, or else on the day of the answer', () => {
    expect(
      read([done, { ...done, answeredOn: '191126' }, { ...done, paidOn: '181126' }]).map(
        ({ news }) => news,
      ),
    ).toEqual([
      { type: 'paid', amount: 143_050, on: today },
      { type: 'paid', amount: 143_050, on: today.subtract({ days: 1 }) },
      { type: 'paid', amount: 143_050, on: today.subtract({ days: 2 }) },
    ]);
  });

  test('reports rejections by code and text', () => {
    expect(read([{ ...done, code: '51', text: 'FONDOS INSUFICIENTES' }])).toEqual([
      item({
        news: { type: 'rejected', code: '51', text: 'FONDOS INSUFICIENTES', on: today },
      }),
    ]);
  });

  test.each([
    ['approves with the code of a rejection', { code: '51' }, '0', '51'],
    [
      'approves with the words of a rejection',
      { text: 'FONDOS INSUFICIENTES' },
      '0',
      'FONDOS INSUFICIENTES',
    ],
    ['approves with words of both kinds', { text: 'NO APROBADA' }, '0', 'NO APROBADA'],
    ['rejects without a code', {}, '1', ''],
    ['rejects with the code of an approval', { code: '00', text: 'RECHAZADA' }, '1', 'RECHAZADA'],
    ['has an unknown decision', {}, 'A', ''],
  ])('reports no change if an answer %s', (_what, columns, decision, found) => {
    const lines = credit300Lines(date, [{ ...done, ...columns }], { name });
    const [one] = readAll(
      rail,
      lines.map((line, index) => (index === 1 ? put(line, 130, decision) : line)),
      railTerms,
    );
    const comment = `Approval and rejection at once. ${found}`.trim();
    expect(one?.news).toEqual({ type: 'unclear', comment });
  });

  test('passes on an invalid new card', () => {
    const [one] = read([{ ...done, newCard: '454640******7331' }]);
    expect(one).toMatchObject({
      news: { type: 'paid' },
      replacement: { type: 'card', number: '454640******7331' },
    });
  });

  test('reports replaced cards, reversals and rejected refunds', () => {
    expect(
      read([
        { ...done, newCard: '4546400044997331' },
        { ...done, transaction: '6000' },
      ]),
    ).toEqual([
      item({
        news: { type: 'paid', amount: 143_050, on: today },
        replacement: { type: 'card', number: '4546400044997331' },
      }),
      item({ news: { type: 'reversed', comment: 'Reversed by the card processor.' } }),
    ]);
    const [refused] = read([{ ...done, transaction: '6000', code: '12', text: 'NO' }]);
    expect(refused?.news).toMatchObject({
      type: 'notice',
      comment: 'A refund was rejected. 12: NO',
    });
  });
});

const debitFiles = [
  ['RDEBLIQD', rdebliqd],
  ['LDEBLIQD', ldebliqd],
] as const;
describe.each(debitFiles)('%s', (name, rail) => {
  test('reports payments and rejections', () => {
    const items = [
      done,
      { ...done, code: '000', text: 'APROBADA' },
      { ...done, code: '021', text: 'DISPONIBLE  INSUFICIENTE' },
      { ...done, code: '034', text: 'SE REINTENTARA' },
    ];
    const read = readAll(rail, debit150Lines(date, items, { name }), railTerms);
    expect(read).toEqual([
      item({ news: { type: 'paid', amount: 143_050, on: today } }),
      item({ news: { type: 'paid', amount: 143_050, on: today } }),
      item({ news: { type: 'rejected', code: '021', text: 'DISPONIBLE INSUFICIENTE', on: today } }),
      item({ news: { type: 'rejected', code: '034', text: 'SE REINTENTARA', on: today } }),
    ]);
  });

  test.each([
    ['', 'DISPONIBLE INSUFICIENTE'],
    ['000', 'RECHAZADA POR EL EMISOR'],
    ['000', 'CUENTA CERRADA'],
    ['', 'NO AUTORIZADA'],
  ])('reports no change for code "%s" and text "%s"', (code, text) => {
    const [one] = readAll(
      rail,
      debit150Lines(date, [{ ...done, code, text }], { name }),
      railTerms,
    );
    expect(one?.news).toMatchObject({ type: 'unclear', comment: expect.stringContaining(text) });
  });

  test.each([
    '',
    'APROBADA',
    'Operacion aprobada',
    'DEBITO REALIZADO',
    'OK',
    'TRANSACCION PROCESADA',
  ])('reports a payment if there is no code and the text is "%s"', (text) => {
    const [one] = readAll(rail, debit150Lines(date, [{ ...done, text }], { name }), railTerms);
    expect(one?.news).toMatchObject({ type: 'paid' });
  });
});

type Change = (lines: string[]) => string[];
const over =
  (no: number, column: number, text: string): Change =>
  (lines) =>
    lines.map((line, index) => (index === no - 1 ? put(line, column, text) : line));
const cut: Change = (lines) => lines.slice(0, -1);
const more: Change = (lines) => [...lines, lines[1] ?? ''];

type Bad = [what: string, change: Change, message: RegExp];
const badInBoth: Bad[] = [
  [
    'of another company',
    over(1, 20, '0000000999'),
    /line 1 20-29 establishment: "0000000999", not 0000000515 \(VISA_/,
  ],
  [
    'of another product',
    over(1, 2, 'RDEBLIMC'),
    /line 1 2-9 name: "RDEBLIMC", not `[RL]DEBLIQ[CD]`/,
  ],
  ['dated tomorrow', over(1, 30, '20261121'), /line 1 30-37 date: .*up to today/],
  [
    'with header fields in the order of presentations',
    over(1, 10, '0000000515900000    '),
    /line 1 10-19 processor/,
  ],
  ['that is cut short', cut, /line 4 .*the end of the file.*not the trailer/],
  [
    'that lacks a line',
    (lines) => lines.filter((_line, at) => at !== 1),
    /line 3 42-48 count: "0000002", not 1/,
  ],
  ['whose total is wrong', over(4, 49, zeros(1, 15)), /line 4 49-63 total: .*not 1432.50/],
  [
    'whose trailer is of another establishment',
    over(4, 20, '0000000999'),
    /line 4 20-29 establishment: .*as in the header/,
  ],
  ['with a line after the trailer', more, /line 5 .*not the end of the file/],
  [
    "without the mark at a line's end",
    (lines) => lines.map((line) => line.replace(/\*$/, ' ')),
    /line 1 \d+-\d+ end: " ", not `\*`/,
  ],
];
const badCredit: Bad[] = [
  [
    'with a line of another company',
    over(2, 17, '0000000999'),
    /line 2 17-26 establishment: .*as in the header/,
  ],
  ['with an amount of zero', over(2, 63, zeros(0, 15)), /line 2 63-77 amount: .*above zero/],
  [
    'with another transaction',
    over(2, 12, '0006'),
    /line 2 12-15 transaction: "0006", not `0005` or `6000`/,
  ],
  [
    'answered tomorrow',
    over(2, 225, '211126'),
    /line 2 225-230 answered_on: "211126", not a day up to/,
  ],
  [
    'answered on an impossible day',
    over(2, 225, '311126'),
    /line 2 225-230 answered_on: "311126", not a day as DDMMAA/,
  ],
];
const badDebit: Bad[] = [
  ['with an amount of zero', over(2, 41, zeros(0, 15)), /line 2 41-55 amount: .*above zero/],
];

describe.each([
  ['RDEBLIQC', rdebliqc, credit300Lines, [...badInBoth, ...badCredit]],
  ['LDEBLIQD', ldebliqd, debit150Lines, [...badInBoth, ...badDebit]],
] as const)('the answer file %s', (name, rail, build, bad) => {
  const good = () => build(date, [done, { ...done, amount: 200 }], { name });

  test('accepts a correct file', () => {
    expect(readAll(rail, good())).toHaveLength(2);
  });

  test.each(bad)('refuses a file %s', (_what, change, message) => {
    expect(() => readAll(rail, change(good()))).toThrow(message);
  });

  test('never shows a card number in a refusal', () => {
    for (const change of [more, over(2, 1, 'X'), over(1, 1, '1'), over(2, 150, 'X')]) {
      let told = '';
      try {
        readAll(rail, change(good()));
      } catch (error) {
        told = String(error);
      }
      expect(told).not.toContain(card);
    }
  });
});
