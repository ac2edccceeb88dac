import { eachAccount } from '../../platform/each-account.ts';
import { lockNames } from '../../platform/postgres/advisory-lock.ts';
import type { Queryable, Sql } from '../../platform/postgres/connect.ts';
import { hasSealedJournals, journalsOfSeals, journalsWaiting } from './relations.ts';

type Fragment = ReturnType<Queryable>;

/** Seals folded in one transaction; each holds the journals of at most 10,000 and one statement. */
const sealsPerFold = 10;

/** Sums of an account's journals, updated seal by seal. */
export interface Folding {
  /** Their name in locks and faults. */
  name: string;
  /** The number of the last seal of an account that is in them. */
  mark(sql: Queryable, accountId: Fragment): Fragment;
  /** Begins the insert of that number into its table `(account_id, seal_no)`. */
  intoMarks(sql: Queryable): Fragment;
  /** Accounts to sum: a relation `a` with `account_id`. */
  accounts(sql: Queryable): Fragment;
  /** Books without an account, which are summed every time. */
  besides?: readonly string[];
  /** The statement that adds journals `(id)` to an account's sums. */
  add(sql: Queryable, accountId: string, journals: Fragment): Fragment;
}

const markOf = (sql: Queryable, folding: Folding, accountId: Fragment): Fragment => sql`
  coalesce((${folding.mark(sql, accountId)}), 0)`;

/** Journals `(id)` of an account that are not in its sums yet. */
export const journalsUnfolded = (sql: Queryable, folding: Folding, accountId: string): Fragment => {
  const after = markOf(sql, folding, sql`${accountId}`);
  return sql`
    select id from (${journalsOfSeals(sql, accountId, { after, most: null })}) as sealed
    union all ${journalsWaiting(sql, accountId)}`;
};

/** Adds an account's next seals to its sums; answers whether more may be left. */
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
 * Adds an account's sealed journals to its sums, some seals at a time, each once; never blocks
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
 * The same for every account that lags: after a start, after another process stopped, or if little
 * was sealed at a time. A failing account does not delay the others.
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
