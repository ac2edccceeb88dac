import { type Centavos, minus, sumOf } from '../../../kernel/money.ts';
import type { Queryable } from '../../../platform/postgres/connect.ts';
import type { LedgerAccount } from '../chart.ts';
import type { JournalKind } from '../journal.ts';
import type { Movement, MovementPlace } from '../movements.ts';
import { type Period, readLedgerDays } from './days.ts';

/**
 * A line of a statement: the journals of one kind on some ledger accounts in a period. Amounts are
 * positive in the holder's favor.
 */
export interface Side extends Period {
  kind: JournalKind;
  accounts: readonly LedgerAccount[];
}

export async function readSideTotal(
  sql: Queryable,
  accountId: string,
  { kind, accounts, ...days }: Side,
): Promise<{ amount: Centavos; lines: number }> {
  const rows = await readLedgerDays(sql, accountId, days, { accounts, kinds: [kind] });
  return {
    amount: sumOf(rows.map(({ debit, credit }) => minus(debit, credit))),
    lines: rows.reduce((sum, { debits, credits }) => sum + debits + credits, 0),
  };
}

/** Reads a page of a line's journals, newest first. Skips days without any. */
export async function readSideMovements(
  sql: Queryable,
  accountId: string,
  { kind, accounts, from, to }: Side,
  { behind, limit }: { behind: MovementPlace | null; limit: number },
): Promise<Movement[]> {
  const { day, id } = behind ?? { day: to, id: Number.MAX_SAFE_INTEGER };
  const moved = await readLedgerDays(
    sql,
    accountId,
    { from, to: day },
    { accounts, kinds: [kind] },
  );
  const days = [...new Set(moved.map((one) => String(one.day)))];
  const sides = sql`${[...accounts]}::smallint[]`;
  return await sql<Movement[]>`
    select id, kind, request_id, cause, at, on_date,
      (select sum(line.amount)::bigint from unnest(accounts, amounts) as line (account, amount)
        where line.account = any(${sides})) as amount
    from journals
    where account_id = ${accountId} and kind = ${kind} and accounts && ${sides}
      and on_date = any(${days}::date[])
      and (on_date, id) < (${day}::date, ${id}::bigint)
    order by on_date desc, id desc limit ${limit}`;
}
