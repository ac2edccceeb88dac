import { operatorBooks } from '../../accounts/index.ts';
import { type ErasureEvent, eventsOfEntity, writeEvents } from '../../events/index.ts';
import { type Erasing, erasedEvent, erasedText } from '../../platform/person.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { textsOf } from '../../platform/postgres/texts.ts';

const noted = (sql: Queryable, accountId: string, requestIds: readonly number[]) => sql`
  s.account_id = ${operatorBooks} and s.state = 'assigned' and s.to_account_id = ${accountId}
  and s.to_request_id = any(${[...requestIds]}::bigint[]) and s.note <> ${erasedText}`;

/** Counts suspense money that was assigned to these requests with a note. */
export async function countNotedSuspense(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from suspense s where ${noted(tx, accountId, requestIds)}`;
  return row?.count ?? 0;
}

/** Erases the notes of money assigned to these requests. Returns events of the operator's books. */
export async function eraseSuspense(
  tx: Queryable,
  { accountId, at, actor, reason }: Erasing,
  requestIds: readonly number[],
  eventIds: readonly number[],
): Promise<ErasureEvent[]> {
  return await tx<ErasureEvent[]>`
    with erased_rows as (
      update suspense s set note = ${erasedText} where ${noted(tx, accountId, requestIds)}
      returning s.account_id, s.id
    ),
    erased as (
      select account_id, 'suspense' as entity, id::text as entity_id, (
          select max(e.version) + 1 from ${eventsOfEntity(tx, operatorBooks, 'suspense')}
          where e.entity_id = erased_rows.id::text)::int as version,
        (${[...eventIds]}::bigint[])[row_number() over (order by id)] as id,
        ${`suspense.${erasedEvent}`}::text as type, ${at}::timestamptz as at,
        ${actor}::text as actor, jsonb_build_object('reason', ${reason}::text)::text as data
      from erased_rows
    ),
    ${writeEvents(tx, 'erased')}
    select entity, entity_id, version from erased`;
}

/** Exports money that was assigned to requests as JSON rows. */
export const exportSuspense = (
  sql: Queryable,
  accountId: string,
  requestIds: readonly number[],
): AsyncGenerator<string> =>
  textsOf(sql<{ text: string }[]>`
    select row_to_json(shown)::text as text from (
      select id, to_request_id as request_id, channel_label as channel, code, amount, paid_at,
        resolved_at, note
      from suspense
      where account_id = ${operatorBooks} and state = 'assigned' and to_account_id = ${accountId}
        and to_request_id = any(${[...requestIds]}::bigint[])
      order by id
    ) as shown`);
