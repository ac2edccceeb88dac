import { type Centavos, zero } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { withinReach } from '../../platform/postgres/distributed/owners.ts';
import type { RequestKey } from '../../requests/index.ts';
import { forgedAmongFacts } from '../../seals/index.ts';
import { refusal } from './codes.ts';
import { stampedRefunds } from './evidence.ts';
import type { RefundKey, RefundRow } from './refund.ts';

export const columns = (sql: Queryable) => sql`
  account_id, id, request_id, result_id, reference, amount, state, way, cbu, held,
  held_unavailable, refunded_before, requested_at, ask_at, ended_at, comment, asked_by`;

export async function findRefund(
  sql: Queryable,
  { accountId, id }: RefundKey,
): Promise<RefundRow | null> {
  const [row] = await sql<RefundRow[]>`
    select ${columns(sql)} from refunds where account_id = ${accountId} and id = ${id}`;
  return row ?? null;
}

export async function findByReference(
  sql: Queryable,
  { accountId }: RequestKey,
  reference: string,
): Promise<RefundRow | null> {
  const [row] = await sql<RefundRow[]>`
    select ${columns(sql)} from refunds
    where account_id = ${accountId} and reference = ${reference}`;
  return row ?? null;
}

export const readRefunds = (sql: Queryable, { accountId, id }: RequestKey): Promise<RefundRow[]> =>
  sql<RefundRow[]>`
    select ${columns(sql)} from refunds
    where account_id = ${accountId} and request_id = ${id} order by id limit 1000`;

/** Returns the sum of a payment's refunds that users requested in the portal. Omits failed ones. */
export async function requestedByPeople(
  sql: Queryable,
  { accountId, id }: RequestKey,
  resultId: number,
): Promise<Centavos> {
  const [row] = await sql<{ asked: Centavos }[]>`
    select coalesce(sum(amount), 0)::bigint as asked from refunds
    where account_id = ${accountId} and request_id = ${id} and result_id = ${resultId}
      and asked_by is not null and state <> 'failed'`;
  return row?.asked ?? zero;
}

export async function countOpenRefunds(sql: Queryable, accountId: string): Promise<number> {
  const [row] = await sql<{ open: number }[]>`
    select count(*)::int as open from refunds
    where account_id = ${accountId} and state = 'requested'`;
  return row?.open ?? 0;
}

/**
 * Throws 409 if no process of the service wrote one of the refunds, or if someone changed it since.
 */
export async function refuseForged(sql: Queryable, rows: readonly RefundRow[]): Promise<void> {
  const [forged] = await forgedAmongFacts(sql, stampedRefunds, rows);
  if (!forged) return;
  throw refusal('refund.forged', { id: forged.id, account: forged.accountId });
}

/**
 * Reads transfers that the operator must make, for one account or all. Throws 409 if one is forged.
 */
export async function readTransfers(
  sql: Queryable,
  accountId: string | null,
  limit: number,
): Promise<RefundRow[]> {
  const rows = await sql<RefundRow[]>`
    select ${columns(sql)} from refunds
    where state = 'requested' and way = 'transfer'
      and account_id = coalesce(${accountId}::text, account_id)
    order by account_id, id limit ${limit}`;
  await refuseForged(sql, rows);
  return rows;
}

/** Returns up to 100 refunds due for an inquiry, longest waiting first. */
export const readDue = (sql: Queryable, now: Temporal.Instant): Promise<RefundRow[]> =>
  sql<RefundRow[]>`
    select ${columns(sql)} from refunds where ask_at <= ${now}::timestamptz ${withinReach(sql)}
    order by ask_at limit 100`;

export async function nextInquiry(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ due: Temporal.Instant | null }[]>`
    select min(ask_at) as due from refunds where ask_at is not null ${withinReach(sql)}`;
  return row?.due ?? null;
}
