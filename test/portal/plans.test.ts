import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  findDebitsByWords,
  mostCounted,
  readDayTotals,
  readRunDays,
} from '../../src/debit-requests/index.ts';
import { searchWordsOf } from '../../src/kernel/search-words.ts';
import { findMandatesByWords, firstPlace } from '../../src/mandates/index.ts';
import { paidThrough, readDailyTotals, readToCome } from '../../src/money/collections/index.ts';
import { holderBalances, readMovements } from '../../src/money/ledger/index.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import { findNewestQrs } from '../../src/qr/http.ts';
import type { QrState } from '../../src/qr/index.ts';
import { readAllPeriodTotals, readReportRows } from '../../src/reports/index.ts';
import {
  findRequestsByWords,
  listRequests,
  noFilters,
  type RequestFilters,
  type RequestOrder,
  totalOfRequests,
} from '../../src/requests/index.ts';
import { createTestDatabase } from '../harness/database.ts';
import { openExplained } from '../harness/plans.ts';
import { keepStates } from '../harness/request-states.ts';

/**
 * Checks that the reads of each statement of the portal's pages do not grow with the stored rows.
 */

const account = 'A0000001';
const requests = 60_000;
const today = Temporal.PlainDate.from('2026-11-22');
const manyOn = Temporal.PlainDate.from('2027-01-15');
/** A page of 50 rows with look-ups reads fewer blocks; a scan of the table reads more. */
const mostBlocks = 1_000;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let explained: Awaited<ReturnType<typeof openExplained>>;

/** Inserts requests with their words. Half are payment requests; half of those are pending. */
async function fillRequests(sql: Sql): Promise<void> {
  await sql`
    insert into requests (account_id, id, kind, state, version, created_at, reference, payer,
      description, due1, total1, last_due, details, place)
    select ${account}, id, kind,
      case when id % 2 = 1 or kind <> 'payment_request' then 'pending'
        when id < 200 then 'refunded' else 'paid' end,
      1, timestamptz '2026-01-01' + id * interval '7 minutes', 'ref-' || id, 'Socia' || id * 7919 % 1000,
      'Cuota', date '2026-01-05' + (id * 300 / ${requests})::int, 100 + id % 977,
      date '2026-12-31', '{}', id
    from generate_series(1, ${requests}::bigint) as id,
      lateral (select (array['payment_request', 'payment_request', 'debit_request', 'qr'])[1 + id / 2 % 4])
        as kinds (kind)`;
  await keepStates(sql);
  await sql`
    insert into request_words (account_id, kind, id, words)
    select account_id, kind, id, array_to_tsvector(array[account_id || lower(payer),
      account_id || 'cuota', account_id || 'ref', account_id || id])
    from requests`;
}

async function fillMoney(sql: Sql): Promise<void> {
  await sql`
    insert into results (account_id, id, request_id, kind, type, channel, channel_label, amount,
      paid_at, informed_at, informed_on, available_on, released_on, source, source_ref, payer,
      description, details)
    select account_id, id, id, kind, 'collected',
      (array['credit_card', 'wire_transfer', 'non_banking'])[1 + id / 2 % 3], 'x', total1,
      created_at, created_at, created_at::date, created_at::date + 2,
      case when id < ${requests - 1_000} then created_at::date + 2 end, 'x', id::text, payer, 'x', '{}'
    from requests where state = 'paid'`;
  await sql`
    insert into journals (account_id, id, kind, result_id, request_id, at, on_date, accounts, amounts)
    select account_id, id * 2 + step, entry, id, request_id, informed_at, informed_on + step, accounts,
      array[amount, -amount]
    from results, (values (0, 'collection', '{107,1}'::smallint[]), (1, 'release', '{1,2}'))
      as steps (step, entry, accounts)`;
  await sql`
    insert into daily_totals
    select account_id, informed_on, channel, type, count(*), sum(amount), 0, 0, 0
    from results group by 1, 2, 3, 4`;
  await sql`
    insert into ledger_days
    select account_id, account, on_date, kind, count(*), sum(abs(amount)), 0, 0
    from journals, unnest(accounts, amounts) as line (account, amount) group by 1, 2, 3, 4`;
}

async function fillMandates(sql: Sql): Promise<void> {
  await sql`
    insert into mandates (account_id, kind, id, state, version, created_at, sign_before, holder,
      email, description, payer, cbu, details, place)
    select ${account}, 'adhesion', id, 'signed', 2, '2026-01-01', '2026-01-01', 'Ana Pérez' || id,
      'ana@example.com', 'Cuota', 'Socia' || id % 1000, '0110599500000123456784', '{}', 0
    from generate_series(1, 20000) as id`;
  await sql`
    insert into debit_runs (account_id, request_id, no, kind, submit_on, run_on, amount, state)
    select account_id, id, 1, kind, due1, due1, total1, 'submitted'
    from requests where kind = 'debit_request'`;
  // A second run of every debit, all on one day.
  await sql`
    insert into debit_runs (account_id, request_id, no, kind, submit_on, run_on, amount, state)
    select account_id, id, 2, kind, ${manyOn}::date, ${manyOn}::date, total1, 'waiting'
    from requests where kind = 'debit_request'`;
}

beforeAll(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  await doing('command', async () => {
    await fillRequests(sql);
    await fillMoney(sql);
    await fillMandates(sql);
    await sql`vacuum analyze`;
  });
  explained = await openExplained(database);
}, 120_000);
afterAll(async () => {
  await explained?.close();
  await database?.drop();
});

const byAmount: RequestOrder = { by: 'total1', descending: true };
const byDay: RequestOrder = { by: 'due1', descending: false };
const paidBy = (channel: 'credit_card') => (sql: Sql) =>
  paidThrough(sql, { accountId: account, kind: 'payment_request', channel });

const ordered =
  (order: RequestOrder, filters: Partial<RequestFilters> = {}, text = '') =>
  (sql: Sql) =>
    findRequestsByWords(sql, {
      accountId: account,
      kind: 'payment_request',
      text,
      filters: { ...noFilters, ...filters },
      order,
      before: requests / 2,
      limit: 26,
      today,
    });

const total =
  (text: string, filters: Partial<RequestFilters> = {}, channel?: 'credit_card') =>
  (sql: Sql) =>
    totalOfRequests(sql, {
      accountId: account,
      kind: 'payment_request',
      text,
      filters: { ...noFilters, ...filters },
      named: channel ? paidBy(channel)(sql) : null,
      today,
    });

const found =
  (text: string, filters: Partial<RequestFilters> = {}, before: number | null = null) =>
  (sql: Sql) =>
    findRequestsByWords(sql, {
      accountId: account,
      kind: 'payment_request',
      text,
      filters: { ...noFilters, ...filters },
      before,
      limit: 26,
      today,
    });

const business = { today: () => today } as never;
const year = { from: today.subtract({ years: 1 }), to: today };
const mandates = (text: string, state: 'signed' | null) => (sql: Sql) =>
  findMandatesByWords(sql, {
    accountId: account,
    kinds: ['adhesion', 'card_adhesion'],
    text,
    state,
    behind: firstPlace,
    limit: 50,
  });
const debits = (text: string) => (sql: Sql) =>
  findDebitsByWords(
    { sql, clocks: { business } as never },
    {
      accountId: account,
      kinds: ['debit_request', 'card_debit_request'],
      text,
      state: null,
      day: null,
      before: null,
      limit: 51,
    },
  );
const qrs = (text: string, state: QrState | null) => (sql: Sql) =>
  findNewestQrs(
    { sql, clocks: { business } as never },
    { accountId: account, text, state, behind: null, limit: 50 },
  );
const movements = (figure: 'available' | 'unavailable') => (sql: Sql) =>
  readMovements(sql, account, figure, { behind: null, limit: 51 });

const pages: Readonly<Record<string, (sql: Sql) => Promise<unknown>>> = {
  'payment requests': found(''),
  'payment requests further on': found('', {}, requests / 2),
  'payment requests in a state': found('', { state: 'paid' }),
  'payment requests in a rare state': found('', { state: 'refunded' }),
  'payment requests in a rare state, due in a range of days': found('', {
    state: 'refunded',
    dueFrom: today.subtract({ days: 300 }),
  }),
  'payment requests that expired': found('', { state: 'expired' }),
  'the API’s list of a rare state': (sql) =>
    listRequests(
      sql,
      account,
      'payment_request',
      { ...noFilters, state: 'refunded' },
      { today, limit: 50, from: { offset: 0 } },
    ),
  'payment requests in a range of amounts': found('', { totalFrom: 500 as never }),
  'payment requests due in a range of days': found('', { dueFrom: today.subtract({ days: 60 }) }),
  'a search that matches all': found('cuota'),
  'a search that matches few': found('cuota socia77'),
  'a search that matches one': found(`ref ${searchWordsOf(String(requests - 5))[0]}`),
  'a search that matches none': found('nadie'),
  'a search in a state': found('socia7', { state: 'paid' }),
  'a search that matches all, in a rare state': found('cuota', { state: 'refunded' }),
  'payment requests that a channel paid': (sql) =>
    findRequestsByWords(sql, {
      accountId: account,
      kind: 'payment_request',
      text: '',
      filters: noFilters,
      named: paidBy('credit_card')(sql),
      before: null,
      limit: 26,
      today,
    }),
  'overdue requests': found('', { overdue: true }),
  'requests by amount': ordered(byAmount),
  'requests by day, oldest first': ordered(byDay),
  'requests in a state by amount': ordered(byAmount, { state: 'paid' }),
  'requests in a rare state by amount': ordered(byAmount, { state: 'refunded' }),
  'overdue requests by day': ordered(byDay, { overdue: true }),
  debits: debits(''),
  'a search for debits': debits('socia7'),
  mandates: mandates('', null),
  'mandates in a state': mandates('', 'signed'),
  'a search for mandates': mandates('socia7', null),
  QRs: qrs('', null),
  'QRs in a state that none has': qrs('', 'deleted'),
  'a search that matches all QRs': qrs('cuota', null),
  'a search that matches few QRs': qrs('cuota socia77', null),
  'a search that matches no QRs': qrs('nadie', null),
  'a search for QRs in a state that none has': qrs('socia7', 'deleted'),
  'the home page': async (sql) => {
    await readDailyTotals(sql, account, { from: today.subtract({ days: 60 }), to: today });
    await readToCome(sql, account);
    await holderBalances(sql, account);
  },
  'available money': movements('available'),
  'pending money': movements('unavailable'),
  'the reports of a year': (sql) => readAllPeriodTotals(sql, { accountId: account, ...year }),
  'the rows of a report': (sql) =>
    readReportRows(
      sql,
      'collection',
      { accountId: account, days: [today, today.subtract({ days: 1 })] },
      { behind: null, limit: 51 },
    ),
};

test('uses the index for two words that are rare only in combination', async () => {
  const search = found('socia7 1');
  const ran = await explained.statementsOf(search);
  expect(await search(database.sql)).toHaveLength(26);
  const asking = ran.filter(({ text }) => text.includes('words @@'));
  // The rows with the rarer word alone occupy more pages than that.
  expect(asking.map(({ blocks }) => blocks < 400)).toEqual([true]);
});

const debitsOf = (day: Temporal.PlainDate, text: string) => (sql: Sql) =>
  findDebitsByWords(
    { sql, clocks: { business } as never },
    {
      accountId: account,
      kinds: ['debit_request', 'card_debit_request'],
      text,
      state: null,
      day,
      before: null,
      limit: 51,
    },
  );

const dayPages: Readonly<Record<string, (sql: Sql) => Promise<unknown>>> = {
  'the days of debits': (sql) => readRunDays(sql, account, { before: null, limit: 15 }),
  'the days of debits further on': (sql) =>
    readRunDays(sql, account, { before: manyOn, limit: 15 }),
  'the totals of a day of many debits': (sql) => readDayTotals(sql, account, manyOn),
  'a day of many debits': debitsOf(manyOn, ''),
  'a search on a day of many debits': debitsOf(manyOn, 'socia7'),
  'a search on a day of few debits': debitsOf(Temporal.PlainDate.from('2026-02-02'), 'socia7'),
};

test.each(Object.entries(dayPages))(
  'reads at most two blocks per row that it may count for %s',
  async (_name, read) => {
    const ran = await explained.statementsOf(read);
    expect(ran.filter(({ blocks }) => blocks > mostCounted * 2)).toEqual([]);
    const rows = ran.map(({ blocks }) => blocks);
    expect(Math.max(...rows)).toBeGreaterThan(0);
  },
);

test('shows no total for a day with more debits than are counted, and still pages', async () => {
  const [days, later, totals] = [
    await readRunDays(database.sql, account, { before: null, limit: 15 }),
    await readRunDays(database.sql, account, { before: manyOn, limit: 15 }),
    await readDayTotals(database.sql, account, manyOn),
  ];
  expect(days.days.map(({ day, more }) => [day.toString(), more])).toEqual([
    [manyOn.toString(), true],
  ]);
  expect([days.more, totals]).toEqual([true, null]);
  expect(later.days).toHaveLength(15);
  expect(
    later.days.every(
      ({ more, runs, waiting, submitted, done }) => !more && runs === waiting + submitted + done,
    ),
  ).toBe(true);
});

const totals: Readonly<Record<string, (sql: Sql) => Promise<unknown>>> = {
  'all requests': total(''),
  'requests in a state': total('', { state: 'paid' }),
  'requests in a rare state': total('', { state: 'refunded' }),
  'expired requests': total('', { state: 'expired' }),
  'overdue requests': total('', { overdue: true }),
  'overdue requests of a month': total('', {
    overdue: true,
    dueFrom: today.subtract({ days: 50 }),
  }),
  'requests from 10.00 in a state': total('', { totalFrom: 1_000 as never, state: 'paid' }),
  'requests that a channel paid': total('', {}, 'credit_card'),
  'requests with a frequent word': total('cuota'),
  'requests with a rare word': total('cuota socia77'),
};

test.each(Object.entries(totals))(
  'reads a bounded number of blocks to add up %s',
  async (_name, read) => {
    const ran = await explained.statementsOf(read);
    expect(ran.filter(({ blocks }) => blocks > 2 * mostCounted)).toEqual([]);
  },
);

test('gives no total if there are more requests than it adds up', async () => {
  const { sql } = database;
  expect([await total('')(sql), await total('', { overdue: true })(sql)]).toEqual([null, null]);
  const [row] = await sql`
    select count(*)::int as count, sum(total1)::bigint as sum from requests
    where kind = 'payment_request' and state = 'refunded'`;
  expect(await total('', { state: 'refunded' })(sql)).toEqual(row);
});

test.each(Object.entries(pages))(
  'reads a bounded number of blocks in each statement for %s',
  async (_name, read) => {
    const ran = await explained.statementsOf(read);
    expect(ran.length).toBeGreaterThan(0);
    expect(ran.filter(({ blocks }) => blocks > mostBlocks)).toEqual([]);
  },
);
