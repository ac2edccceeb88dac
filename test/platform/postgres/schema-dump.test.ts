import path from 'node:path';
import { expect, test } from 'vitest';
import type { Sql } from '../../../src/platform/postgres/connect.ts';
import { migrate } from '../../../src/platform/postgres/migrate.ts';
import { dumpSchema } from '../../../src/platform/postgres/schema-dump.ts';
import { createTestDatabase, type TestDatabaseOptions } from '../../harness/database.ts';

async function inDatabase<T>(
  options: TestDatabaseOptions,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const database = await createTestDatabase(options);
  try {
    return await work(database.sql);
  } finally {
    await database.drop();
  }
}

const schema = `
  create sequence ids as bigint increment by 1000;
  create function total(amounts bigint[]) returns bigint language sql immutable
    return (select sum(amount)::bigint from unnest(amounts) as amount);
  create table parents (id bigint primary key, name text collate "C" not null default 'x');
  create table children (
    account_id text not null,
    id int generated always as identity,
    parent_id bigint references parents,
    amounts bigint[] not null check (total(amounts) = 0),
    size int generated always as (cardinality(amounts)) stored,
    primary key (account_id, id)
  );
  create unique index children_by_parent on children (parent_id) where parent_id is not null;
  create view names as select name from parents;
  revoke update, delete, truncate on children from current_user;
  grant select on parents to public;
`;

test('covers every part of this schema', async () => {
  const text = await inDatabase({ migrated: false }, async (sql) => {
    await sql.unsafe(schema);
    return dumpSchema(sql);
  });
  for (const line of [
    'sequence ids as bigint increment 1000 start 1 minimum 1 maximum 9223372036854775807 cache 1',
    'table children',
    '  account_id text not null',
    '  id integer not null identity',
    "  name text collate C not null default 'x'::text",
    '  size integer generated as (cardinality(amounts)) stored',
    '  constraint children_amounts_check CHECK ((public.total(amounts) = 0))',
    '  constraint children_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES public.parents(id)',
    '  constraint children_pkey PRIMARY KEY (account_id, id)',
    '  CREATE UNIQUE INDEX children_by_parent ON public.children USING btree (parent_id) WHERE (parent_id IS NOT NULL)',
    '  revoke delete, truncate, update from owner',
    '  grant select to public',
    'CREATE OR REPLACE FUNCTION public.total(amounts bigint[])',
    'view names as',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  // Only PostgreSQL 18 lists these as constraints.
  expect(text).not.toContain('not_null');
});

test.each([
  'alter table children alter column parent_id set not null',
  "alter table parents alter column name set default 'y'",
  'drop index children_by_parent',
  'alter table children drop constraint children_amounts_check',
  'grant update on children to current_user',
  'alter sequence ids increment by 1',
  'create index on parents (name)',
])('detects a difference: %s', async (change) => {
  const [before, after] = await inDatabase({ migrated: false }, async (sql) => {
    await sql.unsafe(schema);
    const text = await dumpSchema(sql);
    await sql.unsafe(change);
    return [text, await dumpSchema(sql)];
  });
  expect(after).not.toBe(before);
});

test('finds a copy of the template equal to a freshly migrated database', async () => {
  const copied = await inDatabase({}, dumpSchema);
  const migrated = await inDatabase({ migrated: false }, async (sql) => {
    const migrations = path.join(import.meta.dirname, '../../../migrations');
    await migrate(sql, migrations, Temporal.Instant.from('2026-11-21T12:00:00Z'));
    return dumpSchema(sql);
  });
  expect(copied).toBe(migrated);
  expect(copied).toContain('table migrations');
});
