import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import type { FixedRecord, Layout } from '../../src/kernel/fixed-width.ts';
import * as cards from '../../src/rails/debits/card-debit/layout.ts';
import { ldebliqd, rdebliqc } from '../../src/rails/debits/card-debit/read.ts';
import * as macro from '../../src/rails/debits/direct-debit-220/layout.ts';
import { directDebit220Answers } from '../../src/rails/debits/direct-debit-220/read.ts';
import * as bank from '../../src/rails/debits/direct-debit-350/layout.ts';
import { directDebit350Answers } from '../../src/rails/debits/direct-debit-350/read.ts';
import { LineFault } from '../../src/rails/files/fault.ts';
import type { LineReader } from '../../src/rails/files/format.ts';
import { inboundRails, type RailTerms } from '../../src/rails/index.ts';
import * as link from '../../src/rails/payments/link-extract/layout.ts';
import { linkRefresh } from '../../src/rails/payments/link-refresh/write.ts';
import * as pagoFacil from '../../src/rails/payments/pago-facil/layout.ts';
import * as pmc from '../../src/rails/payments/pmc-cob/layout.ts';
import * as rapipago from '../../src/rails/payments/rapipago/layout.ts';
import { bank350Lines, credit300Lines, debit150Lines, macro220Lines } from './debit-files.ts';
import { compact, put, railTerms, today } from './debit-samples.ts';
import { linkLines, pagoFacilLines, pmcLines, rapipagoLines } from './files.ts';

/**
 * Checks that only the columns listed here can stop a file, and that every other column of every
 * record accepts any byte.
 */

interface Record {
  /** Index of its line in the file. */
  at: number;
  record: FixedRecord<Layout>;
  /** Columns that decide the file's owner, its totals or the meaning of a line. */
  decide: readonly string[];
  /** Columns that affect only this line. */
  say?: readonly string[];
}

interface Rail {
  name: string;
  lines: string[];
  reader: () => LineReader<unknown>;
  records: readonly Record[];
}

const date = compact(today);
const paymentTerms: RailTerms = {
  pagoFacilClient: '000000515',
  rapipagoCompany: 'RECAUDO',
  pmcCompany: '0515',
  linkEntity: '515',
  takesCash: true,
  today,
};
const payment = (name: string) => () => {
  const rail = inboundRails.find((one) => one.name === name);
  if (!rail) throw new Error(`no rail ${name}`);
  return rail.createReader(paymentTerms);
};
const paid = [{ code: '123456789012', amount: 143_050, paidOn: date }];
const reference = '000000000012341';
const debit = { reference, amount: 143_050 };
const card = { ...debit, card: '4507990000004905' };
const sums = ['type', 'count', 'total'];

const rails: readonly Rail[] = [
  {
    name: 'pago-facil',
    lines: pagoFacilLines(date, paid),
    reader: payment('pago-facil'),
    records: [
      { at: 0, record: pagoFacil.fileHeader, decide: ['type', 'date', 'client'] },
      { at: 1, record: pagoFacil.batchHeader, decide: ['type', 'batch'] },
      {
        at: 2,
        record: pagoFacil.payment,
        decide: ['type', 'sequence', 'amount', 'paid_on', 'paid_at'],
      },
      { at: 3, record: pagoFacil.barcode, decide: ['type'], say: ['barcode'] },
      { at: 4, record: pagoFacil.instrument, decide: ['type'] },
      { at: 5, record: pagoFacil.batchTrailer, decide: [...sums, 'batch'] },
      { at: 6, record: pagoFacil.fileTrailer, decide: [...sums, 'batches'] },
    ],
  },
  {
    name: 'rapipago',
    lines: rapipagoLines(date, paid),
    reader: payment('rapipago'),
    records: [
      { at: 0, record: rapipago.header, decide: ['mark', 'company', 'date', 'content'] },
      { at: 1, record: rapipago.detail, decide: ['paid_on', 'amount'], say: ['barcode'] },
      { at: 2, record: rapipago.trailer, decide: ['mark', 'count', 'total'] },
    ],
  },
  {
    name: 'pmc',
    lines: pmcLines(date, paid),
    reader: payment('pmc'),
    records: [
      { at: 0, record: pmc.header, decide: ['type', 'network', 'company', 'date'] },
      {
        at: 1,
        record: pmc.detail,
        decide: ['type', 'currency', 'paid_on', 'amount', 'credited_on'],
        say: ['reference'],
      },
      { at: 2, record: pmc.trailer, decide: [...sums, 'network', 'company', 'date'] },
    ],
  },
  {
    name: 'link',
    lines: linkLines(date, paid),
    reader: payment('link'),
    records: [
      { at: 0, record: link.header, decide: ['type', 'entity', 'date'] },
      { at: 1, record: link.detail, decide: ['type', 'amount', 'paid_on'], say: ['user'] },
      { at: 2, record: link.trailer, decide: sums },
    ],
  },
  {
    name: 'direct-debit-350',
    lines: bank350Lines(date, [debit]),
    reader: () => directDebit350Answers.createReader(railTerms),
    records: [
      {
        at: 0,
        record: bank.answerHeader,
        decide: [...sums, 'service', 'kind', 'date', 'origin'],
      },
      {
        at: 1,
        record: bank.answer,
        decide: ['type', 'amount', 'currency', 'collected_on', 'collected'],
        say: ['customer', 'reference', 'reject_code', 'new_cbu'],
      },
      {
        at: 2,
        record: bank.answerTrailer,
        decide: [...sums, 'service', 'kind', 'date', 'origin'],
      },
    ],
  },
  {
    name: 'direct-debit-220',
    lines: macro220Lines(date, [{ ...debit, due: date }]),
    reader: () => directDebit220Answers.createReader(railTerms),
    records: [
      {
        at: 0,
        record: macro.answerHeader,
        decide: ['type', 'agreement', 'service', 'date', 'total', 'currency', 'movement'],
      },
      {
        at: 1,
        record: macro.answer,
        decide: ['type', 'agreement', 'service', 'due', 'currency', 'amount', 'debited'],
        say: ['customer', 'reference', 'reject_code', 'new_account'],
      },
    ],
  },
  {
    name: 'rdebliqc',
    lines: credit300Lines(date, [card]),
    reader: () => rdebliqc.createReader(railTerms),
    records: [
      {
        at: 0,
        record: cards.answerHeader(300, 'RDEBLIQC'),
        decide: ['type', 'name', 'processor', 'establishment', 'date', 'end'],
      },
      {
        at: 1,
        record: cards.creditAnswer,
        decide: [
          ...['type', 'transaction', 'establishment', 'amount', 'answered_on', 'paid_on', 'end'],
        ],
        say: [
          ...['reference', 'decision', 'code', 'description', 'second_code'],
          ...['second_description', 'new_card'],
        ],
      },
      {
        at: 2,
        record: cards.answerTrailer(300, 'RDEBLIQC'),
        decide: [...sums, 'name', 'processor', 'establishment', 'date', 'end'],
      },
    ],
  },
  {
    name: 'ldebliqd',
    lines: debit150Lines(date, [card]),
    reader: () => ldebliqd.createReader(railTerms),
    records: [
      {
        at: 0,
        record: cards.answerHeader(150, 'LDEBLIQD'),
        decide: ['type', 'name', 'processor', 'establishment', 'date', 'end'],
      },
      {
        at: 1,
        record: cards.debitAnswer,
        decide: ['type', 'transaction', 'amount', 'end'],
        say: ['reference', 'code', 'description'],
      },
      {
        at: 2,
        record: cards.answerTrailer(150, 'LDEBLIQD'),
        decide: [...sums, 'name', 'processor', 'establishment', 'date', 'end'],
      },
    ],
  },
];

/** Reads a file. Returns null if a line stops the reader. */
function told({ reader }: Rail, lines: string[]): string | null {
  const open = reader();
  try {
    const items = lines.map((line) => open.read(line)).filter((one) => one !== null);
    open.end();
    return JSON.stringify(items);
  } catch (error) {
    if (!(error instanceof LineFault)) throw error;
    return null;
  }
}

/** Bytes that trouble readers: control characters, DOS code pages, UTF-8, letters among digits. */
const fills = ['\x01', '\x82', '\xc3\x91', '~', ' '];

describe.each(rails.map((rail) => [rail.name, rail] as const))('%s', (_name, rail) => {
  const good = told(rail, rail.lines);

  test('has a readable sample', () => {
    expect(good).not.toBeNull();
  });

  test.each(
    rail.records.flatMap(({ at, record, decide, say = [] }) =>
      record.fields.map(({ name, from, to }) => ({ at, name, from, to, decide, say })),
    ),
  )(
    'tolerates any byte in line $at, columns $from-$to ($name), unless listed',
    ({ at, name, from, to, decide, say }) => {
      const results = fills.map((fill) => {
        const text = fill.repeat(to - from + 1).slice(0, to - from + 1);
        return told(
          rail,
          rail.lines.map((line, index) => (index === at ? put(line, from, text) : line)),
        );
      });
      if (decide.includes(name)) expect(results).toContain(null);
      else if (say.includes(name)) expect(results).not.toContain(null);
      else expect(new Set(results)).toEqual(new Set([good]));
    },
  );

  test('reads the same without trailing blanks', () => {
    const ending = rail.lines.map((line) => line.replace(/ +$/, ''));
    expect(told(rail, ending)).toBe(good);
  });
});

test('accepts a network’s label in any case, and the collector’s name in any encoding', () => {
  const lines = rapipagoLines(date, paid, { company: 'CA\xa5UELAS S.A.' });
  const own = { ...paymentTerms, rapipagoCompany: 'Cañuelas SA' };
  const rail = inboundRails.find(({ name }) => name === 'rapipago');
  const [header = ''] = lines;
  const read = (head: string) =>
    told({ name: '', lines, records: [], reader: () => rail?.createReader(own) as never }, [
      head,
      ...lines.slice(1),
    ]);
  for (const head of [
    header,
    header.replace('COBRANZAS   RAPIPAGO', 'Cobranzas Rapipago  '),
    header.replace('\xa5', '\xd1'),
    Buffer.from(header.replace('\xa5', 'Ñ')).toString('latin1'),
  ]) {
    expect(read(head)).not.toBeNull();
  }
  expect(read(header.replace('CA\xa5UELAS', 'OTRA    '))).toBeNull();
});

test('accepts letters in codes that networks assign', () => {
  const config = readConfig({
    LINK_ENTITY: 'ac8',
    PMC_COMPANY: 'B515',
    DIRECT_DEBIT_SERVICE: 'C51D',
  });
  expect(config).toMatchObject({
    LINK_ENTITY: 'AC8',
    PMC_COMPANY: 'B515',
    DIRECT_DEBIT_SERVICE: 'C51D',
  });
  const terms = { ...paymentTerms, linkEntity: config.LINK_ENTITY };
  const extract = inboundRails.find(({ name }) => name === 'link');
  const reader = () => extract?.createReader(terms) as never;
  const read = (entity: string) =>
    told({ name: '', lines: [], records: [], reader }, linkLines(date, paid, { entity }));
  expect(read('AC8')).not.toBeNull();
  expect(read('515')).toBeNull();

  const refresh = linkRefresh.createWriter(terms, today, 1);
  expect(refresh.name).toMatch(/^PAC8/);
  expect(refresh.head()).toContain('AC8');
  refresh.tail();
  const control = refresh.companion();
  expect(control?.name).toMatch(/^CAC8/);
  expect(control?.lines[0]).toContain('AC8');
});
