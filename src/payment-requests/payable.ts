import { isActive, joinAccounts } from '../accounts/index.ts';
import { midnightOf } from '../kernel/dates.ts';
import { firstPaidSince } from '../money/collections/index.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { joinRequests, pendingOfKind, requestsOfKind } from '../requests/index.ts';
import type { PaymentRequestRow } from './details.ts';

export interface PayableRow {
  request: PaymentRequestRow;
  collector: string;
}

const rowsAtOnce = 500;

/**
 * Yields the payment requests that were unpaid at the start of a day and payable on it, by id.
 * Derives them from immutable facts, so that a day's result never changes, except that suspended
 * and closed accounts drop out. Uses two indexes for today. For earlier days, scans requests that
 * expired since.
 */
export async function* payableOn(
  sql: Queryable,
  day: Temporal.PlainDate,
  today: Temporal.PlainDate,
): AsyncGenerator<PayableRow[]> {
  const own = requestsOfKind(sql, 'payment_request');
  const before = sql`r.created_at < ${midnightOf(day)}::timestamptz`;
  const there = sql`r.last_due >= ${day}::date and ${before}`;
  const expiredSince = day.equals(today)
    ? sql``
    : sql`union select r.account_id, r.id from ${own} where r.state = 'expired' and ${there}`;
  const rows = sql<(PaymentRequestRow & { collector: string })[]>`
    with payable as (
      select s.account_id, s.id from ${pendingOfKind(sql, 'payment_request')}
      where s.last_due >= ${day}::date and ${before}
      union
      select r.account_id, r.id from ${firstPaidSince(sql, day)}
      ${joinRequests(sql, 'paid', 'request_id')} where r.kind = 'payment_request' and ${there}
      ${expiredSince}
    )
    select r.account_id, r.id, r.kind, r.state, r.version, r.created_at, r.reference, r.payer,
      r.description, r.due1, r.total1, r.due2, r.total2, r.last_due, r.code, r.details,
      a.name as collector
    from payable ${joinRequests(sql, 'payable', 'id')} ${joinAccounts(sql, 'r')}
    where ${isActive(sql)}
    order by r.id`;
  for await (const chunk of rows.cursor(rowsAtOnce)) {
    yield chunk.map(({ collector, ...request }) => ({ request, collector }));
  }
}
