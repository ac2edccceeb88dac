import { midnightOf } from '../kernel/dates.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { PaymentRequestRow } from './details.ts';

/** A payment request that could be paid, and who collects it. */
export interface PayableRow {
  request: PaymentRequestRow;
  collector: string;
}

const rowsAtOnce = 500;

/**
 * Payment requests that were there and unpaid when a day began, and could be paid on it; by id. It
 * is worked out from what never changes, so a day has one answer, whenever it is asked. For today
 * two indexes answer; for an earlier day the requests that expired since are looked for one by one.
 */
export async function* payableOn(
  sql: Queryable,
  day: Temporal.PlainDate,
  today: Temporal.PlainDate,
): AsyncGenerator<PayableRow[]> {
  const there = sql`
    r.kind = 'payment_request' and r.last_due >= ${day}::date
      and r.created_at < ${midnightOf(day)}::timestamptz`;
  const expiredSince = day.equals(today)
    ? sql``
    : sql`union select r.account_id, r.id from requests r where r.state = 'expired' and ${there}`;
  const rows = sql<(PaymentRequestRow & { collector: string })[]>`
    with payable as (
      select r.account_id, r.id from requests r where r.state = 'pending' and ${there}
      union
      select r.account_id, r.id
      from accounts a
      join results paid on paid.account_id = a.id and paid.informed_on >= ${day}::date
        and paid.type = 'collected'
      join requests r on r.account_id = paid.account_id and r.id = paid.request_id
      where ${there} and not exists (
        select from results before
        where before.account_id = r.account_id and before.request_id = r.id
          and before.type = 'collected' and before.informed_on < ${day}::date)
      ${expiredSince}
    )
    select r.account_id, r.id, r.kind, r.state, r.version, r.created_at, r.reference, r.payer,
      r.description, r.due1, r.total1, r.due2, r.total2, r.last_due, r.code, r.details,
      a.name as collector
    from payable
    join requests r using (account_id, id)
    join accounts a on a.id = r.account_id
    order by r.id`;
  for await (const chunk of rows.cursor(rowsAtOnce)) {
    yield chunk.map(({ collector, ...request }) => ({ request, collector }));
  }
}
