import { operatorBooks } from '../../accounts/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';

/**
 * Checks that each hold belongs to an attempt of its request, and that a capture is for the
 * attempt's amount. With the operator's books, reports the holds of all accounts that have no
 * attempt.
 */
async function checkHolds(sql: Queryable, accountId: string): Promise<string[]> {
  if (accountId === operatorBooks) {
    const lost = await sql<{ id: number }[]>`
      select h.attempt_id as id from card_holds h
      where not exists (select from attempts a
        where a.account_id = h.account_id and a.id = h.attempt_id)
      order by h.attempt_id limit 100`;
    return lost.map(({ id }) => `there is a hold of attempt ${id}, which does not exist`);
  }
  const rows = await sql<{ id: number }[]>`
    select h.attempt_id as id from card_holds h
    left join attempts a on a.account_id = h.account_id and a.id = h.attempt_id
    where h.account_id = ${accountId} and (a.id is null or a.request_id <> h.request_id
      or (h.ordered = 'capture' and a.amount <> h.amount))
    order by h.attempt_id limit 100`;
  return rows.map(({ id }) => `the hold of attempt ${id} does not match its attempt`);
}

/**
 * Checks that each result of a charge names an ended attempt of its own request, that attempts are
 * in the right lane, and that holds match their attempts.
 */
export async function checkAttempts(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number; attempt: string }[]>`
    select r.id, r.source_ref as attempt from results r
    left join attempts a on a.account_id = r.account_id and a.id::text = split_part(r.source_ref, ' ', 1)
    where r.account_id = ${accountId} and r.source = 'attempt' and r.type in ('collected', 'rejected')
      and (a.id is null or a.request_id <> r.request_id or a.state <> 'done')
    order by r.id limit 100`;
  const lanes = await sql<{ id: number }[]>`
    select a.id from attempts a
    left join requests q on q.account_id = a.account_id and q.id = a.request_id
    where a.account_id = ${accountId} and (q.id is null or a.lane not in (0, a.id)
      -- Ended attempts may differ, because an edit can change whether a QR takes many payments.
      or (a.state <> 'done' and (a.lane = a.id) <> (a.details->>'asked' is not null
        and a.lane = a.id or coalesce(q.details->>'multiple_payment', '') = 'true')))
    order by a.id limit 100`;
  return [
    ...(await checkHolds(sql, accountId)),
    ...lanes.map(({ id }) => `the lane of attempt ${id} does not match its request`),
    ...rows.map(
      ({ id, attempt }) => `result ${id} does not match attempt ${attempt}, which it names`,
    ),
  ];
}
