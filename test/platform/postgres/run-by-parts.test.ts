import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../../src/platform/postgres/connect.ts';
import { connect } from '../../../src/platform/postgres/connect.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';

// One server, configured to split statements, whose effects must equal those of whole statements.

let database: TestDatabase;
let whole: Sql;
let apart: Sql;
beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  whole = database.sql;
  apart = connect(database.ownerUrl, { max: 1, applicationName: 'test' });
  apart.layout.isDistributed = true;
  await whole.unsafe(`
    create table parts_source (id int primary key, day date, at timestamptz, words text[],
      numbers bigint[], document json, more jsonb, bytes bytea, flag boolean, exact numeric, word text);
    create table parts_target (like parts_source);
    create table parts_told (id int, what text);
    insert into parts_source values
      (1, '2024-02-29', '2026-11-21 09:49:28.123456-03', array['a,"b"', null, '{'], array[1,null],
        '{"id":12345678901234567890,"x":"\\\\"}', '[1, "ñ"]', '\\x00ff5c', true, 12.50, 'it''s "so"\\'),
      (2, null, null, array['z'], null, null, null, null, null, null, null),
      (3, '0001-01-01', 'infinity', '{}', '{}', '"text"', 'null', '', false, 'NaN', '')`);
});
afterAll(async () => {
  await apart.end();
  await database.drop();
});

const rowsOf = (sql: Sql) => sql`
  select t::text as row from parts_target t
  union all select told::text from parts_told told order by 1`;

const emptied = () => whole.unsafe('truncate parts_target, parts_told');

/** Copies some rows, updates others from them and records the result. */
const copy = (sql: Sql, ids: number[]) => sql<{ id: number }[]>`
  with wanted as (select * from parts_source where id = any(${ids}::int[]) order by id),
  copied as (
    insert into parts_target (id, day, at, words, numbers, document, more, bytes, flag, exact, word)
    select id, day, at, words, numbers, document, more, bytes, flag, exact, word from wanted
    returning *
  ),
  changed as (
    update parts_source s set day = c.day, at = c.at, words = c.words, numbers = c.numbers,
      document = c.document, more = c.more, bytes = c.bytes, flag = c.flag, exact = c.exact,
      word = c.word
    from copied c where s.id = c.id and s.words is not distinct from c.words
    returning s.id
  ),
  told as (
    insert into parts_told (id, what)
    select changed.id, coalesce(c.day::text, 'no day') || c.word from changed join copied c using (id)
  )
  select id from changed order by id`;

const lists = (sql: Sql) => sql`
  with found as (select words from parts_source where id < 3 and words = array['z']),
  told as (
    insert into parts_told (id, what) select cardinality(words), words[1] from found
  )
  select words from found`;

test.each([
  ['a row', [1]],
  ['a row of nulls', [2]],
  ['rows with other lists', [1, 2, 3]],
  ['no row', [9]],
])('preserves values of every type from part to part: %s', async (_, ids) => {
  await emptied();
  const answer = await copy(whole, ids);
  const written = await rowsOf(whole);
  await emptied();
  expect(await copy(apart, ids)).toEqual(answer);
  expect(await rowsOf(apart)).toEqual(written);
});

test('returns every row of a statement that passes lists between its parts', async () => {
  await emptied();
  expect(await lists(apart)).toEqual([{ words: ['z'] }]);
  expect(await rowsOf(whole)).toEqual([{ row: '(1,z)' }]);
  await whole`update parts_source set words = array['z'] where id = 1`;
  expect(await lists(apart)).toHaveLength(2);
});

test('gives a parameter the type of its column, bytes included, whether it runs by parts or as a whole', async () => {
  const bytes = Buffer.from([0, 255, 92, 120, 128]);
  const insert = (sql: Sql) => sql<{ bytes: Buffer; exact: string }[]>`
    with wanted as (select id, word from parts_source where id = 1),
    copied as (
      insert into parts_target (id, words, word, bytes, exact, at)
      select id, array[word, 'b'], ${'w'}, ${bytes}, ${'1.50'}, ${null} from wanted
      returning bytes, exact
    )
    select bytes, exact from copied`;
  for (const sql of [whole, apart]) {
    await emptied();
    expect(await insert(sql)).toEqual([{ bytes, exact: '1.50' }]);
  }
});

test('sends several statements in one text unchanged', async () => {
  await emptied();
  await apart.unsafe(`
    insert into parts_told (id, what) select 1, 'x';
    insert into parts_told (id, what) select 2, 'y'`);
  await apart.begin((tx) => tx.unsafe("insert into parts_told (id, what) select 3, 'z'"));
  expect(await rowsOf(whole)).toEqual([{ row: '(1,x)' }, { row: '(2,y)' }, { row: '(3,z)' }]);
});
