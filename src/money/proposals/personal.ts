import {
  type ErasureEvent,
  type EventEntity,
  eventsOfEntity,
  writeEvents,
} from '../../events/index.ts';
import {
  type Erasing,
  erasedCbu,
  erasedEvent,
  erasedText,
  type StillNeeded,
} from '../../platform/person.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { textsOf } from '../../platform/postgres/texts.ts';

/** Returns the undecided proposals about these requests. */
export async function proposalsNeeded(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<StillNeeded[]> {
  const rows = await tx<{ id: number }[]>`
    select id from proposals where account_id = ${accountId}
      and request_id = any(${[...requestIds]}::bigint[]) and state = 'waiting' order by id`;
  return rows.map(({ id }) => ({ what: 'proposal', id, why: 'it waits for a decision' }));
}

const personal = (sql: Queryable, accountId: string, requestIds: readonly number[]) => sql`
  p.account_id = ${accountId} and p.request_id = any(${[...requestIds]}::bigint[])
  and (p.terms::json->>'cbu' <> ${erasedCbu} or p.reason <> ${erasedText})`;

/** Counts the proposals about these requests that contain a payer's CBU, or a reason. */
export async function countPersonalProposals(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from proposals p where ${personal(tx, accountId, requestIds)}`;
  return row?.count ?? 0;
}

/** Returns the proposals about requests, as entities of events. */
export async function proposalEntities(
  sql: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<EventEntity[]> {
  return await sql<EventEntity[]>`
    select 'proposal' as entity, id::text as entity_id from proposals
    where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])`;
}

/** Erases payers' CBUs and reasons from the proposals about these requests, each with an event. */
export async function eraseProposals(
  tx: Queryable,
  { accountId, at, actor, reason }: Erasing,
  requestIds: readonly number[],
  eventIds: readonly number[],
): Promise<ErasureEvent[]> {
  return await tx<ErasureEvent[]>`
    with erased_rows as (
      update proposals p
      set terms = case when p.terms::json->>'cbu' is null then p.terms
          else (p.terms::jsonb || jsonb_build_object('cbu', ${erasedCbu}::text))::text end,
        reason = case when p.reason is not null then ${erasedText} end
      where ${personal(tx, accountId, requestIds)}
      returning p.account_id, p.id, p.kind, p.reference
    ),
    erased as (
      select account_id, 'proposal' as entity, id::text as entity_id, (
          select coalesce(max(e.version), 0) + 1 from ${eventsOfEntity(tx, accountId, 'proposal')}
          where e.entity_id = erased_rows.id::text)::int as version,
        (${[...eventIds]}::bigint[])[row_number() over (order by id)] as id,
        ${`proposal.${erasedEvent}`}::text as type, ${at}::timestamptz as at,
        ${actor}::text as actor, jsonb_build_object('kind', kind, 'reference', reference,
          'reason', ${reason}::text)::text as data
      from erased_rows
    ),
    ${writeEvents(tx, 'erased')}
    select entity, entity_id, version from erased`;
}

/** Exports proposals about requests as JSON rows. */
export const exportProposals = (
  sql: Queryable,
  accountId: string,
  requestIds: readonly number[],
): AsyncGenerator<string> =>
  textsOf(sql<{ text: string }[]>`
    select row_to_json(shown)::text as text from (
      select id, request_id, kind, reference, amount, terms::json as terms, state, proposed_at,
        decided_at, reason
      from proposals
      where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
      order by id
    ) as shown`);
