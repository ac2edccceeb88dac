import { inOrderOf } from '../../kernel/lists.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { type RequestRow, requestColumns } from '../../requests/index.ts';
import type { Holder } from '../payload/payload.ts';
import { asDynamic, type QrRow } from '../row.ts';

/** What happened to a QR's money. */
export interface Money {
  payments: number;
  /** Of the last payment, and of the last time that money went back. */
  paid_at: Temporal.Instant | null;
  refunded_at: Temporal.Instant | null;
  /** When the last of it was learnt. */
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

/**
 * Reads dynamic QRs by id with all that their answers show, in one round trip. Each id is looked
 * up by itself: joined as a set, PostgreSQL would read all rows of the account for each as long as
 * it has no statistics of the table.
 */
export async function readQrs(
  sql: Queryable,
  keys: { accountId: string; code: string }[],
): Promise<(FoundQr | null)[]> {
  const rows = await sql<Joined[]>`
    select wanted.no::int as no, ${requestColumns(sql)}, a.name, a.cuit, money.*
    from unnest(
      ${keys.map((key) => key.accountId)}::text[], ${keys.map((key) => key.code)}::text[]
    ) with ordinality as wanted (account_id, code, no)
    cross join lateral (
      select * from requests where account_id = wanted.account_id and code = wanted.code limit 1
    ) as r
    join accounts a on a.id = r.account_id
    left join lateral (
      select (count(*) filter (where type = 'collected'))::int as payments,
        max(paid_at) filter (where type = 'collected') as paid_at,
        max(paid_at) filter (where type in ('refund', 'chargeback')) as refunded_at,
        max(informed_at) as informed_at
      from results x where x.account_id = r.account_id and x.request_id = r.id
    ) as money on r.version > 1 -- each result raises it`;
  return inOrderOf(keys, rows).map((row) => row && foundOf(row));
}
