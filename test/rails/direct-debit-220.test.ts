import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { order } from '../../src/rails/debits/direct-debit-220/layout.ts';
import { directDebit220Answers } from '../../src/rails/debits/direct-debit-220/read.ts';
import { directDebit220 } from '../../src/rails/debits/direct-debit-220/write.ts';
import { type MacroAnswer, macro220Lines, otherCbu, someCbu, zeros } from './debit-files.ts';
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
const terms = { ...railTerms, macroService: 'CUOTAS' };
const presentation = (total: number) => ({
  date: today,
  time: Temporal.PlainTime.from('09:30'),
  count: 1,
  total: centavos(total),
});

test('puts each field of an order at the position that the bank specifies', () => {
  fc.assert(
    fc.property(bankSubmissions, (submission) => {
      const { run, mandateId, cbu: account } = submission;
      const writer = directDebit220.createWriter(terms, presentation(run.amount));
      const [head, line, tail] = [writer.head(), writer.line(submission), writer.tail()];
      expect(tail).toBeNull();
      expect(head).toBe(
        `100515CUOTAS    0000020261120${zeros(run.amount, 18)}08001${zeros(0, 98)}`.padEnd(219) +
          '0',
      );
      expect(line).toMatch(/^[ -~]{220}$/);
      expect(columns(line, 1, 21)).toBe('000515CUOTAS    00000');
      expect(columns(line, 22, 28)).toBe(account.slice(0, 7));
      expect(columns(line, 29, 29)).toMatch(account.startsWith('285') ? /[ 34]/ : / /);
      expect(columns(line, 30, 44)).toBe(`0${account.slice(8)}`);
      expect(columns(line, 45, 66)).toBe(`${zeros(mandateId, 15)}       `);
      expect(columns(line, 67, 81)).toBe(`${zeros(run.request_id, 14)}${run.no}`);
      expect(columns(line, 82, 87).trim()).toBe('');
      expect(columns(line, 88, 95)).toBe(compact(run.run_on));
      expect(columns(line, 96, 98)).toBe('080');
      expect(columns(line, 99, 111)).toBe(zeros(run.amount, 13));
      expect(columns(line, 112, 152)).toBe(zeros(0, 41));
      expect(columns(line, 153, 219).trim()).toBe('');
      expect(columns(line, 220, 220)).toBe('0');
      const read = order.decode(line);
      expect(read.ok && order.encode(read.values)).toBe(line);
      expect(read).toMatchObject({ ok: true, values: { account: account } });
    }),
    seed,
  );
});

test('sets the account type for the bank’s own accounts', () => {
  const [sample] = fc.sample(bankSubmissions, { seed: 1, numRuns: 1 });
  if (!sample) throw new Error('no sample');
  const typeOf = (cbu: string) =>
    columns(directDebit220.createWriter(terms, presentation(1)).line({ ...sample, cbu }), 29, 29);
  expect([typeOf(otherCbu), typeOf(someCbu)]).toEqual(['4', ' ']);
});

test('refuses oversized amounts and sums', () => {
  const [sample] = fc.sample(bankSubmissions, { seed: 1, numRuns: 1 });
  if (!sample) throw new Error('no sample');
  const write = (amount: number) => {
    const writer = directDebit220.createWriter(terms, presentation(1));
    return writer.line({ ...sample, run: { ...sample.run, amount: centavos(amount) } });
  };
  expect(columns(write(9_999_999_999_999), 99, 111)).toBe('9'.repeat(13));
  expect(() => write(10_000_000_000_000)).toThrow(/^amount: .* does not fit/);
  const writer = directDebit220.createWriter(terms, presentation(2));
  writer.line(sample);
  expect(() => writer.tail()).toThrow('a different sum than the lines');
});

const done: MacroAnswer = {
  customer: '000000000000007',
  reference: '000000000012341',
  due: compact(today.subtract({ days: 1 })),
  amount: 143_050,
};
const item = (over: object) => ({
  reference: '000000000012341',
  mandate: '000000000000007',
  amount: 143_050,
  replacement: null,
  ...over,
});
const date = compact(today);
const read = (items: MacroAnswer[]) => readAll(directDebit220Answers, macro220Lines(date, items));

describe('the bank’s answers', () => {
  test('reports payments with their amount', () => {
    const on = today.subtract({ days: 1 });
    expect(read([done, { ...done, debited: 100 }, { ...done, code: '0000', debited: 0 }])).toEqual([
      item({ news: { type: 'paid', amount: 143_050, on } }),
      item({ news: { type: 'paid', amount: 100, on } }),
      item({ news: { type: 'paid', amount: 143_050, on } }),
    ]);
  });

  test.each([
    ['R10', 'R10'],
    ['10', 'R10'],
    ['0010', 'R10'],
    ['002', 'R02'],
  ])('maps the bank’s code %s to the clearing code %s', (told, code) => {
    const [one] = read([{ ...done, code: told }]);
    expect(one?.news).toMatchObject({ type: 'rejected', code, on: today });
  });

  test('reports replaced accounts', () => {
    const [one] = read([{ ...done, cbu: otherCbu, newCbu: '2850001000000123456784' }]);
    expect(one?.replacement).toEqual({ type: 'cbu', cbu: '2850001000000123456784' });
  });
});

test('treats an unknown reject code as unclear, and passes on an invalid account unchanged', () => {
  const lines = macro220Lines(date, [{ ...done, code: 'X1', newCbu: someCbu }]);
  const [one] = readAll(
    directDebit220Answers,
    lines.map((line) => put(line, 133, 'XXXX')),
  );
  expect(one?.news).toEqual({ type: 'unclear', comment: 'Unknown reject code X1.' });
  expect(one?.replacement).toMatchObject({ type: 'cbu', cbu: expect.stringMatching(/^XXXX/) });
});

type Change = (lines: string[]) => string[];
const over =
  (no: number, column: number, text: string): Change =>
  (lines) =>
    lines.map((line, index) => (index === no - 1 ? put(line, column, text) : line));

const bad: [what: string, change: Change, message: RegExp][] = [
  ['of another company', over(1, 2, '00999'), /line 1 2-6 agreement: "00999", not 00515/],
  ['of another service', over(1, 7, 'OTRO'), /line 1 7-16 service: "OTRO {6}"/],
  ['with a line of another company', over(3, 2, '00999'), /line 3 2-6 agreement: "00999"/],
  ['of the collector', over(1, 51, '01'), /line 1 51-52 movement: "01", not `03`/],
  ['dated tomorrow', over(1, 22, '20261121'), /line 1 22-29 date: .* not a day up to today/],
  ['in dollars', over(1, 48, '002'), /line 1 48-50 currency: "002", not `080`/],
  [
    'that is cut short',
    (lines) => lines.slice(0, -1),
    /line 3 .*the end, after amounts of 1430.50", not amounts of 1432.50/,
  ],
  [
    'that is cut within a line',
    (lines) => [...lines.slice(0, 2), lines[2]?.slice(0, 100) ?? ''],
    /line 3 .*"100 characters"/,
  ],
  ['that has a line twice', (lines) => [...lines, lines[1] ?? ''], /line 5 .*2863.00/],
  ['whose total is wrong', over(1, 30, zeros(5, 18)), /line 4 .*amounts of 0.05, the total/],
  ['without its header', (lines) => lines.slice(1), /line 1 .*not the header first/],
  ['that is empty', () => [], /line 1 .*the end of the file.*not the header/],
  ['with two headers', (lines) => [lines[0] ?? '', ...lines], /line 2 .*not one header only/],
  ['with a letter in an amount', over(2, 100, 'O'), /line 2 99-111 amount/],
  ['with an amount of zero', over(2, 99, zeros(0, 13)), /line 2 99-111 amount: .* above zero/],
  ['due tomorrow and paid', over(2, 88, '20261121'), /line 2 88-95 due: .*up to today/],
  ['paid on a blank day', over(2, 88, '        '), /line 2 88-95 due: .*the day of the debit/],
];

describe('the file of the bank’s answers', () => {
  const good = () => macro220Lines(date, [done, { ...done, code: 'R10', amount: 200 }]);

  test('accepts a correct file', () => {
    expect(readAll(directDebit220Answers, good())).toHaveLength(2);
  });

  test.each(bad)('refuses a file %s', (_what, change, message) => {
    expect(() => readAll(directDebit220Answers, change(good()))).toThrow(message);
  });
});
