import { writeEvents } from '../../events/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { type RequestKey, requestColumns } from '../../requests/index.ts';
import type { QrRow, QrState } from '../row.ts';

/**
 * Holds the dynamic QRs with these ids until the transaction ends, in the order of their numbers,
 * in which every statement holds requests. Ids that name none are left out.
 */
export async function holdQrs(sql: Queryable, accountId: string, ids: string[]): Promise<QrRow[]> {
  return await sql<QrRow[]>`
    with found as materialized (
      select r.account_id, r.id from unnest(${ids}::text[]) as wanted (code)
      cross join lateral (
        select * from requests where account_id = ${accountId} and code = wanted.code limit 1
      ) as r
      where r.kind = 'qr' and r.details->>'static_id' is null
    )
    select ${requestColumns(sql)} from found
    join requests r on r.account_id = found.account_id and r.id = found.id
    order by r.id for update of r`;
}

interface Change {
  at: Temporal.Instant;
  actor: string;
  /** As many as there are QRs. */
  eventIds: number[];
}

/** Events of changed QRs, from a relation `changed` with their number of event. */
const changeEvents = (sql: Queryable, type: string, { at, actor }: Change) => sql`
  new_events as (
    select account_id, kind as entity, code as entity_id, version, event_id as id,
      ${type}::text as type, ${at}::timestamptz as at, ${actor}::text as actor,
      json_strip_nulls(json_build_object('state', state, 'external_reference', reference,
        'amount', trim_scale(total1 / 100.0)))::text as data
    from changed
  ),
  ${writeEvents(sql, 'new_events')}
  select 1`;

/** Gives held QRs new contents: everything but number, id, state and creation. */
export async function writeEdits(sql: Queryable, rows: QrRow[], change: Change): Promise<void> {
  await sql`
    with edit as (
      select * from unnest(
        ${rows.map((row) => row.account_id)}::text[], ${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.reference)}::text[],
        ${rows.map((row) => row.payer)}::text[], ${rows.map((row) => row.description)}::text[],
        ${rows.map((row) => row.due1)}::date[], ${rows.map((row) => row.total1)}::bigint[],
        ${rows.map((row) => row.due2)}::date[], ${rows.map((row) => row.total2)}::bigint[],
        ${rows.map((row) => row.last_due)}::date[],
        ${rows.map((row) => JSON.stringify(row.details))}::text[], ${change.eventIds}::bigint[]
      ) as edit (account_id, id, reference, payer, description, due1, total1, due2, total2, last_due, details,
        event_id)
    ),
    changed as (
      update requests r set version = r.version + 1, reference = edit.reference,
        payer = edit.payer, description = edit.description, due1 = edit.due1,
        total1 = edit.total1, due2 = edit.due2, total2 = edit.total2,
        last_due = edit.last_due, details = edit.details::json
      from edit where r.account_id = edit.account_id and r.id = edit.id
      returning r.account_id, r.kind, r.code, r.version, r.state, r.reference, r.total1, event_id
    ),
    ${changeEvents(sql, 'qr.edited', change)}`;
}

/** Moves held QRs to a state, and says when. */
export async function writeDeletions(
  sql: Queryable,
  { keys, to }: { keys: RequestKey[]; to: QrState },
  change: Change,
): Promise<void> {
  await sql`
    with changed as (
      update requests r set version = r.version + 1, state = ${to},
        details = (r.details::jsonb || jsonb_build_object('deleted_at', ${change.at.toString()}::text))::json
      from unnest(
        ${keys.map((key) => key.accountId)}::text[], ${keys.map((key) => key.id)}::bigint[],
        ${change.eventIds}::bigint[]
      ) as deletion (account_id, id, event_id)
      where r.account_id = deletion.account_id and r.id = deletion.id
      returning r.account_id, r.kind, r.code, r.version, r.state, r.reference, r.total1, event_id
    ),
    ${changeEvents(sql, 'qr.deleted', change)}`;
}
