import { createHash } from 'node:crypto';
import type { Queryable, Sql } from '../platform/postgres/connect.ts';

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

/** The next link of the chain: SHA-256 over the last link and the journals' texts in id order. */
export const chainHash = (last: Buffer | null, texts: readonly string[]): Buffer =>
  createHash('sha256')
    .update(last ?? Buffer.alloc(32))
    .update(texts.join('\n'), 'utf8')
    .digest();

/** Accounts that have deltas to fold. */
export async function accountsToSeal(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ account_id: string }[]>`
    select distinct account_id from balance_deltas limit 1000`;
  return rows.map((row) => row.account_id);
}

/**
 * Folds an account's waiting deltas into its balances and chains a seal over their journals, in
 * one transaction. Posting never waits for it. Answers how many deltas were folded.
 */
export async function sealAccount(sql: Sql, accountId: string): Promise<number> {
  return await sql.begin(async (tx) => {
    // One sealer for an account at a time, so that the chain has no fork.
    await tx`select pg_advisory_xact_lock(hashtextextended(${`seal ${accountId}`}, 0))`;
    const taken = await tx<{ journal_ids: number[] }[]>`
      with taken as (
        delete from balance_deltas where account_id = ${accountId} and id = any(array(
          select id from (
            select id, sum(journals) over (order by id) - journals as before
            from (
              select id, cardinality(journal_ids) as journals from balance_deltas
              where account_id = ${accountId} order by id limit ${deltasPerSeal}
            ) as waiting
          ) as counted where before < ${journalsPerSeal}))
        returning accounts, amounts, journal_ids
      ),
      folded as (
        insert into balances (account_id, ledger_account, amount)
        select ${accountId}, line.account, sum(line.amount)::bigint
        from taken, unnest(accounts, amounts) as line (account, amount)
        group by line.account
        on conflict (account_id, ledger_account)
        do update set amount = balances.amount + excluded.amount
      )
      select journal_ids from taken`;
    if (taken.length === 0) return 0;
    const ids = taken.flatMap((row) => row.journal_ids).sort((a, b) => a - b);
    const texts = await tx<{ text: string }[]>`
      select ${sealedText(tx)} as text from journals
      where account_id = ${accountId} and id = any(${ids}::bigint[]) order by id`;
    const [last] = await tx<{ no: number; hash: Buffer }[]>`
      select no, hash from seals where account_id = ${accountId} order by no desc limit 1`;
    const hash = chainHash(
      last?.hash ?? null,
      texts.map((row) => row.text),
    );
    await tx`
      insert into seals (account_id, no, journal_ids, hash)
      values (${accountId}, ${(last?.no ?? 0) + 1}, ${ids}::bigint[], ${hash})`;
    return taken.length;
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
