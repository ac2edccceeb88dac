import { eventsOfEntity, writeEvents } from '../../events/index.ts';
import { type Erasing, erasedCbu, erasedEvent, type StillNeeded } from '../../platform/person.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';

/** Returns proposals about requests that await a second person. */
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

const withCbu = (sql: Queryable, accountId: string, requestIds: readonly number[]) => sql`
  p.account_id = ${accountId} and p.request_id = any(${[...requestIds]}::bigint[])
  and p.terms::json->>'cbu' is not null and p.terms::json->>'cbu' <> ${erasedCbu}`;

/** Counts proposals that have a payer's CBU. */
export async function countWithCbu(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from proposals p where ${withCbu(tx, accountId, requestIds)}`;
  return row?.count ?? 0;
}

/** Erases payers' CBUs from decided proposals, each with an event. */
export async function eraseProposals(
  tx: Queryable,
  { accountId, at, actor, reason }: Erasing,
  requestIds: readonly number[],
  eventIds: readonly number[],
): Promise<void> {
  await tx`
    with erased_rows as (
      update proposals p
      set terms = (p.terms::jsonb || jsonb_build_object('cbu', ${erasedCbu}::text))::text
      where ${withCbu(tx, accountId, requestIds)}
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
    select 1`;
}
