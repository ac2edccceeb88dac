import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { journalEvidence, sealAll } from '../../../src/money/ledger/index.ts';
import { wallClock } from '../../../src/platform/clocks.ts';
import type { Sql } from '../../../src/platform/postgres/connect.ts';
import { checkChain, checkRows } from '../../../src/seals/check.ts';
import { createSealKeys, type Sealer } from '../../../src/seals/index.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';

/** What waits in many accounts is folded and sealed together, each in its own chain. */

const all = 130;
const amount = 100;
const idOf = (no: number): string => `A${String(no).padStart(7, '0')}`;
const everybody = Array.from({ length: all }, (_none, place) => idOf(place + 1));
const sealer: Sealer = {
  keys: createSealKeys([{ id: 'k1', key: randomBytes(32) }]),
  moment: wallClock.now,
};

let database: TestDatabase;
let sql: Sql;
let last = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = database.sql;
});
afterAll(() => database?.drop());
beforeEach(async () => {
  await sql`delete from balance_deltas`;
  await sql`delete from balances`;
});

/** Posts to each of some accounts so many times, each a journal with its delta. */
async function post(accountIds: readonly string[], times = 1): Promise<void> {
  const first = last;
  last += times * accountIds.length;
  const posted = sql`
    (select account_id, ${first}::bigint + row_number() over () as id
    from unnest(${accountIds}::text[]) as account_id, generate_series(1, ${times}::int)) as posted`;
  await sql`
    insert into journals (account_id, id, kind, result_id, at, on_date, accounts, amounts)
    select account_id, id, 'collection', id, '2026-11-01', '2026-11-01', '{107,1}',
      array[${amount}::bigint, -${amount}::bigint]
    from ${posted}`;
  await sql`
    insert into balance_deltas (account_id, id, accounts, amounts, journal_ids)
    select account_id, id, '{107,1}', array[${amount}::bigint, -${amount}::bigint], array[id]
    from ${posted}`;
}

/** How much of an account is folded and waits, and how often its journals are sealed. */
async function stateOf(accountId: string) {
  const [row] = await sql<{ folded: number; waiting: number; sealed: number; journals: number }[]>`
    select coalesce((select amount from balances
        where account_id = ${accountId} and ledger_account = 107), 0)::int as folded,
      (select count(*)::int from balance_deltas where account_id = ${accountId}) as waiting,
      (select count(*)::int from seals, unnest(keys)
        where account_id = ${accountId} and kind = ${journalEvidence.kind}) as sealed,
      (select count(*)::int from journals where account_id = ${accountId}) as journals`;
  return row;
}

async function faultsOf(accountId: string): Promise<string[]> {
  return [
    ...(await checkChain(sql, sealer.keys, accountId, { no: 0, hash: null })),
    ...(await checkRows(sql, sealer.keys, accountId, journalEvidence)),
  ];
}

test('sealed by two at once, each posting is folded once and sealed once', async () => {
  await post(everybody);
  await Promise.all([sealAll(sql, sealer), sealAll(sql, sealer)]);
  await sealAll(sql, sealer);
  for (const accountId of everybody) {
    expect(await stateOf(accountId)).toEqual({
      folded: amount,
      waiting: 0,
      sealed: 1,
      journals: 1,
    });
    expect(await faultsOf(accountId)).toEqual([]);
  }
});

test('where much waits of one and little of others, all of it is sealed', async () => {
  const [much, little] = [idOf(1), idOf(2)];
  const before = await stateOf(much);
  await post([much], 700);
  await post([little], 3);
  await sealAll(sql, sealer);
  expect(await stateOf(much)).toMatchObject({
    folded: 700 * amount,
    waiting: 0,
    sealed: (before?.journals ?? 0) + 700,
  });
  expect(await stateOf(little)).toMatchObject({ folded: 3 * amount, waiting: 0 });
  expect([...(await faultsOf(much)), ...(await faultsOf(little))]).toEqual([]);
});

test('one that cannot be sealed keeps no others waiting, and loses nothing', async () => {
  const [broken, ...others] = [idOf(7), idOf(6), idOf(8), idOf(all)];
  // One more than this is no number of the database's.
  await sql`
    insert into balances (account_id, ledger_account, amount)
    values (${broken}, 107, 9223372036854775807)`;
  const before = await Promise.all(others.map(stateOf));
  await post([broken, ...others]);
  await expect(sealAll(sql, sealer)).rejects.toThrow('Some accounts could not be sealed.');
  for (const [place, accountId] of others.entries()) {
    const sealed = (before[place]?.sealed ?? 0) + 1;
    expect(await stateOf(accountId)).toMatchObject({ folded: amount, waiting: 0, sealed });
  }
  await sql`delete from balances where account_id = ${broken}`;
  await sealAll(sql, sealer);
  expect(await stateOf(broken)).toMatchObject({ folded: amount, waiting: 0 });
  expect(await faultsOf(broken)).toEqual([]);
});
