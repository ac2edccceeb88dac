import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type DebitOffice,
  openDebitOffice,
  referenceOf,
} from '../harness/builders/debit-office.ts';
import { signedCardAdhesion } from '../harness/builders/mandates.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

const amex = '373953192351004';
let service: TestService;
let office: DebitOffice;
beforeAll(async () => {
  service = await startService(withoutWorker);
  office = await openDebitOffice(service);
});
afterAll(async () => {
  expect(await office.faults()).toEqual([]);
  await office.close();
  await service.stop();
});

const terms = { exchangeBrands: ['amex', 'cabal'] as const };

test.each(['csv', 'json'])('exports, imports and settles an exchange in %s', async (kind) => {
  const mandate = await signedCardAdhesion(service, { card_number: amex });
  const paid = await office.cardDebit(mandate, {
    amount: 1430.5,
    description: '=HYPERLINK("x"),ñ',
  });
  const poor = await office.cardDebit(mandate, { amount: 10 });
  const visa = await office.cardDebit(await signedCardAdhesion(service));
  await office.handOver();
  const over = { terms: { exchangeBrands: [...terms.exchangeBrands] } };
  const { files, leftOut } = await office.export(`cards-${kind}`, over);
  expect(leftOut).toEqual([]);
  const lines = await office.read(files[0]?.path ?? '');
  const rows =
    kind === 'csv'
      ? lines.slice(1).map((line) => {
          const names = (lines[0] ?? '').split(',');
          return Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell]));
        })
      : lines.map((line) => JSON.parse(line));
  expect(rows).toMatchObject([
    {
      reference: referenceOf(paid),
      brand: 'amex',
      card_number: amex,
      amount: '1430.50',
      currency: 'ARS',
      description: 'HYPERLINK x n',
    },
    { reference: referenceOf(poor), amount: '10.00' },
  ]);
  expect(lines.join()).not.toContain(referenceOf(visa));
  const today = office.today().toString();
  const answers = [
    [referenceOf(paid), 'paid', '1430.50', today, '', '', ''],
    [referenceOf(poor), 'rejected', '10.00', today, '51', 'Sin fondos', ''],
  ];
  const names = ['reference', 'outcome', 'amount', 'date', 'code', 'text', 'new_card_number'];
  const file = await office.write(
    kind === 'csv'
      ? [names.join(','), ...answers.map((one) => one.join(','))]
      : answers.map((one) =>
          JSON.stringify(Object.fromEntries(one.map((v, at) => [names[at], v]))),
        ),
  );
  const rail = `cards-${kind}-answers`;
  const told = await office.import(rail, file);
  expect(told.summary).toMatchObject({ lines: 2, paid: 1, rejected: 1 });
  expect((await office.show('card-debit-request', paid)).state).toBe('paid');
  expect(await office.show('card-debit-request', poor)).toMatchObject({
    state: 'rejected',
    state_comment: '51: Sin fondos',
  });
  expect((await office.import(rail, file)).outcome).toBe('known');
});

test.each([
  ['no columns', ['a,b'], 'line 1'],
  [
    'an unknown outcome',
    [1, 'maybe', '1.00', '2026-01-01', '', '', ''],
    'paid, rejected or reversed',
  ],
  ['a wrong amount', [1, 'paid', '1,5', '2026-01-01', '', '', ''], 'line 2'],
  ['a future day', [1, 'paid', '1.00', '2090-01-01', '', '', ''], 'a day up to today'],
  ['an impossible day', [1, 'paid', '1.00', '2026-02-30', '', '', ''], 'yyyy-mm-dd'],
  ['a rejection without a code', [1, 'rejected', '1.00', '2026-01-01', '', '', ''], 'the code'],
  ['no lines', [], 'a line with an answer'],
])('changes nothing for an answer with %s', async (_what, cells, expected) => {
  const names = 'reference,outcome,amount,date,code,text,new_card_number';
  const [first, ...rest] = cells;
  const line = first === 1 ? ['000000000012341', ...rest].join(',') : String(first ?? '');
  const lines = first === 'a,b' ? ['a,b'] : [names, ...(line === '' ? [] : [line])];
  const before = await office.counts();
  const file = await office.write(lines);
  await expect(office.import('cards-csv-answers', file)).rejects.toThrow(expected);
  expect(await office.counts()).toEqual(before);
});

test('imports an answer whose words have a NUL or half an emoji', async () => {
  const mandate = await signedCardAdhesion(service, { card_number: amex });
  const [poor, paid] = [
    await office.cardDebit(mandate, { amount: 10 }),
    await office.cardDebit(mandate, { amount: 11 }),
  ];
  await office.handOver();
  const over = { terms: { exchangeBrands: [...terms.exchangeBrands] } };
  await office.export('cards-json', over);
  const date = office.today().toString();
  const answer = (id: number, more: object) =>
    JSON.stringify({ reference: referenceOf(id), date, code: '', ...more });
  const words = 'Sin\0 fondos \ud83d';
  const file = await office.write([
    answer(poor, { outcome: 'rejected', amount: '10.00', code: '51', text: words }),
    answer(paid, { outcome: 'paid', amount: '11.00', code: words }),
  ]);
  const { summary } = await office.import('cards-json-answers', file);
  expect(summary).toMatchObject({ lines: 2, rejected: 1 });
  expect(await office.show('card-debit-request', poor)).toMatchObject({
    state_comment: '51: Sin? fondos ?',
  });
});
