import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byAccount } from '../../../src/platform/batcher.ts';
import { connect, type Queryable, type Sql } from '../../../src/platform/postgres/connect.ts';
import {
  accountsAtOnce,
  byStatement,
  noteFailure,
  partsToRun,
} from '../../../src/platform/postgres/distributed/engine.ts';
import { amongNamed, lookUp } from '../../../src/platform/postgres/distributed/look-ups.ts';
import { alsoOwnedBy, foundOf } from '../../../src/platform/postgres/distributed/owners.ts';
import { removeOf, removeSome } from '../../../src/platform/postgres/distributed/removals.ts';
import { readSnapshot } from '../../../src/platform/postgres/snapshot.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';

// Configures one server as nodes: both engines must find and remove the same rows.

let database: TestDatabase;
let one: Sql;
let nodes: Sql;
beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  one = connect(database.ownerUrl, { max: 3, applicationName: 'test' });
  nodes = connect(database.ownerUrl, { max: 3, applicationName: 'test' });
  nodes.layout.isDistributed = true;
  await one.unsafe(`
    create table things (account_id text, id int, no int, word text, primary key (account_id, id));
    create table parts (account_id text, thing_id int, no int, primary key (account_id, thing_id, no))`);
});
afterAll(async () => {
  await Promise.all([one.end(), nodes.end()]);
  await database.drop();
});

const fill = () =>
  one.unsafe(`
    truncate things, parts;
    insert into things select a, i, 10 - i, a || i from unnest(array['A', 'B', 'C']) a, generate_series(1, 4) i;
    insert into parts select account_id, id, i from things, generate_series(1, 2) i`);

const engines = (): [string, Sql][] => [
  ['one server', one],
  ['nodes', nodes],
];

/** Queries both engines; their results must be equal. */
async function answers<T>(ask: (sql: Sql) => Promise<T>): Promise<T> {
  const [[, first], [, second]] = engines() as [[string, Sql], [string, Sql]];
  await fill();
  const answer = await ask(first);
  await fill();
  expect(await ask(second)).toEqual(answer);
  return answer;
}

const textOf = (statement: ReturnType<Queryable>): string => statement.sendable().text;

describe('rows of a relation', () => {
  const wanted = (sql: Queryable) => sql`
    unnest(array['A', 'B', 'B', 'Z'], array[1, 2, 9, 1]) as wanted (account_id, key_id)`;

  test('finds each named row, and skips unknown ones', async () => {
    const found = await answers(
      (sql) => sql`
        select t.account_id, t.id, t.word from ${wanted(sql)}
        ${lookUp(sql, 'wanted', 't', { table: 'things', by: { id: 'key_id' }, rows: 'one', accountIds: ['A', 'B'] })}
        order by 1, 2`,
    );
    expect(found.map((row) => row.word)).toEqual(['A1', 'B2']);
  });

  test('finds all rows that each key names', async () => {
    const found = await answers(
      (sql) => sql`
        select p.account_id, p.no from ${wanted(sql)}
        ${lookUp(sql, 'wanted', 'p', { table: 'parts', by: { thing_id: 'key_id' }, rows: 'several' })}
        order by 1, 2`,
    );
    expect(found).toHaveLength(4);
  });

  test('looks rows up one by one on one server, and on nodes in a join with account ids as parameters', () => {
    const text = (sql: Sql) =>
      textOf(
        sql`${lookUp(sql, 'wanted', 't', { table: 'things', by: { id: 'id' }, rows: 'one', accountIds: ['A'] })}`,
      );
    expect(text(one)).toMatch(/cross join lateral .* limit 1/s);
    expect(text(nodes)).toMatch(/join "things" "t" on .* = any\(\$1::text\[\]\)/s);
    expect(text(nodes)).not.toMatch(/lateral/);
  });

  test('finds the rows that a query names, each only once', async () => {
    const found = await answers(
      (sql) => sql`
        select * from (${amongNamed(
          sql,
          sql`select t.account_id, t.word from things t where t.no > 6`,
          ['id'],
          sql`select account_id, thing_id from parts where account_id = 'A'`,
        )}) as found order by 2`,
    );
    expect(found.map((row) => row.word)).toEqual(['A1', 'A2', 'A3']);
  });
});

describe('row removal', () => {
  const remove = async (sql: Sql) => {
    const gone = removeSome(sql, 'gone', {
      table: 'things',
      key: ['account_id', 'id'],
      where: sql`t.id < 4 order by t.no, t.account_id`,
      most: 4,
      still: sql`t.id < 4`,
      returning: ['account_id', 'id'],
    });
    const removed = await sql<{ account_id: string; thing_id: number }[]>`
      with ${gone},
      named as (select account_id, id as thing_id from gone),
      parts_gone as (${removeOf(sql, 'named', { table: 'parts', by: ['account_id', 'thing_id'] })})
      select account_id, thing_id from named order by 1, 2`;
    const left = await sql`
      select (select count(*) from things)::int as things, (select count(*) from parts)::int as parts`;
    return { removed, left };
  };

  test('removes the first rows up to a limit, with their dependents', async () => {
    const { removed, left } = await answers(remove);
    expect(removed.map((row) => `${row.account_id}${row.thing_id}`)).toEqual([
      'A2',
      'A3',
      'B3',
      'C3',
    ]);
    expect(left).toEqual([{ things: 8, parts: 16 }]);
  });

  test('skips locked rows on one server', async () => {
    await fill();
    await database.sql.begin(async (tx) => {
      await tx`select 1 from things where account_id = 'A' and id = 3 for update`;
      const { removed } = await remove(one);
      expect(removed.map((row) => row.account_id)).toEqual(['A', 'B', 'B', 'C']);
      expect(removed.map((row) => row.thing_id)).toEqual([2, 2, 3, 3]);
    });
  });
});

test('processes accounts together on one server, and one by one on nodes', async () => {
  const items = ['A1', 'B1', 'A2'];
  const accountOf = (item: string) => item.slice(0, 1);
  expect(byStatement(one, items, accountOf)).toEqual([items]);
  expect(byStatement(nodes, items, accountOf)).toEqual([['A1', 'A2'], ['B1']]);
  expect(accountsAtOnce(one, 100)).toBe(100);
  expect(accountsAtOnce(nodes, 100)).toBe(1);
  expect(byAccount(one, accountOf)()).toBeNull();
  expect(byAccount(nodes, accountOf)()).toBe(accountOf);

  await fill();
  const asked: string[][] = [];
  const find = (sql: Sql) => (owners: string[]) => {
    asked.push(owners);
    return sql<{ word: string }[]>`
      select word from things t where id = 1 and account_id = any(${owners}::text[])
      ${alsoOwnedBy(sql, 't', owners)} order by 1`;
  };
  const together = await foundOf(one, ['A', 'C'], find(one));
  expect(await foundOf(nodes, ['A', 'C'], find(nodes))).toEqual(together);
  expect(asked).toEqual([['A', 'C'], ['A'], ['C']]);
});

test('reads on a single connection on nodes, which cannot share a snapshot', async () => {
  const readers = (sql: Sql) => readSnapshot(sql, 2, async (all) => all.length);
  expect(await readers(one)).toBe(2);
  expect(await readers(nodes)).toBe(1);
});

test('splits statements and reports unreachable nodes only on a distributed database', () => {
  const inserting = {
    text: 'insert into a (id) select id from b',
    parameters: [],
    prepare: true,
    several: false,
  };
  expect(partsToRun(one.layout, inserting)).toBeNull();
  expect(partsToRun(nodes.layout, inserting)).not.toBeNull();
  expect(partsToRun(nodes.layout, { ...inserting, several: true })).toBeNull();

  const lost = Object.assign(new Error('gone'), { code: '57P01' });
  for (const { layout } of [one, nodes]) noteFailure(layout, lost);
  expect([one.layout.isMissed, nodes.layout.isMissed]).toEqual([false, true]);
  nodes.layout.isMissed = false;
});
