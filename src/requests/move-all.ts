import type { Queryable } from '../platform/postgres/connect.ts';
import { moveRequests, type StepTerms, stepTerms } from './move.ts';

/** An account's requests of one kind to move together, with an event id for each. */
export interface JointMove extends StepTerms {
  accountId: string;
  ids: readonly number[];
  eventIds: readonly number[];
}

/** Moves the requests whose state allows it, and returns their ids. */
export async function moveAll(
  sql: Queryable,
  { accountId, ids, eventIds, ...terms }: JointMove,
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    with step as (
      select ${accountId}::text as account_id, id as request_id, ${terms.kind}::text as kind,
        event_id, null::text as data, ${stepTerms(sql, terms)}
      from unnest(${[...ids]}::bigint[], ${eventIds.slice(0, ids.length)}::bigint[])
        as step (id, event_id)
    ),
    ${moveRequests(sql, 'step', [accountId])}
    select request_id as id from moved_requests`;
  return rows.map(({ id }) => id);
}
