import { joinAccounts } from '../../accounts/index.ts';
import { inOrderOf } from '../../kernel/lists.ts';
import { joinMoney } from '../../money/collections/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { lookUp } from '../../platform/postgres/distributed/look-ups.ts';
import { alsoOwnedBy } from '../../platform/postgres/distributed/owners.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { joinRequests, lookUpRequests, requestColumns } from '../../requests/index.ts';
import type { QrRow } from '../row.ts';

export interface StaticRow {
  account_id: string;
  id: string;
  /** From the sequence of requests, for links and transfer accounts. */
  number: number;
  open_amount: boolean;
  multiple_payment: boolean;
  name: string;
  city: string;
  postal_code: string | null;
  description: string;
  payer: string;
  payload: string;
  created_at: Temporal.Instant;
  cuit: string;
}

/**
 * A transaction of a static QR: a request that expires to the second, with the times of its payment
 * and reversal.
 */
export type TransactionRow = QrRow & {
  static_id: string;
  expires_at: Temporal.Instant;
  paid_at: Temporal.Instant | null;
  refunded_at: Temporal.Instant | null;
};

/** A static QR with its open transaction and its last paid one. */
export interface StaticState {
  row: StaticRow;
  open: TransactionRow | null;
  paid: TransactionRow | null;
}

/** Id of the QR, with the account's prefix. */
export interface QrKey {
  accountId: string;
  id: string;
}

const ownersOf = (keys: readonly QrKey[]): string[] => keys.map(({ accountId }) => accountId);

const keyRows = (sql: Queryable, keys: QrKey[]) => sql`
  ${recordset(sql, 'wanted (account_id text, id text, no ordinality)', keys)}`;

/** Joins the static QR that each row of `wanted` names. */
const staticOf = (sql: Queryable, keys: readonly QrKey[]) =>
  lookUp(sql, 'wanted', 's', {
    table: 'static_qrs',
    by: { id: 'id' },
    rows: 'one',
    accountIds: ownersOf(keys),
  });

const transactionColumns = (sql: Queryable) => sql`
  ${requestColumns(sql)}, t.static_id, t.expires_at, money.paid_at, money.refunded_at`;

/** Joins the times of payments and reversals. Skips requests that cannot have any. */
const money = (sql: Queryable, keys: QrKey[]) =>
  joinMoney(sql, sql`r.state in ('paid', 'refunded')`, ownersOf(keys));

/** Reads static QRs by id, in the order of the keys. Unknown ones are null. */
export async function readStatics(sql: Queryable, keys: QrKey[]): Promise<(StaticRow | null)[]> {
  const rows = await sql<(StaticRow & { no: number })[]>`
    select wanted.no::int as no, s.*, a.cuit
    from ${keyRows(sql, keys)}
    ${staticOf(sql, keys)}
    ${joinAccounts(sql, 'wanted', ownersOf(keys))}`;
  return inOrderOf(keys, rows);
}

/** Reads the open transaction and the last paid one of each static QR. */
export async function readLastTransactions(
  sql: Queryable,
  keys: QrKey[],
): Promise<Omit<StaticState, 'row'>[]> {
  const rows = await sql<(TransactionRow & { no: number; role: 'open' | 'paid' })[]>`
    select wanted.no::int as no, t.role, ${transactionColumns(sql)}
    from ${keyRows(sql, keys)}
    ${staticOf(sql, keys)}
    join lateral (
      (select 'open' as role, o.* from static_transactions o
        where o.account_id = s.account_id and o.static_id = s.id and o.open
          ${alsoOwnedBy(sql, 'o', ownersOf(keys))}
        order by o.expires_at desc limit 1)
      union all
      (select 'paid' as role, p.* from static_transactions p
        ${joinRequests(sql, 'p', 'id')}
        where p.account_id = s.account_id and p.static_id = s.id
          and r.state in ('paid', 'refunded')
        order by p.expires_at desc limit 1)
    ) as t on true
    ${lookUpRequests(sql, 't', 'id', 'id', ownersOf(keys))}
    ${money(sql, keys)}`;
  const byRole = new Map(rows.map((row) => [`${row.no} ${row.role}`, row]));
  return keys.map((_key, index) => ({
    open: byRole.get(`${index + 1} open`) ?? null,
    paid: byRole.get(`${index + 1} paid`) ?? null,
  }));
}

/** Reads transactions by QR id. Unknown ones are null. */
export async function readTransactions(
  sql: Queryable,
  keys: QrKey[],
): Promise<(TransactionRow | null)[]> {
  const rows = await sql<(TransactionRow & { no: number })[]>`
    select wanted.no::int as no, ${transactionColumns(sql)}
    from ${keyRows(sql, keys)}
    ${lookUpRequests(sql, 'wanted', 'code', 'id', ownersOf(keys))}
    ${lookUp(sql, 'r', 't', {
      table: 'static_transactions',
      by: { id: 'id' },
      rows: 'one',
      accountIds: ownersOf(keys),
    })}
    ${money(sql, keys)}`;
  return inOrderOf(keys, rows);
}

/**
 * Locks a static QR until the database transaction ends, so that its transactions begin one at a
 * time.
 */
export async function lockStatic(sql: Queryable, key: QrKey): Promise<void> {
  await sql`
    select 1 from static_qrs where account_id = ${key.accountId} and id = ${key.id} for update`;
}

/**
 * Returns true if any static QR was created by an instant. Its printed code is still in use,
 * because it never expires.
 */
export async function hasStatics(sql: Queryable, madeBefore: Temporal.Instant): Promise<boolean> {
  const rows = await sql`
    select 1 from static_qrs where created_at <= ${madeBefore}::timestamptz limit 1`;
  return rows.length > 0;
}
