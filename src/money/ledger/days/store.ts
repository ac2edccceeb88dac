import { everyBooks } from '../../../accounts/index.ts';
import type { Centavos } from '../../../kernel/money.ts';
import type { Queryable } from '../../../platform/postgres/connect.ts';
import type { LedgerAccount } from '../chart.ts';
import type { JournalKind } from '../journal.ts';
import { hasSealedJournals, journalsOfSeals, journalsWaiting } from '../relations.ts';

type Fragment = ReturnType<Queryable>;

/** Seals folded in one transaction; each holds the journals of at most 10,000 and one statement. */
const sealsPerFold = 10;

/** What one ledger account moved on one day by journals of one kind; amounts without their sign. */
export interface LedgerDay {
  ledger_account: LedgerAccount;
  day: Temporal.PlainDate;
  kind: JournalKind;
  debits: number;
  debit: Centavos;
  credits: number;
  credit: Centavos;
}

/** Sums of the lines of journals `(id)`. A journal has at most one line on each account. */
const sumsOf = (sql: Queryable, accountId: string, of: Fragment): Fragment => sql`
  select line.account as ledger_account, on_date as day, kind,
    count(*) filter (where line.amount > 0) as debits,
    coalesce(sum(line.amount) filter (where line.amount > 0), 0)::bigint as debit,
    count(*) filter (where line.amount < 0) as credits,
    coalesce(-sum(line.amount) filter (where line.amount < 0), 0)::bigint as credit
  from journals, unnest(accounts, amounts) as line (account, amount)
  where account_id = ${accountId} and id = any(array(${of}))
  group by line.account, on_date, kind`;

const markOf = (sql: Queryable, accountId: string): Fragment => sql`
  coalesce((select seal_no from ledger_day_marks where account_id = ${accountId}), 0)`;

/**
 * Folds the journals of an account's next seals into its days; answers whether more may be left.
 * The caller holds the account's days, so that each seal is folded once.
 */
export async function foldSeals(tx: Queryable, accountId: string): Promise<boolean> {
  const next = { after: markOf(tx, accountId), most: sealsPerFold };
  const [row] = await tx<{ seals: number }[]>`
    with taken as materialized (${journalsOfSeals(tx, accountId, next)}),
    folded as (
      insert into ledger_days as d (account_id, ledger_account, day, kind, debits, debit, credits,
        credit)
      select ${accountId}, ledger_account, day, kind, debits, debit, credits, credit
      from (${sumsOf(tx, accountId, tx`select id from taken`)}) as sums
      on conflict (account_id, ledger_account, day, kind) do update set
        debits = d.debits + excluded.debits, debit = d.debit + excluded.debit,
        credits = d.credits + excluded.credits, credit = d.credit + excluded.credit
    ),
    marked as (
      insert into ledger_day_marks (account_id, seal_no)
      select ${accountId}, max(no) from taken having count(*) > 0
      on conflict (account_id) do update set seal_no = excluded.seal_no
    )
    select count(distinct no)::int as seals from taken`;
  return row?.seals === sealsPerFold;
}

/** Whose books have seals that are not folded. */
export async function accountsBehind(sql: Queryable): Promise<string[]> {
  const mark = sql`
    coalesce((select m.seal_no from ledger_day_marks m where m.account_id = a.account_id), 0)`;
  const rows = await sql<{ account_id: string }[]>`
    select a.account_id from ${everyBooks(sql)}
    where ${hasSealedJournals(sql, mark)} order by a.account_id`;
  return rows.map((row) => row.account_id);
}

/** Those days of an account that `wanted` says: what is folded, sealed and not folded, and waits. */
export const daysOf = (sql: Queryable, accountId: string, wanted: Fragment): Fragment => {
  const after = markOf(sql, accountId);
  const unfolded = sql`
    select id from (${journalsOfSeals(sql, accountId, { after, most: null })}) as sealed
    union all ${journalsWaiting(sql, accountId)}`;
  return sql`
    select ledger_account, day, kind, debits, debit, credits, credit from ledger_days
    where account_id = ${accountId} and ${wanted}
    union all
    select * from (${sumsOf(sql, accountId, unfolded)}) as late where ${wanted}`;
};

/** Days that are not what the account's journals come to. */
export async function wrongDays(
  sql: Queryable,
  accountId: string,
): Promise<Pick<LedgerDay, 'ledger_account' | 'day' | 'kind'>[]> {
  const every = sql`select id from journals where account_id = ${accountId}`;
  const sums = sql`sum(debits)::bigint as debits, sum(debit)::bigint as debit,
    sum(credits)::bigint as credits, sum(credit)::bigint as credit`;
  return await sql<Pick<LedgerDay, 'ledger_account' | 'day' | 'kind'>[]>`
    select ledger_account, day, kind
    from (${sumsOf(sql, accountId, every)}) as counted
    full join (
      select ledger_account, day, kind, ${sums}
      from (${daysOf(sql, accountId, sql`true`)}) as parts group by ledger_account, day, kind
    ) as told using (ledger_account, day, kind)
    where row(counted.debits, counted.debit, counted.credits, counted.credit)
      is distinct from row(told.debits, told.debit, told.credits, told.credit)
    order by 1, 2, 3 limit 100`;
}
