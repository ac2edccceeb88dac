import type { Centavos } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { nothingSettled, type SettledSums } from './line.ts';

/** Charges that a connector's acquirer had not settled at the last comparison, and their total. */
export interface AcquirerDebt {
  connector: string;
  day: Temporal.PlainDate;
  charges: number;
  amount: Centavos;
}

export interface ChargeName {
  accountId: string;
  attemptId: number;
}

export const chargeKey = ({ accountId, attemptId }: ChargeName): string =>
  `${accountId}-${attemptId}`;

/** Sums lines by kind: of a group, or `over` a window. */
const sumColumns = (sql: Queryable, over = sql``) => sql`
  coalesce(sum(gross) filter (where kind = 'sale') ${over}, 0)::bigint as sale,
  coalesce(sum(gross) filter (where kind in ('refund', 'chargeback')) ${over}, 0)::bigint as back,
  coalesce(sum(gross) filter (where kind = 'returned') ${over}, 0)::bigint as returned`;

const inOrder = (sql: Queryable, of: ReturnType<Queryable>) =>
  sql`over (partition by ${of} order by l.payout_id, l.name)`;

const byName = (rows: readonly (SettledSums & { name: string })[]): Map<string, SettledSums> =>
  new Map(rows.map(({ name, ...sums }) => [name, sums]));

/**
 * Returns each line's running sums of its charge, by the line's name, over all settlements so far.
 * They show which line exceeds the amount, so that the lines before it are not at fault.
 */
export const sumsUpTo = async (
  sql: Queryable,
  connector: string,
  keys: readonly ChargeName[],
): Promise<Map<string, SettledSums>> =>
  byName(
    await sql<(SettledSums & { name: string })[]>`
    select l.name, ${sumColumns(sql, inOrder(sql, sql`l.account_id, l.attempt_id`))}
    from ${recordset(sql, 'key (account_id text, attempt_id bigint)', keys)}
    join settlement_lines l on l.connector = ${connector} and l.account_id = key.account_id
      and l.attempt_id = key.attempt_id`,
  );

/**
 * Returns each line's running sums of its wallet payment, by the line's name, for payments that
 * match no charge.
 */
export const suspendedSumsUpTo = async (
  sql: Queryable,
  connector: string,
  trxs: readonly string[],
): Promise<Map<string, SettledSums>> =>
  byName(
    await sql<(SettledSums & { name: string })[]>`
    select l.name, ${sumColumns(sql, inOrder(sql, sql`l.trx`))} from settlement_lines l
    where l.connector = ${connector} and l.trx = any(${[...trxs]}::text[]) and l.attempt_id is null`,
  );

/** Returns the sums of charges' lines, by `chargeKey`. Omits charges without lines. */
export async function settledSums(
  sql: Queryable,
  connector: string,
  keys: readonly ChargeName[],
): Promise<Map<string, SettledSums>> {
  const rows = await sql<(SettledSums & { account_id: string; attempt_id: number })[]>`
    select l.account_id, l.attempt_id, ${sumColumns(sql)}
    from ${recordset(sql, 'key (account_id text, attempt_id bigint)', keys)}
    join settlement_lines l on l.connector = ${connector} and l.account_id = key.account_id
      and l.attempt_id = key.attempt_id
    group by l.account_id, l.attempt_id`;
  return new Map(
    rows.map(({ account_id: accountId, attempt_id: attemptId, sale, back, returned }) => [
      chargeKey({ accountId, attemptId }),
      { ...nothingSettled, sale, back, returned },
    ]),
  );
}
