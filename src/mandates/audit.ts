import type { Queryable } from '../platform/postgres/connect.ts';

/**
 * Checks that every change of a mandate has its event, and that the last event contains the
 * mandate's state.
 */
export async function checkMandates(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<
    { kind: string; id: number; version: number; events: number; state: string; told: string }[]
  >`
    with told as (
      select entity, entity_id, count(*)::int as events from events
      where account_id = ${accountId} and entity in ('adhesion', 'card_adhesion')
      group by entity, entity_id
    )
    select m.kind, m.id, m.version, coalesce(told.events, 0) as events, m.state,
      coalesce(last.data->>'state', 'none') as told
    from mandates m
    left join told on told.entity = m.kind and told.entity_id = m.id::text
    left join events last on last.account_id = m.account_id and last.entity = m.kind
      and last.entity_id = m.id::text and last.version = m.version
    where m.account_id = ${accountId}
      and (coalesce(told.events, 0) <> m.version or m.state is distinct from coalesce(last.data->>'state', m.state))
    order by m.kind, m.id limit 100`;
  return rows.map(({ kind, id, version, events, state, told }) =>
    version === events
      ? `${kind} ${id} is ${state}, but its last event says ${told}`
      : `${kind} ${id} has version ${version}, but ${events} events`,
  );
}
