import { everyAccount, operatorBooks } from '../../../accounts/index.ts';
import type { Centavos } from '../../../kernel/money.ts';
import type { Queryable } from '../../../platform/postgres/connect.ts';
import type { LedgerAccount } from '../chart.ts';
import { type Folding, journalsUnfolded } from '../folding.ts';
import type { JournalKind } from '../journal.ts';

type Fragment = ReturnType<Queryable>;

/** Movement of a ledger account on a day by one kind of journal, in unsigned amounts. */
export interface LedgerDay {
  ledger_account: LedgerAccount;
  day: Temporal.PlainDate;
  kind: JournalKind;
  debits: number;
  debit: Centavos;
  credits: number;
  credit: Centavos;
}

/**
 * Sums the lines of the journals that `of` selects. Each has at most one line per ledger account.
 */
const sumsOf = (sql: Queryable, accountId: string, of: Fragment): Fragment => sql`
  select line.account as ledger_account, on_date as day, kind,
    count(*) filter (where line.amount > 0) as debits,
    coalesce(sum(line.amount) filter (where line.amount > 0), 0)::bigint as debit,
    count(*) filter (where line.amount < 0) as credits,
    coalesce(-sum(line.amount) filter (where line.amount < 0), 0)::bigint as credit
  from journals, unnest(accounts, amounts) as line (account, amount)
  where account_id = ${accountId} and id = any(array(${of}))
  group by line.account, on_date, kind`;

/** Daily sums for every account's books and the operator's. */
export const ledgerDays: Folding = {
  name: 'ledger days',
  mark: (sql, accountId) => sql`
    select m.seal_no from ledger_day_marks m where m.account_id = ${accountId}`,
  intoMarks: (sql) => sql`insert into ledger_day_marks (account_id, seal_no)`,
  accounts: everyAccount,
  besides: [operatorBooks],
  add: (sql, accountId, journals) => sql`
    insert into ledger_days as d (account_id, ledger_account, day, kind, debits, debit, credits,
      credit)
    select ${accountId}, ledger_account, day, kind, debits, debit, credits, credit
    from (${sumsOf(sql, accountId, journals)}) as sums
    on conflict (account_id, ledger_account, day, kind) do update set
      debits = d.debits + excluded.debits, debit = d.debit + excluded.debit,
      credits = d.credits + excluded.credits, credit = d.credit + excluded.credit`,
};

/** Selects an account's days: folded sums, and sums of journals that are not folded yet. */
export const daysOf = (sql: Queryable, accountId: string, condition: Fragment): Fragment => {
  const unfolded = journalsUnfolded(sql, ledgerDays, accountId);
  return sql`
    select ledger_account, day, kind, debits, debit, credits, credit from ledger_days
    where account_id = ${accountId} and ${condition}
    union all
    select * from (${sumsOf(sql, accountId, unfolded)}) as late where ${condition}`;
};

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
