import { formatDay } from '../../../kernel/dates.ts';
import type { Queryable } from '../../../platform/postgres/connect.ts';
import { localDay } from '../../../platform/postgres/local-time.ts';
import { lateRelease } from '../release.ts';

interface LateReleases {
  available_on: Temporal.PlainDate;
  released_on: Temporal.PlainDate;
  id: number;
  count: number;
}

/**
 * Selects releases later than the day after the promised one. That day of grace covers results
 * reported in a day's last moment. `isReported`: the sweep reported the delay at the time.
 */
const lateReleases = (sql: Queryable, accountId: string, isReported: boolean) => sql<
  LateReleases[]
>`
  with reported as (
    select (one->>'id')::bigint as id, (one->>'available_on')::date as available_on,
      ${localDay(sql, sql`at`)} as released_on
    from events, json_array_elements(data->'results') as one
    where account_id = ${accountId} and entity = ${lateRelease}
  )
  select r.available_on, r.released_on, min(r.id) as id, count(*)::int as count
  from results r
  where r.account_id = ${accountId} and r.type = 'collected' and r.released_on > r.available_on + 1
    and exists (select from reported as p where p.id = r.id and p.available_on = r.available_on
      and p.released_on = r.released_on) = ${isReported}::boolean
  group by 1, 2 order by 1, 2 limit 100`;

const sentence = ({ available_on, released_on, id, count }: LateReleases, why: string): string =>
  `result ${id}${count > 1 ? ` and ${count - 1} more` : ''}, promised for ` +
  `${formatDay(available_on)}, became available on ${formatDay(released_on)}${why}`;

export async function lateWithoutReason(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await lateReleases(sql, accountId, false);
  return rows.map((row) => sentence(row, ', without a recorded reason'));
}

/** Returns late releases that the sweep reported because it did not run on the due day. */
export async function lateWithReason(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await lateReleases(sql, accountId, true);
  return rows.map((row) => sentence(row, ': no sweep ran that day'));
}
