import type { Queryable } from '../../platform/postgres/connect.ts';
import { localTime } from '../../platform/postgres/local-time.ts';

/**
 * Checks that each transaction of a static QR is a request of that QR, expires no later than the
 * request, is open while that is pending, and is closed once that has expired.
 */
export async function checkTransactions(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number }[]>`
    select coalesce(t.id, r.id) as id
    from (select * from static_transactions where account_id = ${accountId}) t
    full join (select id, state, due1, details->>'static_id' as static_id from requests
      where account_id = ${accountId} and kind = 'qr' and details->>'static_id' is not null) r
      on r.id = t.id
    where (r.id is null or t.id is null
      or r.static_id is distinct from t.static_id
      or (${sql.unsafe(localTime('t.expires_at'))})::date > r.due1
      or (r.state = 'pending' and not t.open) or (r.state = 'expired' and t.open))
    order by 1 limit 100`;
  return rows.map(({ id }) => `transaction ${id} of a static QR does not match its request`);
}
