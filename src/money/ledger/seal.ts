import { createHash } from 'node:crypto';
import type { Queryable, Sql } from '../../platform/postgres/connect.ts';

/** Deltas folded in one transaction; each holds the journals of one posting statement. */
const deltasPerSeal = 500;
/** Journals of one seal, give or take those of one delta: their texts are in memory together. */
const journalsPerSeal = 10_000;

/**
 * A journal's text in the hash chain: everything that it says, as the database writes it. A null
 * cause leaves no mark, so seals from before there were causes still match.
 */
export const sealedText = (sql: Queryable) => sql`
  concat_ws('|', id, kind, coalesce(result_id::text, ''), coalesce(request_id::text, ''),
    extract(epoch from at)::text, on_date - date '1970-01-01', accounts::text, amounts::text, cause)`;

/** What the first seal is chained to. */
const firstLink = Buffer.alloc(32);

/** The next link of the chain: SHA-256 over the last link and the journals' texts in id order. */
export const chainHash = (last: Buffer | null, texts: readonly string[]): Buffer =>
  createHash('sha256')
    .update(last ?? firstLink)
    .update(texts.join('\n'), 'utf8')
    .digest();

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
 * Folds an account's waiting deltas into its balances and chains a seal over their journals, in
 * one transaction. Posting never waits for it. The database computes the hash (`chainHash` says
 * how), since thousands of texts on their way here would hold up calls. Answers how many deltas
 * were folded.
 */
export async function sealAccount(sql: Sql, accountId: string): Promise<number> {
  return await sql.begin(async (tx) => {
    // One sealer for an account at a time, so that the chain has no fork.
    await tx`select pg_advisory_xact_lock(hashtextextended(${`seal ${accountId}`}, 0))`;
    const [row] = await tx<{ folded: number }[]>`
      with taken as (${takeDeltas(tx, accountId)}),
      folded as (
        insert into balances (account_id, ledger_account, amount)
        select ${accountId}, line.account, sum(line.amount)::bigint
        from taken, unnest(accounts, amounts) as line (account, amount)
        group by line.account
        on conflict (account_id, ledger_account)
        do update set amount = balances.amount + excluded.amount
      ),
      covered as (select array_agg(id order by id) as ids from taken, unnest(journal_ids) as id),
      last as (
        select no, hash from seals where account_id = ${accountId} order by no desc limit 1
      ),
      sealed as (
        insert into seals (account_id, no, journal_ids, hash)
        select ${accountId}, coalesce(last.no, 0) + 1, covered.ids,
          sha256(coalesce(last.hash, ${firstLink}::bytea) || convert_to(coalesce((
            select string_agg(${sealedText(tx)}, e'\n' order by id) from journals
            where account_id = ${accountId} and id = any(covered.ids)), ''), 'UTF8'))
        from covered left join last on true where covered.ids is not null
      )
      select count(*)::int as folded from taken`;
    return row?.folded ?? 0;
  });
}

/** Folds what waits now, seal after seal; what comes meanwhile is for the next time. */
export async function sealWaiting(sql: Sql, accountId: string): Promise<void> {
  const [row] = await sql<{ waiting: number }[]>`
    select count(*) as waiting from balance_deltas where account_id = ${accountId}`;
  let left = row?.waiting ?? 0;
  while (left > 0) {
    const folded = await sealAccount(sql, accountId);
    if (folded === 0) return;
    left -= folded;
  }
}

/** Seals what waits in every account; one that fails does not keep the others waiting. */
export async function sealAll(sql: Sql): Promise<void> {
  const failures: unknown[] = [];
  for (const accountId of await accountsToSeal(sql)) {
    await sealWaiting(sql, accountId).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some accounts could not be sealed.');
}
