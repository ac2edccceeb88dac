import { afterAll, beforeAll, expect, test } from 'vitest';
import { resultsOfSource } from '../../../src/money/collections/index.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';

const perDay = 50;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  await sql`
    insert into accounts (id, name, cuit, city, created_at)
    values ('A0000001', 'Club', '30712345671', 'Rosario', now())`;
  // 200 days of transfers, each reported a moment after its payment.
  await sql`
    insert into results (account_id, id, request_id, kind, type, channel, channel_label, amount,
      net_fee, fee_iva, unreleased, paid_at, informed_at, informed_on, available_on, source,
      source_ref, payer, description, details)
    select 'A0000001', no, no, 'payment_request', 'collected', 'wire_transfer', 'Transferencia', 100,
      0, 0, 100, at, at + interval '5 seconds', at::date, at::date + 2, 'connector:bank',
      'transfer ' || no, 'Ana', 'Cuota', '{}'
    from generate_series(0, ${200 * perDay - 1}::int) as no,
      lateral (select date '2026-05-01' + no / ${perDay}::int + time '12:00' as at) as moment`;
  await sql`analyze results`;
});
afterAll(() => database.drop());

test('reads the transfers of a day without those of earlier days', async () => {
  const from = Temporal.Instant.from('2026-11-15T03:00:00Z');
  const until = from.add({ hours: 24 });
  const source = { source: 'connector:bank', begins: 'transfer ', from, until };
  const { rows, read } = await database.sql.begin(async (tx) => {
    const found = await resultsOfSource(tx, source);
    const [stats] = await tx<{ read: number }[]>`
      select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables
      where relname = 'results'`;
    return { rows: found, read: stats?.read ?? 0 };
  });
  expect(rows).toHaveLength(perDay);
  expect(read).toBeGreaterThanOrEqual(perDay);
  expect(read).toBeLessThan(10 * perDay);
});
