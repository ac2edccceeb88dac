import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isConnectionFailure } from '../../../src/platform/errors.ts';
import type { Transaction } from '../../../src/platform/postgres/connect.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';

// The driver throws outside of any caller when it writes to a lost connection, so a failure here
// ends the whole test process.

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ max: 6 });
});
afterAll(() => database.drop());

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

const pidOf = async (tx: Transaction): Promise<number> => {
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row?.pid ?? 0;
};

async function cut(pid: number): Promise<void> {
  const { sql } = database;
  await sql`select pg_terminate_backend(${pid}::int)`;
  for (;;) {
    const left = await sql`select 1 from pg_stat_activity where pid = ${pid}`;
    if (left.length === 0) return;
  }
}

/**
 * Waits until statements succeed: one may hit the lost connection before the next opens another.
 */
const expectHealed = (): Promise<void> =>
  vi.waitFor(async () => expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]));

test('fails a transaction whose connection is lost while it waits', async () => {
  for (let turn = 0; turn < 10; turn += 1) {
    const failure = await failureOf(
      database.sql.begin(async (tx) => {
        await tx`select pg_terminate_backend(pg_backend_pid())`;
      }),
    );
    expect(isConnectionFailure(failure)).toBe(true);
  }
  await expectHealed();
});

test('fails a transaction that continues after its connection was lost', async () => {
  for (let turn = 0; turn < 10; turn += 1) {
    const failure = await failureOf(
      database.sql.begin(async (tx) => {
        await cut(await pidOf(tx));
        await new Promise((resolve) => setImmediate(resolve));
        await tx`select 1`;
        await tx`select 2`;
      }),
    );
    expect(isConnectionFailure(failure)).toBe(true);
  }
  await expectHealed();
});

test('fails a cursor whose connection is lost while its reader works', async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    const failure = await failureOf(
      database.sql.begin(async (tx) => {
        const pid = await pidOf(tx);
        for await (const _rows of tx`select generate_series(1, 100)`.cursor(10)) {
          await cut(pid);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }),
    );
    expect(isConnectionFailure(failure)).toBe(true);
  }
  await expectHealed();
});

test('fails a pool’s cursor that loses its connection, unless its reader stops first', async () => {
  const read = async (goesOn: boolean): Promise<void> => {
    const rows = database.sql<{ pid: number }[]>`
      select pg_backend_pid() as pid from generate_series(1, 100)`;
    for await (const [row] of rows.cursor(10)) {
      await cut(row?.pid ?? 0);
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (!goesOn) return;
    }
  };
  expect(isConnectionFailure(await failureOf(read(true)))).toBe(true);
  await read(false);
  await expectHealed();
});

test('fails the writer of a COPY that the server refuses after its last row', async () => {
  const failure = await failureOf(
    database.sql.begin(async (tx) => {
      await tx`create temporary table copied (n int) on commit drop`;
      const copy = await tx`copy copied from stdin`.writable();
      await pipeline(Readable.from(['1\n', 'no number\n']), copy);
    }),
  );
  expect(failure).toMatchObject({ code: '22P02' });
  await expectHealed();
});
