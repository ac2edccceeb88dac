import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../harness/database.ts';

/** Tests `sum_of`, with which the database itself refuses a journal that does not sum to zero. */

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

const amount = fc.option(fc.integer({ min: -1e12, max: 1e12 }), { nil: null });

test('sums any number of lines in arrays of any shape', async () => {
  const lists = fc.sample(fc.array(amount, { maxLength: 20 }), 500);
  const texts = lists.map((list) => `{${list.map((one) => one ?? 'NULL').join(',')}}`);
  const shaped = [
    '[2:3]={5,7}',
    '[0:1]={5,7}',
    '[-3:-2]={5,7}',
    '{{5,7},{11,13}}',
    '{{5},{7}}',
    '{{{5}}}',
  ];
  const rows = await database.sql<{ sum: number; plain: number }[]>`
    select sum_of(text::bigint[]) as sum,
      (select coalesce(sum(one), 0)::bigint from unnest(text::bigint[]) as one) as plain
    from unnest(${[...texts, ...shaped]}::text[]) with ordinality as list (text, no) order by no`;
  expect(rows.map(({ sum }) => sum)).toEqual(rows.map(({ plain }) => plain));
  expect(rows.slice(-shaped.length).map(({ sum }) => sum)).toEqual([12, 12, 12, 36, 12, 5]);
});

test.each(['{5,-4}', '[2:3]={5,-4}', '{{5,-4}}', '{1,1,1,1,1,1,1,1,1,-8}'])(
  'refuses a journal with the amounts %s',
  async (amounts) => {
    const insert = database.sql`
      insert into journals (account_id, id, kind, result_id, at, on_date, accounts, amounts)
      select 'A0000001', 1, 'collection', 1, '2026-11-20', '2026-11-20',
        array(select 1::smallint from unnest(${amounts}::bigint[])), ${amounts}::bigint[]`;
    await expect(insert).rejects.toThrow(/journals_amounts_check/);
  },
);

test('sums a few lines inline in the check, without a query per journal', async () => {
  const [row] = await database.sql<{ 'QUERY PLAN': unknown }[]>`
    explain (verbose, format json)
    select 1 from (select '{1,-1}'::bigint[] as amounts offset 0) as journal
    where sum_of(amounts) = 0`;
  expect(JSON.stringify(row)).toContain('COALESCE(journal.amounts[1]');
});
