import type { Queryable } from '../platform/postgres/connect.ts';

/**
 * Versions of an entity's events have no gap: nothing happened without its event. Only the
 * creation of a QR may be told by the event of its batch.
 */
export async function checkVersions(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number; version: number; events: number }[]>`
    select r.id, r.version, count(e.id)::int as events from requests r
    left join events e on e.account_id = r.account_id and e.entity = r.kind
      and e.entity_id = case when r.kind = 'qr' then r.code else r.id::text end
    where r.account_id = ${accountId}
    group by r.id, r.kind, r.version
    having count(e.id) <> r.version
      -- QRs that came in one batch have one event for all of their beginnings.
      and not (r.kind = 'qr' and count(e.id) = r.version - 1 and min(e.version) is distinct from 1)
    order by r.id limit 100`;
  return rows.map(
    (row) => `request ${row.id} is at version ${row.version} with ${row.events} events`,
  );
}
