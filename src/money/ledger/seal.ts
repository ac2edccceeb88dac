import { eachAccount } from '../../platform/each-account.ts';
import type { Queryable, Sql } from '../../platform/postgres/connect.ts';
import {
  type Evidence,
  holdChains,
  keylessSealer,
  namedRows,
  type Sealer,
} from '../../seals/index.ts';

/** Deltas folded in one transaction; each holds the journals of one posting statement. */
const deltasPerSeal = 500;
/** Journals of one seal, give or take those of one delta. */
const journalsPerSeal = 10_000;

/** A journal never changes, and nothing of it may. It is sealed as its delta is folded. */
export const journalEvidence: Evidence = {
  kind: 'journal',
  from: 'journals',
  key: { id: 'bigint' },
  columns: ['kind', 'result_id', 'request_id', 'at', 'on_date', 'accounts', 'amounts', 'cause'],
  touched: {
    waiting: 'select account_id, unnest(journal_ids)::text as key from balance_deltas',
  },
  settled: true,
  strict: true,
};

/** Accounts that have deltas to fold. */
async function accountsToSeal(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ account_id: string }[]>`
    select distinct account_id from balance_deltas limit 1000`;
  return rows.map((row) => row.account_id);
}

/** Deltas that a seal takes, the oldest first. */
const takeDeltas = (sql: Queryable, accountId: string) => sql`
  delete from balance_deltas where account_id = ${accountId} and id = any(array(
    select id from (
      select id, sum(journals) over (order by id) - journals as before
      from (
        select id, cardinality(journal_ids) as journals from balance_deltas
        where account_id = ${accountId} order by id limit ${deltasPerSeal}
      ) as waiting
    ) as counted where before < ${journalsPerSeal}))
  returning accounts, amounts, journal_ids`;

/**
 * Folds an account's waiting deltas into its balances and seals their journals, in one transaction.
 * Posting never waits for it. Answers how many deltas were folded.
 */
export async function sealAccount(
  sql: Sql,
  accountId: string,
  sealer: Sealer = keylessSealer,
): Promise<number> {
  return await sql.begin(async (tx) => {
    const chains = await holdChains(tx, sealer, [accountId]);
    const [row] = await tx<{ folded: number; ids: number[] | null }[]>`
      with taken as (${takeDeltas(tx, accountId)}),
      folded as (
        insert into balances (account_id, ledger_account, amount)
        select ${accountId}, line.account, sum(line.amount)::bigint
        from taken, unnest(accounts, amounts) as line (account, amount)
        group by line.account
        on conflict (account_id, ledger_account)
        do update set amount = balances.amount + excluded.amount
      )
      select count(*)::int as folded,
        (select array_agg(id order by id) from taken, unnest(journal_ids) as id) as ids
      from taken`;
    const ids = row?.ids ?? [];
    if (ids.length > 0) {
      const sealed = tx`select ${accountId}, unnest(${ids}::bigint[])`;
      const rows = namedRows(tx, journalEvidence, [accountId], sealed);
      await chains.seal(journalEvidence.kind, rows);
    }
    return row?.folded ?? 0;
  });
}

/** Folds what waits now, seal after seal; what comes meanwhile is for the next time. */
export async function sealWaiting(
  sql: Sql,
  accountId: string,
  sealer: Sealer = keylessSealer,
): Promise<void> {
  const [row] = await sql<{ waiting: number }[]>`
    select count(*) as waiting from balance_deltas where account_id = ${accountId}`;
  let left = row?.waiting ?? 0;
  while (left > 0) {
    const folded = await sealAccount(sql, accountId, sealer);
    if (folded === 0) return;
    left -= folded;
  }
}

/**
 * Seals what waits in every account, and then does what follows the seals of each; one that fails
 * does not keep the others waiting.
 */
export async function sealAll(
  sql: Sql,
  sealer: Sealer,
  sealed?: (accountId: string) => Promise<void>,
): Promise<void> {
  await eachAccount(
    await accountsToSeal(sql),
    { atOnce: 1, failed: 'Some accounts could not be sealed.' },
    async (accountId) => {
      await sealWaiting(sql, accountId, sealer);
      await sealed?.(accountId);
    },
  );
}
