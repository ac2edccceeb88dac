import type { Centavos } from '../../kernel/money.ts';
import type { Queryable, Transaction } from '../../platform/postgres/connect.ts';
import { lookUp } from '../../platform/postgres/distributed/look-ups.ts';
import type { RequestKey } from '../../requests/index.ts';
import type { Withholding } from '../withholdings/index.ts';
import { moneyRefs, type ResultRow } from './result.ts';

const resultColumns = (sql: Queryable) => sql`
  r.account_id, r.id, r.request_id, r.kind, r.type, r.channel, r.channel_label, r.amount,
  r.net_fee, r.fee_iva, r.withheld, r.unreleased, r.refunded, r.charged_back, r.refunding, r.paid_at,
  r.informed_at, r.informed_on, r.available_on, r.released_on, r.reverses_id, r.source,
  r.source_ref, r.reference, r.payer, r.description, r.details`;

/** Reads all results of requests in recording order. */
export async function readResults(sql: Queryable, keys: RequestKey[]): Promise<ResultRow[]> {
  const accountIds = keys.map((key) => key.accountId);
  return await sql<ResultRow[]>`
    select ${resultColumns(sql)}
    from (
      select distinct account_id, request_id from unnest(
        ${accountIds}::text[], ${keys.map((key) => key.id)}::bigint[]
      ) as key (account_id, request_id)
    ) as wanted
    ${lookUp(sql, 'wanted', 'r', {
      table: 'results',
      by: { request_id: 'request_id' },
      rows: 'several',
      accountIds,
    })}
    order by r.informed_at, r.id`;
}

/** Reads a request's latest results in recording order. An open QR may have any number. */
export async function latestResults(
  sql: Queryable,
  { accountId, id }: RequestKey,
  most: number,
): Promise<ResultRow[]> {
  const rows = await sql<ResultRow[]>`
    select ${resultColumns(sql)} from results r
    where r.account_id = ${accountId} and r.request_id = ${id}
    order by r.informed_at desc, r.id desc limit ${most}`;
  return rows.toReversed();
}

const paymentsOf = (sql: Queryable, { accountId, id }: RequestKey) => sql`
  select ${resultColumns(sql)} from results r
  where r.account_id = ${accountId} and r.request_id = ${id} and r.type = 'collected'`;

/**
 * Reads a payment of a request, however many others there are. Returns null if the request has no
 * such payment.
 */
export async function readPayment(
  sql: Queryable,
  key: RequestKey,
  resultId: number,
): Promise<ResultRow | null> {
  const [row = null] = await sql<ResultRow[]>`${paymentsOf(sql, key)} and r.id = ${resultId}`;
  return row;
}

/** Reads a payment like `readPayment` and locks it, so that no release moves its money. */
export async function lockPayment(
  tx: Transaction,
  key: RequestKey,
  resultId: number,
): Promise<ResultRow | null> {
  const [row = null] = await tx<ResultRow[]>`
    ${paymentsOf(tx, key)} and r.id = ${resultId} for update`;
  return row;
}

/**
 * Reads and locks a request's last payment that is not charged back. `live`: not refunded in full.
 * `refundable`: open refunds do not reserve the rest either.
 */
export async function lockLastPayment(
  tx: Transaction,
  key: RequestKey,
  which: 'any' | 'live' | 'refundable',
): Promise<ResultRow | null> {
  const conditions = {
    any: tx``,
    live: tx`and r.refunded < r.amount`,
    refundable: tx`and r.refunded + r.refunding < r.amount`,
  };
  const [row = null] = await tx<ResultRow[]>`
    ${paymentsOf(tx, key)} and r.charged_back = 0 ${conditions[which]}
    order by r.informed_at desc, r.id desc limit 1 for update`;
  return row;
}

/** Returns true if the payment's request has another payment that is not fully reversed. */
export async function hasOtherLive(
  sql: Queryable,
  { account_id: accountId, request_id: id, id: resultId }: ResultRow,
): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }[]>`
    select exists (${paymentsOf(sql, { accountId, id })} and r.id <> ${resultId}
      and r.charged_back = 0 and r.refunded < r.amount)`;
  return row?.exists ?? false;
}

/** Reads an attempt's money. Returns null if it is not recorded. */
export async function readMoneyOf(
  sql: Queryable,
  key: RequestKey,
  attemptId: number,
): Promise<ResultRow | null> {
  const [row = null] = await sql<ResultRow[]>`
    ${paymentsOf(sql, key)} and r.source = 'attempt'
      and r.source_ref = any(${moneyRefs(attemptId)}::text[])`;
  return row;
}

/** Reads a request's result by its source. Returns null if there is none. */
export async function readSourced(
  sql: Queryable,
  { accountId, id }: RequestKey,
  { source, sourceRef }: { source: string; sourceRef: string },
): Promise<ResultRow | null> {
  const [row = null] = await sql<ResultRow[]>`
    select ${resultColumns(sql)} from results r
    where r.account_id = ${accountId} and r.source = ${source} and r.source_ref = ${sourceRef}
      and r.request_id = ${id}`;
  return row;
}

/**
 * Reserves refunds' amounts on their payments, from a relation `(account_id, result_id, amount,
 * unavailable)`: the amount to return, and its unavailable part. Negative amounts undo a
 * reservation.
 */
export const putAside = (sql: Queryable, from: string) => sql`
  update results o set refunding = o.refunding + f.amount,
    unreleased = o.unreleased - f.unavailable
  from ${sql(from)} f where o.account_id = f.account_id and o.id = f.result_id`;

/** Returns which of the requests ever had a payment. */
export async function requestsPaidOnce(
  sql: Queryable,
  accountId: string,
  requestIds: number[],
): Promise<Set<number>> {
  if (requestIds.length === 0) return new Set();
  const rows = await sql<{ request_id: number }[]>`
    select distinct request_id from results
    where account_id = ${accountId} and request_id = any(${requestIds}::bigint[])
      and type = 'collected'`;
  return new Set(rows.map((row) => row.request_id));
}

export interface WithholdingLine extends Withholding {
  certificate: string;
}

interface WithholdingRow {
  result_id: number;
  regime: string;
  jurisdiction: string;
  base: Centavos;
  rate_ppm: number;
  amount: Centavos;
  certificate: string;
}

const lineOf = (row: WithholdingRow): WithholdingLine => ({
  regime: row.regime,
  jurisdiction: row.jurisdiction,
  base: row.base,
  ratePpm: row.rate_ppm,
  amount: row.amount,
  certificate: row.certificate,
});

export async function readWithholdings(
  sql: Queryable,
  result: Pick<ResultRow, 'account_id' | 'id'>,
): Promise<WithholdingLine[]> {
  const rows = await sql<WithholdingRow[]>`
    select result_id, regime, jurisdiction, base, rate_ppm, amount, certificate from withholdings
    where account_id = ${result.account_id} and result_id = ${result.id} order by no`;
  return rows.map(lineOf);
}

/** Reads the withholdings of all results of a request, for `detail_retentions`. */
export async function readRetentions(sql: Queryable, key: RequestKey): Promise<WithholdingLine[]> {
  const rows = await sql<WithholdingRow[]>`
    select result_id, regime, jurisdiction, base, rate_ppm, amount, certificate from withholdings
    where account_id = ${key.accountId} and request_id = ${key.id} order by result_id, no`;
  return rows.map(lineOf);
}
