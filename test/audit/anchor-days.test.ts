import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawAnchors } from '../../src/seals/anchors/store.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { openExplained } from '../harness/plans.ts';

/** Checks that seals are anchored under the Argentine day, whatever the UTC day. */

const chosen = Temporal.PlainDate.from('2026-11-22');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

/** Adds a seal for each moment to an account's chain. */
async function sealAt(account: string, ...moments: string[]): Promise<void> {
  await database.sql`insert into seal_marks (account_id, next_xid) values (${account}, 1)`;
  await database.sql`
    insert into seal_links (account_id, no, key_id, hash, sealed_at)
    select ${account}, no, '1', sha256(no::text::bytea), moment
    from unnest(${moments}::timestamptz[]) with ordinality as sealed (moment, no)`;
}

async function anchored(account: string): Promise<[day: string, seal: number][]> {
  const rows = await database.sql<{ day: Temporal.PlainDate; no: number }[]>`
    select day, seal_no as no from anchors where account_id = ${account} order by day`;
  return rows.map(({ day, no }) => [day.toString(), no]);
}

test('anchors seals up to a day’s last second under that day, and later ones under the next', async () => {
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
  'writes the line of a day whose last seal is at %s once the day is over',
  async (time) => {
    await sealAt(time, `2026-11-22T${time}:30-03:00`);
    await drawAnchors(database.sql, chosen);
    expect(await anchored(time)).toEqual([]);
    await drawAnchors(database.sql, chosen.add({ days: 1 }));
    expect(await anchored(time)).toEqual([['2026-11-22', 1]]);
  },
);

test('does not read a day’s seals again once its anchor line is written', async () => {
  const moments = (day: number, count: number) =>
    Array.from({ length: count }, (_none, at) =>
      Temporal.Instant.from(`2026-11-${day}T12:00:00-03:00`).add({ seconds: at }).toString(),
    );
  await sealAt('LONG', ...moments(22, 30_000), ...moments(23, 5));
  await drawAnchors(database.sql, chosen.add({ days: 1 }));
  await database.sql`analyze seal_links, anchors, seal_marks`;
  const explained = await openExplained(database);
  const ran = await explained.statementsOf((sql) => drawAnchors(sql, chosen.add({ days: 2 })));
  await explained.close();
  expect(await anchored('LONG')).toEqual([
    ['2026-11-22', 30_000],
    ['2026-11-23', 30_005],
  ]);
  // The day's seals fill some 400 blocks.
  expect(ran.reduce((sum, { blocks }) => sum + blocks, 0)).toBeLessThan(60);
});
