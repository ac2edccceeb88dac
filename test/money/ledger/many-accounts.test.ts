import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operatorBooks } from '../../../src/accounts/index.ts';
import {
  foldAccounts,
  journalEvidence,
  ledgerDays,
  sealAll,
} from '../../../src/money/ledger/index.ts';
import type { Sql } from '../../../src/platform/postgres/connect.ts';
import { checkChain, checkRows } from '../../../src/seals/check.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';
import { keyedSealer } from '../../harness/keys.ts';

/**
 * Covers the folding and sealing of many accounts' deltas together, each account in its own chain.
 */

const all = 130;
const amount = 100;
const idOf = (no: number): string => `A${String(no).padStart(7, '0')}`;
const everybody = Array.from({ length: all }, (_none, place) => idOf(place + 1));
const sealer = keyedSealer();

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

/** Posts `times` journals to each of these accounts, each with its own delta. */
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

/** Counts an account's folded and pending deltas, and the seals of its journals. */
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

test('folds and seals each posting once with two concurrent sealers', async () => {
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

test('seals everything if one account has many deltas and others few', async () => {
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

test('isolates an unsealable account, and loses nothing', async () => {
  const [broken, ...others] = [idOf(7), idOf(6), idOf(8), idOf(all)];
  // The largest bigint, so that the next posting overflows.
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

test('seals the longest-waiting accounts first if one turn cannot take all', async () => {
  const early = 'Z0000001';
  await post([early]);
  const many = Array.from({ length: 1_000 }, (_none, no) => `B${String(no).padStart(7, '0')}`);
  await post(many);
  await sealAll(sql, sealer);
  expect(await stateOf(early)).toMatchObject({ folded: amount, waiting: 0 });
  const [left] = await sql<{ accounts: number }[]>`
    select count(distinct account_id)::int as accounts from balance_deltas`;
  expect(left).toEqual({ accounts: 1 });
  await sealAll(sql, sealer);
  expect(await sql`select from balance_deltas`).toEqual([]);
});

test('isolates an account with a failing fold', async () => {
  const [broken, other] = ['C0000001', 'C0000002'];
  await sql`
    insert into accounts (id, name, cuit, city, created_at)
    select id, 'Cooperativa', '30999999995', 'Rosario', '2026-01-01'
    from unnest(${[broken, other]}::text[]) as id`;
  await post([broken, other]);
  await sealAll(sql, sealer);
  await sql`
    insert into ledger_days (account_id, ledger_account, day, kind, debits, debit, credits, credit)
    values (${broken}, 107, '2026-11-01', 'collection', 1, 9223372036854775807, 0, 0)`;
  await expect(foldAccounts(sql, ledgerDays)).rejects.toThrow('The ledger days of some accounts');
  const days = await sql<{ debit: number }[]>`
    select debit::int from ledger_days where account_id = ${other} and ledger_account = 107`;
  expect(days).toEqual([{ debit: amount }]);
  await sql`delete from ledger_days where account_id = ${broken}`;
  await foldAccounts(sql, ledgerDays);
});

test('folds the days of the operator’s own books like any other’s', async () => {
  await post([operatorBooks], 3);
  await sealAll(sql, sealer);
  await foldAccounts(sql, ledgerDays);
  const days = await sql<{ debits: number }[]>`
    select debits::int from ledger_days where account_id = ${operatorBooks} and ledger_account = 107`;
  expect(days).toEqual([{ debits: 3 }]);
});
