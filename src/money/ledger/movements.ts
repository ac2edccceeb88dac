import { type Centavos, negate } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { type LedgerAccount, ledgerAccounts } from './chart.ts';
import { refusal } from './codes.ts';
import type { Cause, JournalKind } from './journal.ts';

const figures = {
  available: ledgerAccounts.holderAvailable,
  unavailable: ledgerAccounts.holderUnavailable,
} as const;

export type HolderFigure = keyof typeof figures;

/** The effect of a journal on one of the holder's balances. */
export interface Movement {
  id: number;
  kind: JournalKind;
  request_id: number | null;
  cause: Cause | null;
  at: Temporal.Instant;
  on_date: Temporal.PlainDate;
  /** Positive if the balance grew. */
  amount: Centavos;
}

/** Cursor of the next page of movements. */
export interface MovementPlace {
  day: Temporal.PlainDate;
  id: number;
}

const endOfTime = Temporal.PlainDate.from('9999-12-31');
const endOfDay = (day: Temporal.PlainDate): MovementPlace => ({
  day,
  id: Number.MAX_SAFE_INTEGER,
});

/**
 * Reads a page of the journals that changed one of a holder's balances, newest first. Without
 * `until`, the amounts of all pages add up to that balance. `until` is the last day, inclusive, and
 * applies to the available balance only.
 */
export async function readMovements(
  sql: Queryable,
  accountId: string,
  figure: HolderFigure,
  {
    behind,
    limit,
    until = endOfTime,
  }: { behind: MovementPlace | null; limit: number; until?: Temporal.PlainDate | undefined },
): Promise<Movement[]> {
  const account: LedgerAccount = figures[figure];
  // A literal, because the planner does not match a parameter to the partial index.
  const moves = sql`${sql.unsafe(String(account))} = any (accounts)`;
  const { day, id } = behind ?? endOfDay(until);
  const behindIt =
    figure === 'available'
      ? sql`(on_date, id) < (${day}::date, ${id}::bigint) order by on_date desc, id desc`
      : // Nearly every journal qualifies, so walk the ids from the newest.
        sql`id < ${id}::bigint order by id desc`;
  const rows = await sql<(Movement & { owed: Centavos })[]>`
    select id, kind, request_id, cause, at, on_date,
      (select sum(line.amount)::bigint from unnest(accounts, amounts) as line (account, amount)
        where line.account = ${account}::smallint) as owed
    from journals
    where account_id = ${accountId} and ${moves} and ${behindIt} limit ${limit}`;
  return rows.map(({ owed, ...row }) => ({ ...row, amount: negate(owed) }));
}

export interface Journal extends Omit<Movement, 'amount'> {
  accounts: LedgerAccount[];
  amounts: Centavos[];
}

/** Returns a journal with its lines. Throws 404 for an unknown journal. */
export async function readJournal(sql: Queryable, accountId: string, id: number): Promise<Journal> {
  const [row] = await sql<Journal[]>`
    select id, kind, request_id, cause, at, on_date, accounts, amounts
    from journals where account_id = ${accountId} and id = ${id}::bigint`;
  if (!row) throw refusal('journal.not_found', {});
  return row;
}
