import fc from 'fast-check';
import { centavos } from '../../src/kernel/money.ts';
import type {
  BankSubmission,
  CardSubmission,
  DebitItem,
  DebitRailTerms,
  InboundDebits,
} from '../../src/rails/debits/debit.ts';
import { LineFault } from '../../src/rails/files/fault.ts';

export const today = Temporal.PlainDate.from('2026-11-20');

export const railTerms: DebitRailTerms = {
  directDebitService: '0515',
  macroAgreement: '00515',
  macroService: '',
  visaEstablishment: '0000000515',
  visaDebitEstablishment: '0000000515',
  mastercardEstablishment: '0000000515',
  visaDebitPrefixes: ['451772'],
  exchangeBrands: [],
  today,
};

export const compact = (day: Temporal.PlainDate): string => day.toString().replaceAll('-', '');

const digitsOf = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789'), { minLength: length, maxLength: length })
    .map((all) => all.join(''));

const weighed = (digits: string, weights: number[]): string => {
  const sum = weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
  return String((10 - (sum % 10)) % 10);
};

/** Generates CBUs of any bank, branch and account, with independently computed check digits. */
export const anyCbu = fc
  .tuple(fc.integer({ min: 1, max: 999 }), digitsOf(4), digitsOf(13))
  .map(([bank, branch, account]) => {
    const first = `${String(bank).padStart(3, '0')}${branch}`;
    const head = first + weighed(first, [7, 1, 3, 9, 7, 1, 3]);
    return head + account + weighed(account, [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3]);
  });

const anyDay = fc
  .integer({ min: 0, max: 20_000 })
  .map((days) => new Temporal.PlainDate(2026, 1, 1).add({ days }));

const run = fc.record({
  account_id: fc.constant('A1B2C3D4'),
  request_id: fc.integer({ min: 1, max: 99_999_999_999_999 }),
  no: fc.constantFrom(1 as const, 2 as const),
  run_on: anyDay,
  amount: fc.integer({ min: 1, max: 9_999_999_999 }).map(centavos),
});

const people = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.constantFrom('Cuota Ñandú, año 2026 — María José Güiraldes y compañía del Sur', 'Cuota', ''),
);

const mandateId = fc.integer({ min: 1, max: 999_999_999_999_999 });

export const bankSubmissions: fc.Arbitrary<BankSubmission> = fc.record({
  run,
  mandateId,
  description: people,
  cbu: anyCbu,
  shortDescription: people,
  document: fc.constantFrom('30692264785', '7654321'),
});

export const cardSubmissions: fc.Arbitrary<CardSubmission> = fc.record({
  run,
  mandateId,
  description: people,
  number: fc.oneof(
    digitsOf(15).map((digits) => `4${digits}`),
    fc.constant('4507990000004'),
  ),
});

/** Reads all lines of a file; errors name the line. */
export function readAll(rail: InboundDebits, lines: string[], terms = railTerms): DebitItem[] {
  const reader = rail.createReader(terms);
  let no = 0;
  try {
    const items = lines.map((line) => {
      no += 1;
      return reader.read(line);
    });
    no += 1;
    reader.end();
    return items.filter((item) => item !== null);
  } catch (error) {
    if (!(error instanceof LineFault)) throw error;
    const { field, from, to, found, expected } = error.fault;
    throw new Error(`line ${no} ${from}-${to} ${field}: ${JSON.stringify(found)}, not ${expected}`);
  }
}

export const put = (line: string, column: number, text: string): string =>
  line.slice(0, column - 1) + text + line.slice(column - 1 + text.length);

/** Returns columns of a line, counted from 1, both inclusive. */
export const columns = (line: string, from: number, to: number): string => line.slice(from - 1, to);
