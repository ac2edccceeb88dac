import { afterAll, beforeAll, expect, test } from 'vitest';
import { evidences } from '../../src/audit/index.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { createWordIndexer } from '../../src/requests/index.ts';
import { keylessSealer, sealLagging } from '../../src/seals/index.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { accountOf, ask, storeAccounts } from '../harness/many-accounts.ts';
import { openExplained } from '../harness/plans.ts';

/** Covers the indexing of many accounts that write little: they share statements, in turn. */

const all = 150;

let database: TestDatabase;
let sql: Sql;
let explained: Awaited<ReturnType<typeof openExplained>>;
let last = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = database.sql;
  await storeAccounts(sql, all);
  explained = await openExplained(database);
});
afterAll(async () => {
  await explained?.close();
  await database?.drop();
});

const upTo = (count: number): number[] => Array.from({ length: count }, (_none, at) => at + 1);

/** Creates requests in accounts, and seals them. */
async function askSealed(numbers: readonly number[], each = 1): Promise<void> {
  last = await ask(sql, { numbers, last, each });
  await sealLagging(sql, keylessSealer, evidences);
}

/** Indexes the words of accounts in the given order. */
async function index(numbers: readonly number[], within: Sql = sql): Promise<void> {
  const indexer = createWordIndexer(within, wallClock);
  for (const no of numbers) indexer.note(accountOf(no));
  await indexer.work(new AbortController().signal);
}

const withoutWords = async (): Promise<string[]> => {
  const rows = await sql<{ account_id: string }[]>`
    select distinct account_id from requests r where not exists (
      select from request_words w where (w.account_id, w.kind, w.id) = (r.account_id, r.kind, r.id))
    order by account_id`;
  return rows.map((row) => row.account_id);
};

test('indexes the words of many accounts’ requests under the right account', async () => {
  await askSealed(upTo(all));
  await askSealed([1, 2, 3]);
  await index(upTo(all));
  expect(await withoutWords()).toEqual([]);
  const [foreign] = await sql<{ count: number }[]>`
    select count(*)::int as count from request_words, unnest(words) as word
    where not starts_with(word.lexeme, account_id)`;
  expect(foreign?.count).toBe(0);
});

test('needs as many statements for ninety accounts as for five', async () => {
  const statements = async (accounts: number): Promise<number> => {
    await askSealed(upTo(accounts));
    const ran = await explained.statementsOf((within) => index(upTo(accounts), within));
    expect(await withoutWords()).toEqual([]);
    return ran.length;
  };
  const few = await statements(5);
  expect(await statements(90)).toBe(few);
});

test('serves other accounts between the seals of an account with a long backlog', async () => {
  for (const _seal of upTo(4)) await askSealed([1], 2);
  await askSealed([2, 3], 300);
  const [before] = await sql<{ rows: number }[]>`select count(*)::int as rows from request_words`;
  await index([1, 2, 3]);
  expect(await withoutWords()).toEqual([]);
  // The table is append-only, so this is the order of writing.
  const written = await sql<{ account_id: string }[]>`
    select account_id from request_words order by ctid offset ${before?.rows ?? 0}`;
  const turns = written.map((row) => row.account_id).filter((id, at, ids) => id !== ids[at - 1]);
  expect(turns).toEqual([1, 2, 3, 1].map(accountOf));
});

test('writes all words of seals larger than one statement', async () => {
  await askSealed([4, 5], 510);
  await index([4, 5]);
  expect(await withoutWords()).toEqual([]);
});

test('writes other accounts’ words when those of one account cannot be written', async () => {
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$;
    create trigger refuses before insert on request_words for each row
      when (new.account_id = '${accountOf(2)}') execute function refuse()`);
  await askSealed([1, 2, 3]);
  await expect(index([1, 2, 3])).rejects.toThrow('Words of some accounts could not be written.');
  expect(await withoutWords()).toEqual([accountOf(2)]);
  await sql`drop trigger refuses on request_words`;
  await index([2]);
  expect(await withoutWords()).toEqual([]);
});

test('writes all words with concurrent writers, one of which is stopped', async () => {
  await askSealed(upTo(all), 10);
  const stopped = new AbortController();
  const cut = createWordIndexer(sql, wallClock);
  for (const no of upTo(all)) cut.note(accountOf(no));
  stopped.abort();
  await Promise.all([cut.work(stopped.signal), index(upTo(all)), index(upTo(all).toReversed())]);
  expect(await withoutWords()).toEqual([]);
});
