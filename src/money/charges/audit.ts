import type { Queryable } from '../../platform/postgres/connect.ts';

/** A charge's payment belongs to the charged request, and the charge has ended. */
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
      -- A QR that is not being paid may be edited to take many payments, or one.
      or (a.state <> 'done' and (a.lane = a.id) <> (a.details->>'asked' is not null
        and a.lane = a.id or coalesce(q.details->>'multiple_payment', '') = 'true')))
    order by a.id limit 100`;
  return [
    ...lanes.map(({ id }) => `attempt ${id} does not stand beside others as its request says`),
    ...rows.map(({ id, attempt }) => `result ${id} is not of the attempt ${attempt} that it names`),
  ];
}
