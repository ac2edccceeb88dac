import { joinAccounts } from '../../accounts/index.ts';
import { inOrderOf } from '../../kernel/lists.ts';
import { joinMoney } from '../../money/collections/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { lookUpRequests, type RequestRow, requestColumns } from '../../requests/index.ts';
import type { Holder } from '../payload/payload.ts';
import { asDynamic, type QrRow } from '../row.ts';

/** Number of a QR's payments, and the times of its results. */
export interface Money {
  payments: number;
  /** Time of the last payment. `refunded_at` is the time of the last reversal. */
  paid_at: Temporal.Instant | null;
  refunded_at: Temporal.Instant | null;
  /** Time of the last report. */
  informed_at: Temporal.Instant | null;
}

export interface FoundQr {
  row: QrRow;
  holder: Holder;
  money: Money;
}

type Joined = RequestRow & Holder & { [K in keyof Money]: Money[K] | null } & { no: number };

const foundOf = (joined: Joined): FoundQr | null => {
  const row = asDynamic(joined);
  const { payments, paid_at, refunded_at, informed_at, name, cuit } = joined;
  const money = { payments: payments ?? 0, paid_at, refunded_at, informed_at };
  return row && { row, holder: { name, cuit }, money };
};

/** Reads dynamic QRs by id with everything that responses show, in one round trip. */
export async function readQrs(
  sql: Queryable,
  keys: { accountId: string; code: string }[],
): Promise<(FoundQr | null)[]> {
  const accountIds = keys.map((key) => key.accountId);
  // Each result raises the version, so a QR at version 1 has none.
  const raised = sql`r.version > 1`;
  const rows = await sql<Joined[]>`
    select wanted.no::int as no, ${requestColumns(sql)}, a.name, a.cuit, money.*
    from ${recordset(sql, 'wanted (account_id text, code text, no ordinality)', keys)}
    ${lookUpRequests(sql, 'wanted', 'code', 'code', accountIds)}
    ${joinAccounts(sql, 'r', accountIds)} ${joinMoney(sql, raised, accountIds)}`;
  return inOrderOf(keys, rows).map((row) => row && foundOf(row));
}
