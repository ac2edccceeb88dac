import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvCell } from '../../src/kernel/csv.ts';
import { formatFor } from '../../src/reports/formats.ts';
import { reportNames } from '../../src/reports/schema.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { store } from './rows.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService(withoutWorker);
});
afterAll(() => service.stop());

const read = (name: string, date: string, accept: string) =>
  service.call('GET', `/report/${name}/${date}`, { headers: { accept } });

const parsed = (text: string): Record<string, string>[] =>
  parse(text, { columns: true, record_delimiter: '\r\n' });

describe('the caller chooses the format', () => {
  test.each([
    ['text/csv', true],
    ['Text/CSV; charset=utf-8', true],
    ['text/csv, application/json;q=0.5', true],
    ['text/csv, */*', true],
    ['application/json;q=0.1,text/csv;q=0.2', true],
    ['application/json, text/csv', false],
    ['text/csv;q=0', false],
    ['text/csv;q=x', false],
    ['*/*', false],
    ['text/html', false],
    ['', false],
  ])('chooses the format by Accept: %s', (accept, isCsv) => {
    expect(formatFor(accept).contentType.startsWith('text/csv')).toBe(isCsv);
  });
});

test('returns a header row for an empty day, as a file named after report and day', async () => {
  for (const name of reportNames) {
    const { status, headers, text } = await read(name, '01-02-2003', 'text/csv');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="${name}-2003-02-01.csv"`,
    );
    expect(text).toMatch(/^[a-z_]+(,[a-z_]+)+\r\n$/);
  }
});

test('returns the rows of the JSON, with empty cells for omitted members', async () => {
  const day = '2003-02-03';
  await store(service.sql, { accountId: testAccount, day, from: 1_000 }, [
    { amount: 143_000, netFee: 3_575, feeIva: 751, reference: 'F-1' },
    { amount: 1, netFee: 0, feeIva: 0 },
    { amount: 9_999_999_999 },
  ]);
  const rows = parsed((await read('collection', day, 'text/csv')).text);
  const { data } = (await read('collection', day, 'application/json')).body;
  expect(rows.map((row) => row.amount_paid)).toEqual(['1430', '0.01', '99999999.99']);
  expect(rows.map((row) => row.external_reference)).toEqual(['F-1', '', '']);
  expect(rows).toEqual(
    data.map((item: Record<string, unknown>) =>
      Object.fromEntries(
        Object.keys(rows[0] ?? {}).map((name) => [name, String(item[name] ?? '')]),
      ),
    ),
  );
});

test('escapes with an apostrophe texts that a spreadsheet would execute, but not numbers', async () => {
  const day = '2003-02-04';
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '=HYPERLINK("http://x","y")'];
  await store(
    service.sql,
    { accountId: testAccount, day, from: 2_000 },
    formulas.map((text) => ({ payer: text, reference: text, description: text, label: text })),
  );
  const rows = parsed((await read('collection', day, 'text/csv')).text);
  for (const [index, formula] of formulas.entries()) {
    const { payer_name, external_reference, description, channel } = rows[index] ?? {};
    const cells = [payer_name, external_reference, description, channel];
    expect(cells).toEqual(cells.map(() => `'${formula.replace('\t', "\t'")}`));
  }
  const { data } = (await read('collection', day, '')).body;
  expect(data.map((item: { payer_name: string }) => item.payer_name)).toEqual(formulas);
  await service.sql`
    insert into withholdings (account_id, result_id, no, request_id, regime, jurisdiction, base,
      rate_ppm, amount, certificate, informed_on)
    select account_id, id, 1, request_id, 'SIRTAC', 'Chaco', -40000, 25000, -1000, 'c', informed_on
    from results where informed_on = ${day}::text::date limit 1`;
  const [line] = parsed((await read('retentions', day, 'text/csv')).text);
  expect(line).toMatchObject({ base: '-400', rate: '2.5', amount: '-10' });
});

test('preserves any text from the database, in both formats', async () => {
  // PostgreSQL text: no NUL and no lone surrogates.
  const text = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 8 }),
        fc.constantFrom(
          '\\',
          '\\N',
          '\\.',
          '\t',
          '\n',
          '\r\n',
          '"',
          ',',
          'ñ',
          '😀',
          "'",
          '\\t',
          '\x7f',
          '\v',
          '\b',
          '\f',
          '\x01',
          '\x1e',
          '\x1f',
        ),
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join(''))
    .filter((value) => !value.includes('\0'));
  let from = 10_000;
  let year = 1000;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 40 }),
      async (rows) => {
        year += 1;
        from += 100;
        const day = `${year}-02-05`;
        await store(
          service.sql,
          { accountId: testAccount, day, from },
          rows.map(([payer, reference]) => ({ payer, reference })),
        );
        const { data } = (await read('collection', day, '')).body;
        expect(
          data.map((item: Record<string, string>) => [item.payer_name, item.external_reference]),
        ).toEqual(rows);
        // Another test covers the escaping; only the round trip counts here.
        const safe = (value: string): string => parsed(`x\r\n${csvCell(value)}\r\n`)[0]?.x ?? '';
        const records = parsed((await read('collection', day, 'text/csv')).text);
        expect(records.map((item) => [item.payer_name, item.external_reference])).toEqual(
          rows.map((row) => row.map(safe)),
        );
      },
    ),
    { numRuns: 25, seed: 20261121 },
  );
});
