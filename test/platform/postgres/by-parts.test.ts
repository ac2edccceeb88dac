import { describe, expect, test } from 'vitest';
import { partsOf } from '../../../src/platform/postgres/by-parts/parts.ts';

const names = (text: string) => partsOf(text)?.parts.map(({ name }) => name);

describe('a statement that writes to several tables', () => {
  test('splits a statement at its own commas and brackets, not at those in texts and comments', () => {
    const parted = partsOf(`
      with wanted (id, "no") as materialized (select ')', "a b" from x), -- it's one (
      "kept" as (
        insert into results (account_id, id) select account_id, id from wanted where a = ', ('
        on conflict (account_id, id) do nothing returning id, account_id
      ),
      gone as (delete from outbox o using kept as k where o.id = k.id)
      select id from kept /* ( */`);
    expect(parted?.parts).toMatchObject([
      { name: 'wanted', columns: ['id', 'no'], writes: false, insert: null },
      {
        name: 'kept',
        columns: null,
        writes: true,
        insert: {
          table: 'results',
          columns: ['account_id', 'id'],
          query: "select account_id, id from wanted where a = ', ('\n        ",
          returning: ' id, account_id\n      ',
        },
      },
      { name: 'gone', writes: true, drivenBy: 'kept', insert: null },
    ]);
    expect(parted?.parts[1]?.insert?.tail).toMatch(/^on conflict .* returning id, account_id\s*$/);
    expect(parted?.last.text.trim()).toBe('select id from kept /* ( */');
    expect(parted?.last.mentions.has('kept')).toBe(true);
  });

  test('accepts an insert from a query without named parts, and does not split an insert of values', () => {
    expect(names('insert into t (a, b) select a, b from u')).toEqual([]);
    expect(partsOf('insert into t (a, b) values (1, 2) on conflict do nothing')).toBeNull();
  });

  test.each([
    'select 1',
    'with a as (select 1) select * from a',
    'with a as (select 1 as id for update) update t set x = 1 from a where t.id = a.id',
    'update t set x = 1',
    'with a as (update t set x = 1 returning id) delete from u using a where u.id = a.id',
    'with recursive a as (select 1) insert into t (x) select * from a',
  ])('runs as a whole: %s', (text) => {
    expect(partsOf(text)).toBeNull();
  });

  test('finds the relation that drives an update or delete only if there is a single one', () => {
    const drivenBy = (text: string) =>
      partsOf(`with d as (${text}), e as (insert into t (x) select 1) select 1`)?.parts[0]
        ?.drivenBy;
    expect(drivenBy('update t set x = 1 from kept where t.id = kept.id')).toBe('kept');
    expect(drivenBy('update t set x = (select 1 from y) from kept k where true')).toBe('kept');
    expect(drivenBy('update t set x = 1 from kept, other where true')).toBeNull();
    expect(drivenBy('update t set x = 1 from kept left join y on true where true')).toBeNull();
    expect(drivenBy('update t set x = 1 from (select 1) as kept where true')).toBeNull();
    expect(drivenBy('delete from kept where id = 1')).toBeNull();
  });
});

describe('a part that reads a table written by an earlier one', () => {
  const faultOf = (later: string) =>
    partsOf(`with kept as (
      insert into lines (id, no) select 1, 2 on conflict do nothing returning id)
      ${later}`)?.fault;

  test.each([
    'select * from lines where no = 2',
    'select * from other join "lines" l using (id)',
    ', n as (select count(*) as n from lines) select n from n',
    ', n as (update lines set no = 3 where id = 7) select 1',
    ', n as (insert into lines (id, no) select id + 1, 2 from lines) select 1',
    'delete from other where id in (select id from lines)',
  ])('reports a part that reads a table written earlier: %s', (later) => {
    expect(faultOf(later)).toMatch(/ reads lines, which part kept of the same statement wrote/);
  });

  test.each([
    'select id from kept',
    "select 'lines', told.lines, x.no from told, lines_of(1) as x",
    ', n as (insert into lines (id, no) select id, 3 from kept) select 1',
    'select * from lines /* sees what was written */ where id not in (select id from kept)',
    ', lines as (select 1 as id), n as (select * from lines) select 1',
  ])('accepts a part that reads no table written earlier: %s', (later) => {
    expect(faultOf(later)).toBeNull();
  });
});
