import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MandateKind } from '../../src/mandates/index.ts';
import { readMandatePage } from '../../src/mandates/search.ts';
import type { PageFrom } from '../../src/platform/list-page.ts';
import type { Queryable } from '../../src/platform/postgres/connect.ts';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import {
  findRequestsByWords,
  listRequests,
  type RequestFilters,
  type RequestKind,
} from '../../src/requests/index.ts';
import { keepStates } from '../harness/request-states.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

/**
 * Rows of each kind. One in 400 matches its filter, all at the end of the list, where a scan would
 * read all the others first.
 */
const rows = 30_000;
const rare = 75;
/** Reads allowed per page: the counted rows, the first rows of the list, and the page itself. */
const mostRead = 2 * 10_000 + 1_000;

const requestKinds = ['payment_request', 'debit_request', 'card_debit_request'];
const mandateKinds = ['adhesion', 'card_adhesion'];

async function fillRequests(sql: Queryable, kind: string): Promise<void> {
  await sql`
    insert into requests (account_id, id, kind, state, version, created_at, reference, payer,
      description, due1, total1, last_due, details, place)
    select ${testAccount}, ${requestKinds.indexOf(kind)}::bigint * 100000 + 500000 + n, ${kind},
      case when rare then 'paid' else 'pending' end, 1,
      case when rare then timestamptz '2031-05-05 15:00Z' else '2030-01-01 15:00Z' end,
      case when rare then 'rara' else 'r-' || n end, case when rare then 'Luz' else 'Ana' end,
      'Cuota', case when rare then date '2097-01-01' else '2098-01-01' end,
      case when rare then 999900 else 100000 + n end, date '2098-01-01',
      ${{ first_surcharge_dates: [] }}::json, 0
    from generate_series(1, ${rows}::int) n, lateral (select n > ${rows - rare}::int as rare) r`;
  await keepStates(sql);
}

async function fillMandates(sql: Queryable, kind: string): Promise<void> {
  const cbu = kind === 'adhesion' ? '2850590940090418135201' : null;
  const card = kind === 'adhesion' ? null : Buffer.from('sealed');
  await sql`
    insert into mandates (account_id, kind, id, state, version, created_at, sign_before, reference,
      holder, email, description, payer, cbu, card_key_id, card_ciphertext, details, place)
    select ${testAccount}, ${kind}, 500000 + n,
      case when rare then 'signed' else 'pending_to_sign' end, 1,
      case when rare then timestamptz '2031-05-05 15:00Z' else '2030-01-01 15:00Z' end,
      timestamptz '2099-01-01 00:00Z', case when rare then 'rara' else 'r-' || n end,
      case when rare then 'Luz' else 'Ana' end, 'ana@example.com', 'Cuota', 'Ana', ${cbu},
      ${card && 'k'}, ${card}::bytea, '{}'::json, 0
    from generate_series(1, ${rows}::int) n, lateral (select n > ${rows - rare}::int as rare) r`;
}

let service: TestService;
beforeAll(async () => {
  service = await startService(withoutWorker);
  const { sql } = service.service.parts.base;
  await doing('command', async () => {
    for (const kind of requestKinds) await fillRequests(sql, kind);
    for (const kind of mandateKinds) await fillMandates(sql, kind);
  });
  // The owner runs it: ANALYZE skips tables of others with only a warning.
  await service.sql`analyze requests`;
  await service.sql`analyze mandates`;
}, 120_000);
afterAll(() => service.stop());

interface Reading {
  tableScans: number;
  read: number;
}

/**
 * Returns a connection's reads of a table and its indexes since it last reported its statistics.
 */
async function readUntilNow(tx: Queryable, table: string): Promise<Reading> {
  const [reading] = await tx<Reading[]>`
    select (select seq_scan from pg_stat_xact_user_tables where relname = ${table})::int
        as "tableScans",
      (select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index
        where indrelid = ${table}::regclass)::int as read`;
  return reading ?? { tableScans: -1, read: -1 };
}

/** Counts a listing's reads of a table and its indexes. */
async function listing<Found extends object>(
  table: string,
  list: (tx: Queryable) => Promise<Found | null>,
): Promise<Found & { reading: Reading }> {
  const listed = await service.service.parts.base.sql.begin(async (tx) => {
    const before = await readUntilNow(tx, table);
    const found = await list(tx);
    if (!found) throw new Error('the list has no such item');
    const after = await readUntilNow(tx, table);
    const tableScans = after.tableScans - before.tableScans;
    return { found, reading: { tableScans, read: after.read - before.read } };
  });
  return { ...listed.found, reading: listed.reading };
}

const none = {
  id: null,
  state: null,
  external_reference: null,
  createdFrom: null,
  createdBefore: null,
};
const noRequestFilter = {
  ...none,
  payer: null,
  dueFrom: null,
  dueUntil: null,
  totalFrom: null,
  totalUntil: null,
};
const today = Temporal.PlainDate.from('2030-06-01');
const rareDay = Temporal.Instant.from('2031-01-01T00:00:00Z');
const firstPage = { limit: 25, from: { offset: 0 } };

describe.each(requestKinds)('the list of %s', (kind) => {
  const list = (f: object, page: { limit: number; from: PageFrom } = firstPage) =>
    listing('requests', (tx) => {
      const filters = { ...noRequestFilter, ...f };
      return listRequests(tx, testAccount, kind as RequestKind, filters, { ...page, today });
    });
  const first = 500_000 + requestKinds.indexOf(kind) * 100_000 + 1;
  const firstRare = first + rows - rare;

  test.each([
    { state: 'paid' },
    { external_reference: 'rara' },
    { payer: 'Luz' },
    { createdFrom: rareDay },
    { createdFrom: rareDay, createdBefore: rareDay.add({ hours: 24 * 300 }) },
    { dueUntil: Temporal.PlainDate.from('2097-06-01') },
    { totalFrom: 500_000 },
    { totalFrom: 500_000, state: 'paid', payer: 'Luz' },
  ])('finds and counts rare rows far down the list with few reads: %o', async (filter) => {
    const { rows: page, totalCount, reading } = await list(filter);
    expect(totalCount).toBe(rare);
    expect(page.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_n, i) => firstRare + i));
    expect(reading).toEqual({ tableScans: 0, read: expect.any(Number) });
    expect(reading.read).toBeLessThan(10 * rare);
    const behind = await list(filter, { limit: 25, from: { after: firstRare + 49 } });
    expect(behind.rows.map(({ id }) => id)).toEqual(
      Array.from({ length: 25 }, (_n, i) => firstRare + 50 + i),
    );
    expect(behind.totalCount).toBeNull();
    expect(behind.reading.read).toBeLessThan(mostRead);
  });

  test.each([
    {},
    { state: 'pending' },
    { payer: 'Ana' },
    { createdBefore: rareDay },
    { dueFrom: Temporal.PlainDate.from('2097-06-01') },
    { totalUntil: 500_000 },
  ])(
    'reads a bounded number of rows, and does not count them, when many match: %o',
    async (filter) => {
      const { rows: page, totalCount, reading } = await list(filter);
      expect(totalCount).toBeNull();
      expect(page.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_n, i) => first + i));
      expect(reading.tableScans).toBe(0);
      expect(reading.read).toBeLessThan(mostRead);
      const far = await list(filter, { limit: 25, from: { offset: 20_000 } });
      expect(far.rows[0]?.id).toBe(first + 20_000);
    },
  );

  test('finds a row by its id, and none by an unknown id', async () => {
    expect(await list({ id: first })).toMatchObject({ totalCount: 1, rows: [{ id: first }] });
    const { reading, ...found } = await list({ id: 1, state: 'pending' });
    expect(found).toEqual({ totalCount: 0, rows: [] });
    expect(reading.read).toBeLessThan(10);
  });
});

describe('the portal’s list, newest first', () => {
  const list = (f: Partial<RequestFilters>, before: number | null = null) =>
    listing('requests', async (tx) => ({
      rows: await findRequestsByWords(tx, {
        accountId: testAccount,
        kind: 'payment_request',
        text: '',
        filters: { ...noRequestFilter, ...f },
        before,
        limit: 25,
        today,
      }),
    }));
  const last = 500_000 + rows;

  test.each<[Partial<RequestFilters>, number]>([
    [{}, last],
    [{ state: 'pending' }, last - rare],
    [{ state: 'paid' }, last],
    [{ external_reference: 'rara' }, last],
    [{ payer: 'Ana' }, last - rare],
    [{ createdBefore: rareDay }, last - rare],
    [{ createdFrom: rareDay }, last],
    [{ dueUntil: Temporal.PlainDate.from('2097-06-01') }, last],
    [{ dueFrom: Temporal.PlainDate.from('2097-06-01') }, last - rare],
    [{ totalUntil: 500_000 }, last - rare],
    [{ totalUntil: 100_500, state: 'pending' }, 500_500],
  ])('reads little more than its page, whatever the total: %o', async (filter, first) => {
    const expected = Array.from({ length: 25 }, (_n, no) => first - no);
    const { rows: page, reading } = await list(filter);
    expect(page.map(({ id }) => id)).toEqual(expected);
    expect(reading).toEqual({ tableScans: 0, read: expect.any(Number) });
    expect(reading.read).toBeLessThan(200);
    const next = await list(filter, page.at(-1)?.id);
    expect(next.rows.map(({ id }) => id)).toEqual(expected.map((id) => id - 25));
    expect(next.reading.read).toBeLessThan(200);
  });

  test.each<[Partial<RequestFilters>]>([
    [{ state: 'expired' }],
    [{ state: 'refunded' }],
    [{ state: 'paid', totalUntil: 500_000 }],
    [{ external_reference: 'rara', payer: 'Ana' }],
  ])('scans a bounded number of rows if nothing matches: %o', async (filter) => {
    const { rows: page, reading } = await list(filter);
    expect(page).toEqual([]);
    expect(reading.tableScans).toBe(0);
    expect(reading.read).toBeLessThan(mostRead);
  });
});

describe.each(mandateKinds)('the list of %s', (kind) => {
  const list = (f: object, page: { limit: number; from: PageFrom } = firstPage) =>
    listing('mandates', (tx) => {
      const whose = { accountId: testAccount, kind: kind as MandateKind };
      return readMandatePage(tx, whose, { ...none, holder: null, ...f }, page);
    });
  const firstRare = 500_000 + rows - rare + 1;

  test.each([
    { state: 'signed' },
    { external_reference: 'rara' },
    { holder: 'Luz' },
    { createdFrom: rareDay },
    { createdFrom: rareDay, holder: 'Luz' },
  ])('finds and counts rare rows far down the list with few reads: %o', async (filter) => {
    const { rows: page, totalCount, reading } = await list(filter);
    expect(totalCount).toBe(rare);
    expect(page.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_n, i) => firstRare + i));
    expect(reading.tableScans).toBe(0);
    expect(reading.read).toBeLessThan(10 * rare);
  });

  test.each([{}, { state: 'pending_to_sign' }, { holder: 'Ana' }, { createdBefore: rareDay }])(
    'reads a bounded number of rows, and does not count them, when many match: %o',
    async (filter) => {
      const { rows: page, totalCount, reading } = await list(filter);
      expect(totalCount).toBeNull();
      expect(page[0]?.id).toBe(500_001);
      expect(reading.tableScans).toBe(0);
      expect(reading.read).toBeLessThan(mostRead);
    },
  );
});
