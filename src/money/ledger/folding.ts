import { eachAccount } from '../../platform/each-account.ts';
import { lockNames } from '../../platform/postgres/advisory-lock.ts';
import type { Queryable, Sql } from '../../platform/postgres/connect.ts';
import { hasSealedJournals, journalsOfSeals, journalsWaiting } from './relations.ts';

type Fragment = ReturnType<Queryable>;

/** Seals per transaction. Each contains at most 10,000 journals. */
const sealsPerFold = 10;

/** Sums of journals, brought up to date seal by seal. */
export interface Folding {
  /** Name for locks and faults. */
  name: string;
  /** Selects the number of the account's last folded seal. */
  mark(sql: Queryable, accountId: Fragment): Fragment;
  /** Returns the start of an insert into the table of marks `(account_id, seal_no)`. */
  intoMarks(sql: Queryable): Fragment;
  /** Selects the accounts to fold, as a relation `a` with `account_id`. */
  accounts(sql: Queryable): Fragment;
  /** Books without an account row, which are always folded. */
  besides?: readonly string[];
  /** Builds the statement that adds journals `(id)` to an account's sums. */
  add(sql: Queryable, accountId: string, journals: Fragment): Fragment;
}

const markOf = (sql: Queryable, folding: Folding, accountId: Fragment): Fragment => sql`
  coalesce((${folding.mark(sql, accountId)}), 0)`;

/** Selects journals `(id)` of an account that are not folded yet. */
export const journalsUnfolded = (sql: Queryable, folding: Folding, accountId: string): Fragment => {
  const after = markOf(sql, folding, sql`${accountId}`);
  return sql`
    select id from (${journalsOfSeals(sql, accountId, { after, most: null })}) as sealed
    union all ${journalsWaiting(sql, accountId)}`;
};

/** Folds an account's next seals. Returns true if more may be left. */
async function foldSeals(tx: Queryable, folding: Folding, accountId: string): Promise<boolean> {
  const next = { after: markOf(tx, folding, tx`${accountId}`), most: sealsPerFold };
  const [row] = await tx<{ seals: number }[]>`
    with taken as materialized (${journalsOfSeals(tx, accountId, next)}),
    folded as (${folding.add(tx, accountId, tx`select id from taken`)}),
    marked as (
      ${folding.intoMarks(tx)} select ${accountId}, max(no) from taken having count(*) > 0
      on conflict (account_id) do update set seal_no = excluded.seal_no
    )
    select count(distinct no)::int as seals from taken`;
  return row?.seals === sealsPerFold;
}

/**
 * Folds an account's sealed journals into its sums, some seals at a time, each once. Never blocks
 * readers.
 */
export async function foldAccount(sql: Sql, folding: Folding, accountId: string): Promise<void> {
  const some = (): Promise<boolean> =>
    sql.begin(async (tx) => {
      await lockNames(tx, `${folding.name} ${accountId}`);
      return await foldSeals(tx, folding, accountId);
    });
  while (await some());
}

/**
 * Folds every account that lags: after a start, a crash elsewhere, or many small seals. A failing
 * account does not delay the others.
 */
export async function foldAccounts(sql: Sql, folding: Folding): Promise<void> {
  const mark = markOf(sql, folding, sql`a.account_id`);
  const behind = await sql<{ account_id: string }[]>`
    select a.account_id from ${folding.accounts(sql)}
    where ${hasSealedJournals(sql, mark)} order by a.account_id`;
  const how = { atOnce: 1, failed: `The ${folding.name} of some accounts could not be folded.` };
  const accountIds = [...behind.map((row) => row.account_id), ...(folding.besides ?? [])];
  await eachAccount(accountIds, how, (accountId) => foldAccount(sql, folding, accountId));
}
