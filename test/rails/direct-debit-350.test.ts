import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { centavos, sumOf } from '../../src/kernel/money.ts';
import { order } from '../../src/rails/debits/direct-debit-350/layout.ts';
import { directDebit350Answers } from '../../src/rails/debits/direct-debit-350/read.ts';
import { directDebit350, documentTypeOf } from '../../src/rails/debits/direct-debit-350/write.ts';
import { type BankAnswer, bank350Lines, otherCbu, someCbu, zeros } from './debit-files.ts';
import {
  bankSubmissions,
  columns,
  compact,
  put,
  railTerms,
  readAll,
  today,
} from './debit-samples.ts';

const seed = { seed: 20261121 };
const time = Temporal.PlainTime.from('09:30');
const presentation = (count: number, total: number) => ({
  date: today,
  time,
  count,
  total: centavos(total),
});

test('puts each field of an order at the position that the bank specifies', () => {
  fc.assert(
    fc.property(bankSubmissions, (submission) => {
      const { run, mandateId, cbu } = submission;
      const writer = directDebit350.createWriter(railTerms, presentation(1, run.amount));
      const [head, line, tail] = [writer.head(), writer.line(submission), writer.tail() ?? ''];
      const sums = `${zeros(run.amount, 14)}0000001`;
      expect(head).toBe(`00000515C202611203EMPRESA${sums}`.padEnd(350));
      expect(tail).toBe(`99990515C202611203EMPRESA${sums}`.padEnd(350));
      expect(line).toMatch(/^[ -~]{350}$/);
      expect(columns(line, 1, 4)).toBe('0370');
      expect(columns(line, 5, 26)).toBe(`${zeros(mandateId, 15)}       `);
      expect(columns(line, 27, 52)).toBe(`0${cbu.slice(0, 8)}000${cbu.slice(8)}`);
      expect(columns(line, 53, 67)).toBe(`${zeros(run.request_id, 14)}${run.no}`);
      expect(columns(line, 68, 75)).toBe(compact(run.run_on));
      expect(columns(line, 76, 89)).toBe(zeros(run.amount, 14));
      expect(columns(line, 90, 137)).toBe(`${zeros(0, 45)}   `);
      expect(columns(line, 138, 152)).toMatch(/^008030692264785$|^009600007654321$/);
      expect(columns(line, 153, 174).trim()).toBe('');
      expect(columns(line, 175, 214)).toBe(zeros(0, 40));
      expect(columns(line, 215, 244).trim()).toBe('');
      expect(columns(line, 245, 294)).toMatch(/^[A-Z0-9 ]{50}$/);
      expect(columns(line, 295, 350).trim()).toBe('');
      const read = order.decode(line);
      expect(read.ok && order.encode(read.values)).toBe(line);
      expect(read).toMatchObject({ ok: true, values: { cbu, amount: run.amount } });
    }),
    seed,
  );
});

test('transliterates texts to capitals, and cuts them to their columns', () => {
  const [sample] = fc.sample(bankSubmissions, { seed: 1, numRuns: 1 });
  if (!sample) throw new Error('no sample');
  const submission = {
    ...sample,
    description: 'Cuota año 2026: María José Ñúñez Güiraldes y compañía',
    shortDescription: 'Peña «El Ñandú»',
  };
  const line = directDebit350.createWriter(railTerms, presentation(1, 1)).line(submission);
  expect(columns(line, 245, 284)).toBe('CUOTA ANO 2026 MARIA JOSE NUNEZ GUIRALDE');
  expect(columns(line, 285, 294)).toBe('PENA EL NA');
});

test('writes document types as the tax office’s codes', () => {
  expect(['7654321', '20055361682', '27055361682', '30692264785'].map(documentTypeOf)).toEqual([
    '0096',
    '0086',
    '0086',
    '0080',
  ]);
});

describe('values at the limit of their field', () => {
  const [sample] = fc.sample(bankSubmissions, { seed: 1, numRuns: 1 });
  if (!sample) throw new Error('no sample');
  const write = (amount: number, count = 1, total = amount) => {
    const writer = directDebit350.createWriter(railTerms, presentation(count, total));
    return (
      writer.head() + writer.line({ ...sample, run: { ...sample.run, amount: centavos(amount) } })
    );
  };

  test('refuses amounts too long for their field', () => {
    expect(columns(write(99_999_999_999_999), 350 + 76, 350 + 89)).toBe('9'.repeat(14));
    expect(() => write(100_000_000_000_000, 1, 1)).toThrow(
      /^amount: "100000000000000" does not fit/,
    );
  });

  test('refuses sums too long for their field', () => {
    expect(() => write(1, 1, 100_000_000_000_000)).toThrow(/^total: .* does not fit/);
    expect(() => write(1, 10_000_000, 1)).toThrow(/^count: "10000000" does not fit/);
  });

  test('refuses ids too long for their field', () => {
    const run = { ...sample.run, request_id: 100_000_000_000_000 };
    const writer = directDebit350.createWriter(railTerms, presentation(1, 1));
    expect(() => writer.line({ ...sample, run })).toThrow(RangeError);
  });

  test('refuses a file whose lines do not add up to its header', () => {
    const writer = directDebit350.createWriter(
      railTerms,
      presentation(2, sumOf([sample.run.amount])),
    );
    writer.head();
    writer.line(sample);
    expect(() => writer.tail()).toThrow('different sums than the lines');
  });
});

const reference = '000000000012341';
const done: BankAnswer = {
  customer: '000000000000007',
  cbu: someCbu,
  reference,
  due: compact(today),
  amount: 143_050,
};
const date = compact(today);
const item = (over: object) => ({
  reference,
  mandate: '000000000000007',
  amount: 143_050,
  replacement: null,
  ...over,
});
const read = (items: BankAnswer[]) => readAll(directDebit350Answers, bank350Lines(date, items));

describe('the bank’s answers', () => {
  test('reports payments, with the collected day and amount', () => {
    expect(read([done, { ...done, collectedOn: '20261119', collected: 143_000 }])).toEqual([
      item({ news: { type: 'paid', amount: 143_050, on: today } }),
      item({ news: { type: 'paid', amount: 143_000, on: today.subtract({ days: 1 }) } }),
    ]);
  });

  test('reports rejections, by code and text', () => {
    expect(
      read([
        { ...done, type: '0360', code: 'R10' },
        { ...done, type: '0360', code: 'R66' },
      ]),
    ).toEqual([
      item({ news: { type: 'rejected', code: 'R10', text: 'Insufficient funds.', on: today } }),
      item({ news: { type: 'rejected', code: 'R66', text: 'Rejected.', on: today } }),
    ]);
  });

  test('reports reversals, ended mandates and replaced accounts', () => {
    expect(
      read([
        { ...done, type: '0371' },
        { ...done, type: '0384', reference: '', amount: 0 },
        { ...done, type: '0362', reference: '', amount: 0, code: 'R89' },
        { ...done, type: '0386', reference: '', amount: 0, newCbu: otherCbu },
      ]),
    ).toEqual([
      item({ news: { type: 'reversed', comment: 'Reversed by the holder at the bank.' } }),
      item({
        news: { type: 'mandate_ended', comment: 'Canceled by the holder at the bank.' },
        reference: '',
        amount: 0,
      }),
      item({
        news: { type: 'mandate_ended', comment: 'R89: Errors of the adhesion.' },
        reference: '',
        amount: 0,
      }),
      item({
        news: { type: 'instrument_changed' },
        reference: '',
        amount: 0,
        replacement: { type: 'cbu', cbu: otherCbu },
      }),
    ]);
  });

  test('reports lines that change nothing as notices', () => {
    const types = ['0310', '0383', '0365'];
    expect(read(types.map((type) => ({ ...done, type })))).toEqual(
      types.map(() => item({ news: { type: 'notice', comment: expect.any(String) } })),
    );
  });
});

test('treats contradictory columns as unclear, and passes on an invalid account', () => {
  const unclear = (comment: string) => expect.objectContaining({ type: 'unclear', comment });
  expect(
    read([
      { ...done, code: 'R10' },
      { ...done, type: '0360' },
      { ...done, type: '0360', code: 'X1' },
      { ...done, type: '0386' },
    ]),
  ).toEqual([
    item({ news: unclear('Done, with the reject code R10.') }),
    item({ news: unclear('Rejected, with no reject code.') }),
    item({ news: unclear('Rejected, with the reject code X1.') }),
    item({ news: { type: 'instrument_changed' }, replacement: { type: 'cbu', cbu: '' } }),
  ]);
});

type Change = (lines: string[]) => string[];
const over =
  (no: number, column: number, text: string): Change =>
  (lines) =>
    lines.map((line, index) => (index === no - 1 ? put(line, column, text) : line));

const bad: [what: string, change: Change, message: RegExp][] = [
  ['of another company', over(1, 5, '0999'), /line 1 5-8 service: "0999", not 0515/],
  ['of the collector', over(1, 19, 'EMPRESA'), /line 1 19-25 origin: "EMPRESA", not `BANCO {2}`/],
  ['dated tomorrow', over(1, 10, '20261121'), /line 1 10-17 date: .* not a day up to today/],
  [
    'that is cut short',
    (lines) => lines.slice(0, -1),
    /line 4 .*the end of the file.* not the trailer/,
  ],
  [
    'that is cut within a line',
    (lines) => [...lines.slice(0, 2), lines[2]?.slice(0, 200) ?? ''],
    /line 3 .*"200 characters", not 350 characters/,
  ],
  [
    'that lacks a line',
    (lines) => lines.filter((_line, at) => at !== 1),
    /line 3 .*count: "0000002", not 1/,
  ],
  ['whose total is wrong', over(4, 26, '00000000000001'), /line 4 26-39 total: .*not 1432.50/],
  ['whose count is wrong', over(4, 40, '0000009'), /line 4 40-46 count: "0000009", not 2/],
  [
    'whose header has another total',
    over(1, 26, '00000000000001'),
    /line 4 26-39 total: .*not 0.01, as in the header/,
  ],
  ['whose trailer is of another service', over(4, 5, '0516'), /line 4 5-8 service/],
  ['whose trailer is of another day', over(4, 10, '20261119'), /line 4 10-17 date/],
  [
    'with a line after the trailer',
    (lines) => [...lines, lines[1] ?? ''],
    /line 5 .*not the end of the file/,
  ],
  ['without its header', (lines) => lines.slice(1), /line 1 .*not the header first/],
  ['with two headers', (lines) => [lines[0] ?? '', ...lines], /line 2 .*not one header only/],
  ['with a record of the collector', over(2, 1, '0320'), /line 2 1-4 type: "0320", not `0370` or/],
  ['with a letter in an amount', over(2, 80, 'O'), /line 2 76-89 amount/],
  ['with an amount of zero', over(2, 76, zeros(0, 14)), /line 2 76-89 amount: .* above zero/],
  ['in dollars', over(2, 134, '1'), /line 2 134-134 currency: "1", not `0`/],
  ['collected on an impossible day', over(2, 295, '20261131'), /line 2 295-302 collected_on/],
  ['collected tomorrow', over(2, 295, '20261121'), /line 2 295-302 collected_on: .*up to today/],
];

describe('the file of the bank’s answers', () => {
  const good = () =>
    bank350Lines(date, [
      { ...done, collectedOn: compact(today) },
      { ...done, type: '0360', code: 'R10', amount: 200 },
    ]);

  test('accepts a correct file', () => {
    expect(readAll(directDebit350Answers, good())).toHaveLength(2);
  });

  test.each(bad)('refuses a file %s', (_what, change, message) => {
    expect(() => readAll(directDebit350Answers, change(good()))).toThrow(message);
  });
});
