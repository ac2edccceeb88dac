import { dayOf } from '../../kernel/dates.ts';
import { type Centavos, negate, zero } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { type LedgerAccount, ledgerAccounts } from './chart.ts';
import { arrayText, type Cause, type Entry, type JournalKind } from './journal.ts';
import { stampJournals } from './stamp.ts';

type Fragment = ReturnType<Queryable>;

/**
 * Posts journals from a relation `(account_id, id, kind, result_id, request_id, cause, at, on_date,
 * accounts, amounts, stamp)` of the same statement. `accounts` and `amounts` are array texts, and
 * `stampJournals` computes the stamps. Adds one delta row per account, so that no row is hot and a
 * balance is exact at once. Throws on a closed day, so run it within `posting` or `onOpenDay`.
 */
export const postJournals = (sql: Queryable, from: string): Fragment => sql`
  posting_day as materialized (
    select on_date, post_on(on_date) as open_day
    from (select distinct on_date from ${sql(from)}) as days
  ),
  posted as (
    insert into journals (account_id, id, kind, result_id, request_id, cause, at, on_date,
      accounts, amounts, stamp)
    select account_id, id, kind, result_id, request_id, cause, at, open_day, accounts::smallint[],
      amounts::bigint[], stamp
    from ${sql(from)} join posting_day using (on_date)
    where accounts <> '{}'
    returning account_id, id, accounts, amounts
  ),
  posted_sums as (
    select account_id, line.account, sum(line.amount)::bigint as amount
    from posted, unnest(accounts, amounts) as line (account, amount)
    group by account_id, line.account
  ),
  posted_deltas as (
    insert into balance_deltas (account_id, id, accounts, amounts, journal_ids)
    select journal.account_id, journal.ids[1], sums.accounts, sums.amounts, journal.ids
    from (select account_id, array_agg(id order by id) as ids from posted group by account_id)
      as journal
    join (
      select account_id, array_agg(account) as accounts, array_agg(amount) as amounts
      from posted_sums group by account_id
    ) as sums using (account_id)
  )`;

/** A journal without a result. */
export interface CausedJournal {
  accountId: string;
  id: number;
  kind: JournalKind;
  cause: Cause;
  at: Temporal.Instant;
  entry: Entry;
}

export async function postJournal(sql: Queryable, journal: CausedJournal): Promise<void> {
  const { accountId, id, kind, cause, at } = journal;
  const [stamp] = await stampJournals(sql, [{ ...journal, resultId: null, requestId: null }]);
  await sql`
    with new_journals as (
      select ${accountId}::text as account_id, ${id}::bigint as id, ${kind}::text as kind,
        null::bigint as result_id, null::bigint as request_id, ${cause}::text as cause,
        ${at}::timestamptz as at, ${dayOf(at)}::date as on_date,
        ${arrayText(journal.entry.accounts)}::text as accounts,
        ${arrayText(journal.entry.amounts)}::text as amounts, ${stamp ?? null}::bytea as stamp
    ),
    ${postJournals(sql, 'new_journals')}
    select 1`;
}

/** Returns an account's exact balances: folded sums plus pending deltas. */
export async function readBalances(
  sql: Queryable,
  accountId: string,
): Promise<Map<number, Centavos>> {
  const rows = await sql<{ ledger_account: number; amount: Centavos }[]>`
    select ledger_account, sum(amount)::bigint as amount
    from (
      select ledger_account, amount from balances where account_id = ${accountId}
      union all
      select line.account, line.amount
      from balance_deltas, unnest(accounts, amounts) as line (account, amount)
      where account_id = ${accountId}
    ) as parts
    group by ledger_account`;
  return new Map(rows.map((row) => [row.ledger_account, row.amount]));
}

/** Returns the available balance of every account, by account id. Omits balances of zero. */
export async function availableBalances(sql: Queryable): Promise<Map<string, Centavos>> {
  const rows = await sql<{ account_id: string; amount: Centavos }[]>`
    select account_id, (-sum(amount))::bigint as amount
    from (
      select account_id, amount from balances
      where ledger_account = ${ledgerAccounts.holderAvailable}
      union all
      select account_id, line.amount
      from balance_deltas, unnest(accounts, amounts) as line (account, amount)
      where line.account = ${ledgerAccounts.holderAvailable}
    ) as parts
    group by account_id having sum(amount) <> 0`;
  return new Map(rows.map((row) => [row.account_id, row.amount]));
}

/** Returns a holder's available and unavailable balances, in centavos. */
export async function holderBalances(
  sql: Queryable,
  accountId: string,
): Promise<{ available: Centavos; unavailable: Centavos }> {
  const balances = await readBalances(sql, accountId);
  const owed = (account: LedgerAccount): Centavos => negate(balances.get(account) ?? zero);
  return {
    available: owed(ledgerAccounts.holderAvailable),
    unavailable: owed(ledgerAccounts.holderUnavailable),
  };
}
