import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

test('names a changed file and applies nothing; ignores changed line endings', async () => {
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

test('leaves drops, renames and new NOT NULLs to migrations named _contract_', async () => {
  const migrations = path.join(import.meta.dirname, '../../../migrations');
  for (const name of await readdir(migrations)) {
    if (/^\d{8}T\d{4}_contract_/.test(name)) continue;
    const text = await readFile(path.join(migrations, name), 'utf8');
    expect(text.replace(/--.*/g, ''), name).not.toMatch(
      /\bdrop (table|column|function|sequence)\b|\brename\b|\bset not null\b/i,
    );
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
