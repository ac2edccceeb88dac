import type { Queryable } from '../../../platform/postgres/connect.ts';
import { type LedgerAccount, ledgerAccountName } from '../chart.ts';
import type { JournalKind } from '../journal.ts';
import { daysOf, type LedgerDay, wrongDays } from './store.ts';

/** A period of days. Both ends are inclusive. */
export interface Period {
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
}

/**
 * Returns an account's movements by day, ledger account and kind of journal. They are exact, and
 * cheap even for a year: journals that are not folded yet are added to folded sums.
 */
export async function readLedgerDays(
  sql: Queryable,
  accountId: string,
  { from, to }: Period,
  of: { accounts?: readonly LedgerAccount[]; kinds?: readonly JournalKind[] } = {},
): Promise<LedgerDay[]> {
  const condition = sql`
    day between ${from}::date and ${to}::date
      and (${of.accounts === undefined} or ledger_account = any(${[...(of.accounts ?? [])]}::smallint[]))
      and (${of.kinds === undefined} or kind = any(${[...(of.kinds ?? [])]}::text[]))`;
  return await sql<LedgerDay[]>`
    select ledger_account, day, kind, sum(debits)::bigint as debits, sum(debit)::bigint as debit,
      sum(credits)::bigint as credits, sum(credit)::bigint as credit
    from (${daysOf(sql, accountId, condition)}) as parts
    group by ledger_account, day, kind order by day, ledger_account, kind`;
}

/** Checks each day against its journals. */
export async function checkLedgerDays(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await wrongDays(sql, accountId);
  return rows.map(
    ({ ledger_account, day, kind }) =>
      `the sums of ${day}, ${ledgerAccountName(ledger_account)}, ${kind} differ from its journals`,
  );
}
