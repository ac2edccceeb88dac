import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../../src/platform/postgres/connect.ts';
import { cellsOf, endOfCell, integerIn } from '../../../src/platform/postgres/copy-cells.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  sql = database.sql;
});
afterAll(() => database.drop());

test('yields rows one by one, in order, and lets the transaction continue', async () => {
  const many = 20_000;
  await sql.begin(async (tx) => {
    const numbers: number[] = [];
    await tx
      .unsafe(`copy (select n, -n from generate_series(1, ${many}) as n order by n) to stdout`)
      .takeRows((row) => {
        const end = endOfCell(row, 0);
        numbers.push(integerIn(row, 0, end) + integerIn(row, end + 1, row.length - 1) * 2);
      });
    expect(numbers).toEqual(Array.from({ length: many }, (_unused, index) => -index - 1));
    expect(await tx`select 1 as one`).toEqual([{ one: 1 }]);
  });
});

test('returns cells unchanged, including nulls and any text', async () => {
  const cell = fc.option(
    fc
      .array(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 8 }),
          fc.constantFrom('\\N', '\\', '\\n', '\t', '\n', '\r', '\v', '\b', '\f', '\x01', ''),
        ),
        { maxLength: 6 },
      )
      .map((parts) => parts.join('').replaceAll('\0', '')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 20 }), async (rows) => {
      const found = await sql.begin(async (tx) => {
        await tx`create temporary table copied (no int, a text, b text) on commit drop`;
        await tx`
          insert into copied select no, a, b
          from unnest(${rows.map(([a]) => a)}::text[], ${rows.map(([, b]) => b)}::text[])
            with ordinality as row (a, b, no)`;
        const read: (string | null)[][] = [];
        await tx
          .unsafe('copy (select a, b from copied order by no) to stdout')
          .takeRows((row) => read.push(cellsOf(row, 0)));
        return read;
      });
      expect(found).toEqual(rows);
    }),
    { numRuns: 50, seed: 20261123 },
  );
});

test('throws the row handler’s error after the server finishes, and keeps the connection', async () => {
  const pids = async (): Promise<unknown> => (await sql`select pg_backend_pid() as pid`)[0]?.pid;
  let taken = 0;
  const copying = sql.begin(async (tx) => {
    const [before] = await tx`select pg_backend_pid() as pid`;
    const copy = tx.unsafe('copy (select generate_series(1, 100000)) to stdout').takeRows(() => {
      taken += 1;
      throw new RangeError('enough');
    });
    await expect(copy).rejects.toThrow('enough');
    const [after] = await tx`select pg_backend_pid() as pid`;
    expect(after).toEqual(before);
  });
  // A failed statement rolls the transaction back, even if its error is caught.
  await expect(copying).rejects.toThrow('enough');
  expect(taken).toBe(1);
  expect(await pids()).toEqual(expect.any(Number));
});

test('rejects on a server error, before the first row or later', async () => {
  const copy = (text: string): Promise<void> =>
    sql.begin((tx) => tx.unsafe(`copy (${text}) to stdout`).takeRows(() => {}));
  await expect(copy('select from nowhere')).rejects.toMatchObject({ code: '42P01' });
  const late = copy('select 1 / (50000 - n) from generate_series(1, 60000) as n');
  await expect(late).rejects.toMatchObject({ code: '22012' });
});

test('refuses to run outside of a transaction', async () => {
  const copy = sql.unsafe('copy (select 1) to stdout').takeRows(() => {});
  await expect(copy).rejects.toThrow(TypeError);
});

test('fails for a truncated row, and for an integer beyond the safe range', () => {
  const row = Buffer.from('1\t9007199254740993\n');
  expect(() => endOfCell(row, row.length)).toThrow('fewer cells');
  expect(() => integerIn(row, 2, row.length - 1)).toThrow(RangeError);
});
