import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../../../src/platform/postgres/connect.ts';
import { EarlierSchema, migrate, pending } from '../../../src/platform/postgres/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';

const at = Temporal.Instant.from('2026-11-21T12:00:00Z');
const first = '20260101T0900_first.sql';
const second = '20260102T0900_second.sql';
const third = '20260103T0900_third.sql';

let database: TestDatabase;
let directory: string;
const write = (name: string, text: string) => writeFile(path.join(directory, name), text);

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
  directory = await mkdtemp(path.join(tmpdir(), 'recaudo-migrations-'));
  await write(first, 'create table one (n int);\ninsert into one values (1);\n');
  await write(third, 'create table three (n int);');
});
afterEach(async () => {
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

test('applies each file once, by name, and records the time', async () => {
  expect(await pending(database.sql, directory)).toEqual([first, third]);
  expect(await migrate(database.sql, directory, at)).toEqual({ applied: [first, third] });
  expect(await migrate(database.sql, directory, at)).toEqual({ applied: [] });
  expect(await pending(database.sql, directory)).toEqual([]);
  const rows = await database.sql`select name, applied_at from migrations order by name`;
  expect(rows.map(({ name }) => name)).toEqual([first, third]);
  expect(rows.map(({ applied_at }) => String(applied_at))).toEqual([String(at), String(at)]);
});

test('applies a missing file even if a later one was applied', async () => {
  await migrate(database.sql, directory, at);
  await write(second, 'create table two (n int);');
  expect(await pending(database.sql, directory)).toEqual([second]);
  expect(await migrate(database.sql, directory, at)).toEqual({ applied: [second] });
});

test('rejects a changed file and applies nothing, but ignores changed line endings', async () => {
  await migrate(database.sql, directory, at);
  await write(first, 'create table one (n int);\r\ninsert into one values (1);\r\n');
  expect(await migrate(database.sql, directory, at)).toEqual({ applied: [] });
  await write(first, 'create table one (n bigint);');
  await write(second, 'create table two (n int);');
  await expect(migrate(database.sql, directory, at)).rejects.toThrow(first);
  await expect(pending(database.sql, directory)).rejects.toThrow(first);
  const [row] = await database.sql`select to_regclass('two') as two`;
  expect(row?.two).toBeNull();
});

test('needs nothing newer than PostgreSQL 15', async () => {
  const folder = path.join(import.meta.dirname, '../../../migrations');
  for (const name of await readdir(folder)) {
    const text = await readFile(path.join(folder, name), 'utf8');
    for (const [table] of text.matchAll(/create table [^;]+;/g)) {
      expect(table.replace(/--.*/g, ''), name).not.toMatch(
        /\bstorage\b|\bvirtual\b|without overlaps/,
      );
    }
    expect(text, name).not.toMatch(/any_value\(|uuidv7\(|json_table\(/);
  }
});

test('starts a release next to a newer one that only expanded the schema, until one contracts it', async () => {
  await write(second, 'create table two (n int);');
  const contracting = '20991231T0000_contract_two.sql';
  await migrate(database.sql, directory, at);
  await rm(path.join(directory, second));
  expect(await migrate(database.sql, directory, at)).toEqual({ applied: [] });
  expect(await pending(database.sql, directory)).toEqual([]);
  await write(second, 'create table two (n int);');
  await write(contracting, 'drop table two;');
  await migrate(database.sql, directory, at);
  await rm(path.join(directory, second));
  await rm(path.join(directory, contracting));
  const starts = [
    () => migrate(database.sql, directory, at),
    () => pending(database.sql, directory),
  ];
  for (const start of starts) {
    await expect(start()).rejects.toThrow(
      `newer than this release, which cannot work behind ${contracting}`,
    );
  }
});

test('keeps drops, renames and NOT NULLs in _contract_ migrations, and drops indexes before new ones', async () => {
  const migrations = path.join(import.meta.dirname, '../../../migrations');
  for (const name of await readdir(migrations)) {
    if (/^\d{8}T\d{4}_contract_/.test(name)) continue;
    const text = await readFile(path.join(migrations, name), 'utf8');
    expect(text.replace(/--.*/g, ''), name).not.toMatch(
      /\bdrop (table|column|function|sequence)\b|\brename\b|\bset not null\b/i,
    );
    // A writer would wait for one lock while it holds what the other needs.
    expect(text, name).not.toMatch(/\bcreate (unique )?index\b[\s\S]*\bdrop index\b/i);
  }
});

test('refuses a database that began with other files, and applies nothing', async () => {
  await migrate(database.sql, directory, at);
  const anew = '20250101T0900_anew.sql';
  await write(anew, 'create table anew (n int);');
  await expect(migrate(database.sql, directory, at)).rejects.toThrow(EarlierSchema);
  await expect(pending(database.sql, directory)).rejects.toThrow('start with an empty database');
  const [row] = await database.sql`select to_regclass('anew') as anew`;
  expect(row?.anew).toBeNull();
});

test('rolls back a failing file, and keeps earlier ones', async () => {
  await write(second, 'create table two (n int); select 1/0;');
  await expect(migrate(database.sql, directory, at)).rejects.toThrow(`${second} failed`);
  const rows = await database.sql`select name, to_regclass('two') as two from migrations`;
  expect([...rows]).toEqual([{ name: first, two: null }]);
  await write(second, 'create table two (n int);');
  expect(await migrate(database.sql, directory, at)).toEqual({ applied: [second, third] });
});

const quick = { lockMs: 200, pauseMs: 100, giveUpMs: 60_000 };

/** Holds a snapshot that has read the table `one`, until `over` is called. */
async function holdSnapshot() {
  const reader = connect(database.url, { max: 1, applicationName: 'long reader' });
  const over = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const reading = reader.begin('isolation level repeatable read', async (tx) => {
    await tx`select n from one`;
    holding.resolve();
    await over.promise;
  });
  await holding.promise;
  return {
    async end() {
      over.resolve();
      await reading;
      await reader.end();
    },
  };
}

test('lets calls through while a migration waits for a long reader', async () => {
  await migrate(database.sql, directory, at);
  await write(second, 'alter table one add column m int;');
  const reader = await holdSnapshot();
  const migrating = migrate(database.sql, directory, at, null, quick);
  const isWaiting = async () =>
    (await database.sql`select from pg_locks where relation = 'one'::regclass and not granted`)
      .length > 0;
  for (let calls = 0; calls < 3; calls += 1) {
    while (!(await isWaiting())) await pause(5);
    expect(await database.sql`select n from one`).toEqual([{ n: 1 }]);
  }
  await reader.end();
  expect(await migrating).toEqual({ applied: [second] });
  expect(await database.sql`select n, m from one`).toEqual([{ n: 1, m: null }]);
});

test('retries a migration that fails in a deadlock', async () => {
  await migrate(database.sql, directory, at);
  await database.sql`create sequence tries`;
  await write(
    second,
    `do $$ begin
      if nextval('tries') < 3 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
    end $$;`,
  );
  expect(await migrate(database.sql, directory, at, null, quick)).toEqual({ applied: [second] });
});

test('gives up a migration that waits too long for a lock, and names the session that holds it', async () => {
  await migrate(database.sql, directory, at);
  await write(second, 'alter table one add column m int;');
  const reader = await holdSnapshot();
  // Long enough to look who holds the lock, on a busy machine too.
  const waits = { ...quick, lockMs: 4_000, giveUpMs: 0 };
  await expect(migrate(database.sql, directory, at, null, waits)).rejects.toThrow(
    /session \d+ \(.*long reader.*\) holds a lock/,
  );
  await reader.end();
  expect(await pending(database.sql, directory)).toEqual([second]);
});

test('applies each file once from concurrent processes, with one connection each', async () => {
  const pools = Array.from({ length: 6 }, () =>
    connect(database.url, { max: 1, applicationName: 'test' }),
  );
  try {
    const results = await Promise.all(pools.map((pool) => migrate(pool, directory, at)));
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual([first, third]);
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
});

test('refuses a badly named file, and ignores other files', async () => {
  await write('README.md', 'about');
  await mkdir(path.join(directory, 'old'));
  expect(await pending(database.sql, directory)).toEqual([first, third]);
  await rename(path.join(directory, third), path.join(directory, 'third.sql'));
  await expect(migrate(database.sql, directory, at)).rejects.toThrow(
    'third.sql must be named like',
  );
});
