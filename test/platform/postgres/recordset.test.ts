import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordset } from '../../../src/platform/postgres/recordset.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

test('reads members in snake and camel case, with nulls, dates and row numbers', async () => {
  const { sql } = database;
  const items = [
    { accountId: 'A', paid_on: Temporal.PlainDate.from('2026-11-27'), note: 'a "b", {c}' },
    { accountId: 'B', paid_on: null, note: undefined },
  ];
  const shape = `item (account_id text, paid_on date,
    note text, no ordinality)`;
  const rows = await sql`
    select account_id, paid_on::text, note, no::int from ${recordset(sql, shape, items)} order by no`;
  expect([...rows]).toEqual([
    { account_id: 'A', paid_on: '2026-11-27', note: 'a "b", {c}', no: 1 },
    { account_id: 'B', paid_on: null, note: null, no: 2 },
  ]);
});

test('returns no rows for no items, and works next to other parameters', async () => {
  const { sql } = database;
  const count = async (items: { id: number }[]) => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int from ${recordset(sql, 'item (id bigint)', items)}
      where id > ${1}::bigint`;
    return row?.count;
  };
  expect(await count([])).toBe(0);
  expect(await count([{ id: 1 }, { id: 2 }])).toBe(1);
});

test('rejects items without a column at compile time, and malformed shapes at run time', () => {
  const { sql } = database;
  // @ts-expect-error The item lacks `no`.
  recordset(sql, 'item (id bigint, no int)', [{ id: 1 }]);
  expect(() => recordset(sql, 'item; drop table x (id bigint)', [{ id: 1 }])).toThrow(
    'no recordset',
  );
});
