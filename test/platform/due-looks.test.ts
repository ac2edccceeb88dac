import { afterAll, beforeAll, expect, test } from 'vitest';
import { createParts } from '../../src/composition/parts.ts';
import { readConfig } from '../../src/config/index.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { openExplained, type Ran } from '../harness/plans.ts';
import { keepStates } from '../harness/request-states.ts';

/**
 * Checks the queries that a worker repeats every second: rows that are not due must cost nothing.
 */

const account = 'A0000001';
const stored = 15_000;
/**
 * Scanning any of the tables below reads hundreds of blocks; an index look-up reads three or four.
 */
const mostBlocks = 60;

let database: TestDatabase;
let explained: Awaited<ReturnType<typeof openExplained>>;

async function store(sql: Sql): Promise<void> {
  await sql`
    insert into accounts (id, name, cuit, city, created_at)
    values (${account}, 'Cooperativa', '30999999995', 'Rosario', '2026-01-01')`;
  await sql`
    insert into mandates (account_id, kind, id, state, version, created_at, sign_before, holder,
      email, description, payer, cbu, details, place)
    select ${account}, 'adhesion', no, 'signed', 2, '2026-01-01', '2026-01-01', 'Ana Pérez',
      'ana@example.com', 'Cuota social', 'Ana Pérez', '0110599500000123456784', '{}', no
    from generate_series(1, ${stored}::bigint) as no`;
  await sql`
    insert into requests (account_id, id, kind, state, version, created_at, reference, payer,
      description, due1, total1, last_due, code, mandate_id, details, place)
    select ${account}, no,
      case no % 3 when 0 then 'payment_request' when 1 then 'qr' else 'debit_request' end,
      case when no % 6 > 2 then 'paid' else 'pending' end, 1, '2026-01-01', 'ref-' || no, 'Socia',
      'Cuota', '2030-12-05', 100, '2030-12-31', case when no % 3 = 1 then 'qr-' || no end,
      case when no % 3 = 2 then no end, '{"city": "Rosario", "multiple_payment": false}', no
    from generate_series(1, ${3 * stored}::bigint) as no`;
  await keepStates(sql);
  await sql`
    insert into debit_runs (account_id, request_id, no, kind, submit_on, run_on, amount, state,
      file_id)
    select ${account}, no, 1, 'debit_request', '2030-12-01', '2030-12-03', 100,
      (array['waiting', 'submitted', 'done'])[1 + no / 3 % 3],
      -- Those that were submitted wait in a file for their answers.
      case when no / 3 % 3 > 0 then 1 end
    from generate_series(2, ${3 * stored}::bigint, 3) as no`;
  await sql`
    insert into results (account_id, id, request_id, kind, type, channel, channel_label, amount,
      unreleased, paid_at, informed_at, informed_on, available_on, released_on, source, source_ref,
      payer, description, details)
    select ${account}, 1000000 + no, no, 'payment_request', 'collected', 'credit_card', 'Visa', 100,
      100, '2026-01-01', '2026-01-01', '2026-01-01', '2030-01-01', null, 'file', no, 'Socia',
      'Cuota', '{}'
    from generate_series(3, ${3 * stored}::bigint, 6) as no`;
  await sql`
    insert into attempts (account_id, id, request_id, channel, connector, amount, state, details,
      started_at, ask_at)
    select ${account}, 2000000 + no, no, 'credit_card', 'simulator', 100, 'done', '{}', '2026-01-01', '2026-01-01'
    from generate_series(3, ${3 * stored}::bigint, 6) as no`;
}

beforeAll(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  await doing('command', async () => {
    await store(sql);
    await sql`vacuum analyze`;
  });
  explained = await openExplained(database);
}, 120_000);
afterAll(async () => {
  await explained?.close();
  await database?.drop();
});

const partsOf = (sql: Sql) =>
  createParts(
    readConfig({
      DATABASE_URL: database.url,
      SANDBOX_API_KEY: 'test-key-0123456789abcdef',
      VAULT_KEYS: testVaultKeys,
    }),
    { sql, log: createLog('silent'), metrics: createMetrics(), origin: 'http://127.0.0.1' },
  );

const told = (ran: readonly Ran[]): string[] =>
  ran.map(({ text, blocks }) => `${blocks} blocks: ${text.replaceAll(/\s+/g, ' ').trim()}`);

test('reads few blocks to learn that a sweep is not due', async () => {
  const dear: Record<string, string[]> = {};
  await explained.statementsOf(async (sql) => {
    const { sweeps } = await partsOf(sql);
    expect(sweeps.length).toBeGreaterThan(10);
    for (const sweep of sweeps) {
      const ran = await explained.statementsOf(() => sweep.nextDue());
      const most = ran.filter(({ blocks }) => blocks > mostBlocks);
      if (most.length > 0) dear[sweep.name] = told(most);
    }
  });
  expect(dear).toEqual({});
});
