import { afterAll, beforeAll, expect, test } from 'vitest';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import { nextToExpire } from '../../src/requests/expire.ts';
import { createTestDatabase } from '../harness/database.ts';
import { keepStates } from '../harness/request-states.ts';

/**
 * Checks the plans of statements that run every second, which must not degrade with the stored
 * data.
 */

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(() =>
  doing('command', async () => {
    database = await createTestDatabase();
    // Many accounts with payment requests, and a few QRs that expire after all of them.
    await database.sql`
    insert into requests (account_id, id, kind, state, version, created_at, payer, description,
      due1, total1, last_due, details, place)
    select lpad(upper(to_hex(id % 5000)), 8, '0'), id, case when id <= 20 then 'qr' else 'payment_request' end,
      'pending', 1, '2026-01-01', 'Ana', 'Cuota', '2026-02-01', 100,
      date '2026-02-01' + case when id <= 20 then 90 else 0 end, '{}', 0
    from generate_series(1, 20000) as id`;
    await keepStates(database.sql);
    await database.sql`analyze requests, request_states`;
  }),
);
afterAll(() => database.drop());

interface Explained {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
}

test.each(['payment_request', 'qr'] as const)(
  'finds the next %s to expire without reading pending requests of other kinds',
  async (kind) => {
    const [row] = await database.sql<{ 'QUERY PLAN': Explained[] }[]>`
      explain (analyze, buffers, format json) ${nextToExpire(database.sql, kind)}`;
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    const blocks = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    expect(blocks).toBeGreaterThan(0);
    expect(blocks).toBeLessThan(20);
  },
);
