import { everyAccount } from '../../accounts/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { lookUp } from '../../platform/postgres/distributed/look-ups.ts';
import { alsoOwnedBy } from '../../platform/postgres/distributed/owners.ts';
import type { RequestKind } from '../../requests/index.ts';
import type { ChannelCode } from '../channels/index.ts';
import { connectorSource } from './sources.ts';

type Fragment = ReturnType<Queryable>;

/** Joins a row's `result` by its source. Append it to a join. */
export const resultFrom = (
  sql: Queryable,
  { of, sources, ref }: { of: string; sources: [string, ...string[]]; ref: Fragment },
): Fragment => sql`
  results result on result.account_id = ${sql(of)}.account_id 
    and result.source = any(${sources}::text[]) and result.source_ref = ${ref}`;

/** Sums the amounts restored to `result` after disputes. Append it to the join of the result. */
export const restoredSum = (sql: Queryable): Fragment => sql`(
  select coalesce(sum(back.amount), 0)::bigint from results back
  where back.account_id = result.account_id and back.request_id = result.request_id
    and back.type = 'collected' and back.details->>'restores' = result.id::text
)`;

/**
 * Sums what the acquirer took again of the amounts restored to `result`. Leaves out refunds that
 * the operator transfers, which have no connector. Append it to the join of the result.
 */
export const retakenSum = (sql: Queryable): Fragment => sql`(
  select coalesce(sum(again.amount), 0)::bigint from results back
  join results again on again.account_id = back.account_id
    and again.request_id = back.request_id and again.reverses_id = back.id
  where back.account_id = result.account_id and back.request_id = result.request_id
    and back.type = 'collected' and back.details->>'restores' = result.id::text
    and (again.type = 'chargeback' or starts_with(again.source, ${connectorSource('')}))
)`;

/** Looks up a row's `result` by the column that contains its id. */
export const lookUpResults = (sql: Queryable, of: string, column: string): Fragment =>
  lookUp(sql, of, 'result', { table: 'results', by: { id: column }, rows: 'one' });

/**
 * Joins, as `money`, the number of each request's payments, and the times of its last payment, last
 * reversal and last report. Reads nothing for requests `r` that fail the condition `when`.
 */
export const joinMoney = (
  sql: Queryable,
  when: Fragment,
  accountIds: readonly string[],
): Fragment => sql`
  left join lateral (
    select (count(*) filter (where type = 'collected'))::int as payments,
      max(paid_at) filter (where type = 'collected') as paid_at,
      max(paid_at) filter (where type in ('refund', 'chargeback')) as refunded_at,
      max(informed_at) as informed_at
    from results x where ${when} and x.account_id = r.account_id and x.request_id = r.id
      ${alsoOwnedBy(sql, 'x', accountIds)}
  ) as money on true`;

/** Joins the payments, as `paid`, of the request that each row names in `column`. */
export const joinPayments = (sql: Queryable, of: string, column: string): Fragment => sql`
  join (
    select account_id, request_id, id, amount, refunded, charged_back, paid_at, payer, channel_label
    from results where type = 'collected'
  ) as paid on paid.account_id = ${sql(of)}.account_id and paid.request_id = ${sql(of)}.${sql(column)}`;

/** Selects refused attempts on a request, as `refused`. */
export const refusedAttempts = (
  sql: Queryable,
  request: { account_id: string; request_id: number },
  channels: readonly ChannelCode[],
): Fragment => sql`
  (select informed_at from results
    where account_id = ${request.account_id} and request_id = ${request.request_id}
      and type = 'rejected' and source = 'attempt' and channel = any(${[...channels]}::text[])
  ) as refused`;

/** Selects requests first paid on or after a day, as `paid`. */
export const firstPaidSince = (sql: Queryable, day: Temporal.PlainDate): Fragment => sql`
  (select p.account_id, p.request_id from ${everyAccount(sql)}
    join results p on p.account_id = a.account_id and p.informed_on >= ${day}::date
      and p.type = 'collected'
    where not exists (
      select from results before
      where before.account_id = p.account_id and before.request_id = p.request_id
        and before.type = 'collected' and before.informed_on < ${day}::date)
  ) as paid`;

/**
 * Builds queries about requests of a kind paid through a channel: a page of ids, newest first, and
 * a test of a request `r`.
 */
export const paidThrough = (
  sql: Queryable,
  { accountId, kind, channel }: { accountId: string; kind: RequestKind; channel: ChannelCode },
) => ({
  ids: ({ before, most }: { before: number | null; most: number | null }): Fragment => sql`
    select distinct request_id from results
    where account_id = ${accountId} and kind = ${kind} and channel = ${channel}
      and type = 'collected' and request_id < ${before ?? Number.MAX_SAFE_INTEGER}
    order by request_id desc limit ${most}`,
  has: sql`
    exists (select from results x
      where x.account_id = r.account_id and x.request_id = r.id and x.type = 'collected'
        and x.channel = ${channel})`,
});
