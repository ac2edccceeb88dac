import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsWait } from '../../src/events/index.ts';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import { readQrs } from '../../src/qr/dynamic/store-reads.ts';
import { lockRequest, readRequests } from '../../src/requests/index.ts';
import { payEach } from '../harness/builders/pay-each.ts';
import { createTestDatabase } from '../harness/database.ts';
import { blocksOf, openExplained, type PlanNode } from '../harness/plans.ts';
import { keepStates } from '../harness/request-states.ts';

/** Checks that statements that API calls wait for do not read more as the stored data grows. */

const account = 'A0000001';
const stored = 60_000;
const atOnce = 20;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let explained: Awaited<ReturnType<typeof openExplained>>;

beforeAll(() =>
  doing('command', async () => {
    database = await createTestDatabase();
    const { sql } = database;
    await sql`
    insert into accounts (id, name, cuit, city, created_at)
    values (${account}, 'Cooperativa', '30999999995', 'Rosario', '2026-01-01')`;
    await doing(
      'command',
      () => sql`
    insert into requests (account_id, id, kind, state, version, created_at, reference, payer,
      description, due1, total1, last_due, code, details, place)
    select ${account}, id, case when id % 2 = 0 then 'payment_request' else 'qr' end, 'pending', 1,
      '2026-01-01', 'ref-' || id, 'Socia' || id % 1000, 'Cuota', '2026-12-05', 100 + id % 977,
      '2026-12-31', case when id % 2 = 1 then 'qr-' || id end,
      '{"city": "Rosario", "multiple_payment": false}', id
    from generate_series(1, ${stored}::bigint) as id`,
    );
    await keepStates(sql);
    await sql`vacuum analyze`;
    explained = await openExplained(database);
  }),
);
afterAll(async () => {
  await explained?.close();
  await database?.drop();
});

/** Returns ids far apart, of payment requests or, with `further` = 1, of QRs. */
const scattered = (further = 0): number[] =>
  Array.from({ length: atOnce }, (_unused, no) => 2 + ((no * 7_918) % (stored - 4)) + further);

test.each<[string, number, (sql: Sql) => Promise<unknown>]>([
  [
    'requests are read by their ids',
    8 * atOnce,
    (sql) =>
      readRequests(
        sql,
        scattered().map((id) => ({ accountId: account, id })),
      ),
  ],
  [
    'QRs are read by their codes, with their money',
    12 * atOnce,
    (sql) =>
      readQrs(
        sql,
        scattered(1).map((id) => ({ accountId: account, code: `qr-${id}` })),
      ),
  ],
  ['a request is locked', 10, (sql) => lockRequest(sql, { accountId: account, id: 40_000 })],
  ['the publisher checks for waiting events', 10, (sql) => eventsWait(sql)],
])('scans no stored data when %s', async (_name, most, work) => {
  const ran = await explained.statementsOf(work);
  expect(ran.length).toBeGreaterThan(0);
  expect(blocksOf(ran)).toBeLessThanOrEqual(most);
});

async function pay(sql: Sql, ids: readonly number[], name: string): Promise<void> {
  const keys = ids.map((id) => ({ accountId: account, id }));
  expect(await payEach(sql, keys, name)).toEqual(ids.map(() => 'recorded'));
}

test('records payments without scanning stored data', async () => {
  const ran = await explained.statementsOf((sql) => pay(sql, scattered(), 'plans'));
  // Each payment updates the indexes of request, result, journal and event; a table scan alone
  // reads 2,000 blocks.
  expect(blocksOf(ran)).toBeLessThanOrEqual(50 * atOnce);
});

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Stores results like the first large file: of one account, without statistics. */
const storeResults = (sql: Sql): Promise<unknown> => sql`
  insert into results (account_id, id, request_id, kind, type, channel, channel_label, amount,
    paid_at, informed_at, informed_on, source, source_ref, payer, description, details)
  select ${account}, 1000000 + id, id, 'payment_request', 'collected', 'non_banking', 'Rapipago',
    100, '2026-01-01', '2026-01-01', '2026-01-01', 'file', id, 'Socia', 'Cuota', '{}'
  from generate_series(1, 20000::bigint) as id`;

test('does not search for a reversed result when it records a payment', async () => {
  await storeResults(database.sql);
  const ran = await explained.statementsOf((sql) => pay(sql, scattered(4), 'forward'));
  // Any index counts, because the choice is unpredictable without statistics.
  const looks = ran
    .flatMap(({ plan }) => nodesOf(plan))
    .filter((node) => node['Node Type'].endsWith('Scan'))
    .filter((node) => node['Relation Name'] === 'results');
  expect(looks.map((node) => node['Actual Loops'])).toEqual([0]);
});

test('updates a request in place when it is paid, without index writes', async () => {
  const sql = connect(database.ownerUrl, { max: 1, applicationName: 'test updates' });
  const updates = async (): Promise<{ all: number; hot: number }> => {
    await sql`select pg_stat_force_next_flush()`;
    const [row] = await sql<{ all: number; hot: number }[]>`
      select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables
      where relname = 'requests'`;
    return row ?? { all: 0, hot: 0 };
  };
  try {
    const before = await updates();
    await pay(sql, scattered(2), 'hot');
    const after = await updates();
    expect(after.all - before.all).toBe(atOnce);
    expect(after.hot - before.hot).toBe(atOnce);
  } finally {
    await sql.end();
  }
});
