import { afterAll, beforeAll, expect, test } from 'vitest';
import { readResults } from '../../src/money/collections/store.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import { readQrs } from '../../src/qr/dynamic/store-reads.ts';
import { readRequests } from '../../src/requests/index.ts';
import { payEach } from '../harness/builders/pay-each.ts';
import { createTestDatabase } from '../harness/database.ts';
import { blocksOf, openExplained } from '../harness/plans.ts';
import { keepStates } from '../harness/request-states.ts';

/**
 * Checks statements right after a large import or a restore, before tables have statistics. The
 * planner then assumes a few hundred rows per account, and may prefer a scan of the whole table to
 * the look-ups of a busy moment.
 */

const account = 'A0000001';
const stored = 60_000;
/** The largest batch of the batcher. */
const atOnce = 200;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let explained: Awaited<ReturnType<typeof openExplained>>;

beforeAll(() =>
  doing('command', async () => {
    database = await createTestDatabase();
    const { sql } = database;
    const tables = ['requests', 'request_states', 'results', 'journals', 'events', 'accounts'];
    for (const name of tables) await sql`alter table ${sql(name)} set (autovacuum_enabled = off)`;
    await sql`
    insert into accounts (id, name, cuit, city, created_at)
    values (${account}, 'Cooperativa', '30999999995', 'Rosario', '2026-01-01')`;
    await sql`
    insert into requests (account_id, id, kind, state, version, created_at, reference, payer,
      description, due1, total1, last_due, code, details, place)
    select ${account}, id, case when id % 2 = 0 then 'payment_request' else 'qr' end, 'pending', 2,
      '2026-01-01', 'ref-' || id, 'Socia' || id % 1000, 'Cuota', '2026-12-05', 100 + id % 977,
      '2026-12-31', case when id % 2 = 1 then 'qr-' || id end,
      '{"city": "Rosario", "multiple_payment": false}', id
    from generate_series(1, ${stored}::bigint) as id`;
    await keepStates(sql);
    await sql`
    insert into results (account_id, id, request_id, kind, type, channel, channel_label, amount,
      paid_at, informed_at, informed_on, source, source_ref, payer, description, details)
    select ${account}, 1000000 + id, id, 'payment_request', 'collected', 'non_banking', 'Rapipago',
      100, '2026-01-01', '2026-01-01', '2026-01-01', 'file', id, 'Socia', 'Cuota', '{}'
    from generate_series(1, ${stored}::bigint) as id`;
    explained = await openExplained(database);
  }),
);
afterAll(async () => {
  await explained?.close();
  await database?.drop();
});

/** Returns keys far apart, of payment requests or, with `further` = 1, of QRs. */
const scattered = (further = 0) =>
  Array.from({ length: atOnce }, (_unused, no) => ({
    accountId: account,
    id: 2 + ((no * 7_918) % (stored - 4)) + further,
  }));

async function pay(sql: Sql): Promise<void> {
  const keys = scattered();
  expect(await payEach(sql, keys, 'unknown')).toEqual(keys.map(() => 'recorded'));
}

test.each<[string, number, (sql: Sql) => Promise<unknown>]>([
  ['requests are read by their ids', 8, (sql) => readRequests(sql, scattered())],
  ['the results of requests are read', 8, (sql) => readResults(sql, scattered())],
  [
    'QRs are read by their codes, with their money',
    16,
    (sql) =>
      readQrs(
        sql,
        scattered(1).map(({ accountId, id }) => ({ accountId, code: `qr-${id}` })),
      ),
  ],
  ['payments are recorded', 80, pay],
])('looks up each row separately when %s', async (_name, mostBlocksEach, work) => {
  const ran = await explained.statementsOf(work);
  expect(ran.length).toBeGreaterThan(0);
  expect(blocksOf(ran)).toBeLessThanOrEqual(mostBlocksEach * atOnce);
});
