import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawAnchors } from '../../src/seals/anchors/store.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

/** Under which day seals are anchored: that of Argentina, whatever that of UTC is. */

const chosen = Temporal.PlainDate.from('2026-11-22');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

/** Puts a seal of each moment into an account's chain. */
async function sealAt(account: string, ...moments: string[]): Promise<void> {
  for (const [index, moment] of moments.entries())
    await database.sql`
      insert into seal_links (account_id, no, key_id, hash, sealed_at)
      values (${account}, ${index + 1}, '1', ${Buffer.alloc(32, index)}, ${moment}::timestamptz)`;
}

async function anchored(account: string): Promise<[day: string, seal: number][]> {
  const rows = await database.sql<{ day: Temporal.PlainDate; no: number }[]>`
    select day, seal_no as no from anchors where account_id = ${account} order by day`;
  return rows.map(({ day, no }) => [day.toString(), no]);
}

test('seals until the last second of a day are anchored under it, those behind it under the next', async () => {
  await sealAt(
    'DAYS',
    '2026-11-22T00:00:00-03:00',
    '2026-11-22T17:59:59-03:00',
    '2026-11-22T23:59:59-03:00',
    '2026-11-23T00:00:00-03:00',
  );
  await drawAnchors(database.sql, chosen.add({ days: 1 }));
  expect(await anchored('DAYS')).toEqual([['2026-11-22', 3]]);
  await drawAnchors(database.sql, chosen.add({ days: 2 }));
  expect(await anchored('DAYS')).toEqual([
    ['2026-11-22', 3],
    ['2026-11-23', 4],
  ]);
});

test.each(['00:00', '06:00', '12:00', '17:59', '18:00', '20:59', '21:00', '23:59'])(
  'a day whose last seal is of %s has its line when it is over, and not before',
  async (time) => {
    await sealAt(time, `2026-11-22T${time}:30-03:00`);
    await drawAnchors(database.sql, chosen);
    expect(await anchored(time)).toEqual([]);
    await drawAnchors(database.sql, chosen.add({ days: 1 }));
    expect(await anchored(time)).toEqual([['2026-11-22', 1]]);
  },
);
