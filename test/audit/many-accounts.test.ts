import { afterAll, beforeAll, expect, test } from 'vitest';
import { evidences } from '../../src/audit/index.ts';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { checkChain, checkRows } from '../../src/seals/check.ts';
import { sealLagging } from '../../src/seals/index.ts';
import { asSuperuser, createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { keyedSealer } from '../harness/keys.ts';
import { accountOf, ask, ended, storeAccounts } from '../harness/many-accounts.ts';
import { openExplained, type Ran } from '../harness/plans.ts';
import { openProxy } from '../harness/proxy.ts';

/** Seals many accounts with few writes together, each in its own chain. */

const all = 150;
const sealer = keyedSealer();

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

/** Creates a request in each of the first accounts. */
async function askOf(accounts: number): Promise<void> {
  const numbers = Array.from({ length: accounts }, (_none, at) => at + 1);
  last = await ask(sql, { numbers, last });
}

const seal = (within: Sql = sql, sealed?: (accountId: string) => void) =>
  sealLagging(within, sealer, evidences, sealed);

/** Counts the sealed events and requests of all accounts by the number of their seals. */
const timesSealed = () => sql<{ kind: string; times: number; rows: number }[]>`
  select kind, times::int, count(*)::int as rows from (
    select account_id, kind, key, count(*) as times from seals, unnest(keys) as key
    where kind in ('event', 'request') group by account_id, kind, key
  ) as sealed group by kind, times order by kind, times`;

test('seals each row of many accounts once, with every chain intact', async () => {
  await askOf(all);
  await askOf(3);
  await seal();
  const rows = all + 3;
  expect(await timesSealed()).toEqual([
    { kind: 'event', times: 1, rows },
    { kind: 'request', times: 1, rows },
  ]);
  for (let no = 1; no <= all; no += 1) {
    expect(await checkChain(sql, sealer.keys, accountOf(no), { no: 0, hash: null })).toEqual([]);
    for (const evidence of evidences.filter(({ kind }) => kind === 'request' || kind === 'event')) {
      expect(await checkRows(sql, sealer.keys, accountOf(no), evidence)).toEqual([]);
    }
  }
});

test('resumes an interrupted sealing in each account where it stopped', async () => {
  const before = (await timesSealed()).reduce((sum, { rows }) => sum + rows, 0);
  await askOf(all);
  let heard = 0;
  const cutOff = seal(sql, () => {
    heard += 1;
    if (heard === 1) throw new Error('cut off');
  });
  await expect(cutOff).rejects.toThrow('cut off');
  const [sealed] = await sql<{ accounts: number }[]>`
    select count(*)::int as accounts from seal_marks where account_id <> ''
      and next_xid > (select next_xid from seal_marks where account_id = '')`;
  expect(sealed?.accounts).toBeGreaterThan(1);
  expect(sealed?.accounts).toBeLessThan(all);
  // Both sealed and unsealed accounts write again before sealing resumes.
  await askOf(all);
  await seal();
  const after = await timesSealed();
  expect(after.map(({ times }) => times)).toEqual([1, 1]);
  expect(after.reduce((sum, { rows }) => sum + rows, 0)).toBe(before + 4 * all);
  for (const no of [1, 99, 100, 101, all]) {
    expect(await checkChain(sql, sealer.keys, accountOf(no), { no: 0, hash: null })).toEqual([]);
  }
});

test('seals each row once with several concurrent sealers', async () => {
  await askOf(all);
  await Promise.all([seal(), seal(), seal()]);
  await seal();
  expect((await timesSealed()).map(({ times }) => times)).toEqual([1, 1]);
});

test('isolates an unsealable account, and seals it later without loss', async () => {
  const broken = accountOf(7);
  const times = await timesSealed();
  await askOf(all);
  // Occupies the number of the account's next seal.
  await sql`
    insert into seals (account_id, no, kind, keys, digests)
    select account_id, max(no) + 1, 'stray', '{}', '{}' from seal_links
    where account_id = ${broken} group by account_id`;
  const sealed: string[] = [];
  const hear = (accountId: string): void => void sealed.push(accountId);
  await expect(seal(sql, hear)).rejects.toThrow('Some accounts could not be sealed.');
  expect(sealed.filter((accountId) => accountId !== broken)).toHaveLength(all - 1);
  expect(sealed).not.toContain(broken);
  await askOf(all);
  await expect(seal()).rejects.toThrow('Some accounts could not be sealed.');
  const rows = (times[0]?.rows ?? 0) + 2 * (all - 1);
  expect(await timesSealed()).toEqual([
    { kind: 'event', times: 1, rows },
    { kind: 'request', times: 1, rows },
  ]);
  await asSuperuser(`delete from seals where kind = 'stray'`, database.url);
  await seal();
  expect(await timesSealed()).toEqual([
    { kind: 'event', times: 1, rows: rows + 2 },
    { kind: 'request', times: 1, rows: rows + 2 },
  ]);
  expect(await checkChain(sql, sealer.keys, broken, { no: 0, hash: null })).toEqual([]);
});

test('stops trying accounts when the database disconnects, and seals the rest once it is back', async () => {
  await seal();
  const times = await timesSealed();
  await askOf(all);
  const proxy = await openProxy(database.url);
  const cut = connect(proxy.url, { max: 1, applicationName: 'test' });
  const before = proxy.accepted();
  const sealed: string[] = [];
  const fault = await seal(cut, (accountId) => {
    if (sealed.push(accountId) > 1) return;
    proxy.behave('hang up');
    proxy.cut('reset');
  }).catch((error: AggregateError) => error);
  expect(fault).toMatchObject({ message: 'Some accounts could not be sealed.' });
  expect(Object(fault).cause.errors).toHaveLength(3);
  expect(sealed).toHaveLength(100);
  // Halving the failed group of fifty, down to one account and its successors, takes few
  // connections.
  expect(proxy.accepted() - before).toBeLessThan(20);
  await cut.end();
  await proxy.close();
  await seal();
  const rows = (times[0]?.rows ?? 0) + all;
  expect(await timesSealed()).toEqual([
    { kind: 'event', times: 1, rows },
    { kind: 'request', times: 1, rows },
  ]);
});

test('needs as many statements for ninety accounts as for five', async () => {
  const statements = async (accounts: number): Promise<number> => {
    await seal();
    await askOf(accounts);
    return (await explained.statementsOf(seal)).length;
  };
  const few = await statements(5);
  expect(await statements(90)).toBe(few);
});

const blocksOf = (ran: readonly Ran[]): number => ran.reduce((sum, { blocks }) => sum + blocks, 0);
const results = 2_000;

test('looks up rows by key if a table’s statistics are outdated', async () => {
  await seal();
  await sql`analyze results`;
  await sql.begin(async (tx) => {
    await tx`
      insert into results (account_id, id, request_id, kind, type, channel, channel_label, amount,
        unreleased, paid_at, informed_at, informed_on, available_on, source, source_ref, payer,
        description, details)
      select ${accountOf(1)}, 1000000 + no, 1, 'payment_request', 'collected', 'credit_card', 'Visa',
        100, 100, '2026-01-01', '2026-01-01', '2026-01-01', '2030-01-01', 'file', no, 'Socia',
        'Cuota', '{}'
      from generate_series(1, ${results}::int) as no`;
    await tx`
      insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
      select ${accountOf(1)}, 'payment_request', '1', 1 + no, ${last}::bigint + no,
        'payment_request.paid', '2026-11-01', 'system',
        json_build_object('request_result_id', 1000000 + no)
      from generate_series(1, ${results}::int) as no`;
  });
  await ended(sql);
  const ran = await explained.statementsOf(seal);
  // Scanning the account's rows for each result would read twice as many.
  expect(blocksOf(ran)).toBeLessThan(20 * results);
  const [sealed] = await sql<{ rows: number }[]>`
    select sum(cardinality(keys))::int as rows from seals where kind = 'result'`;
  expect(sealed?.rows).toBe(results);
});
