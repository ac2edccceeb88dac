import { writeEvents } from '../../events/index.ts';
import { itemAt } from '../../kernel/lists.ts';
import { type Actor, actorText } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import {
  type ClaimedCreation,
  type CreationOutcome,
  createOnce,
} from '../../platform/idempotency.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { refusal } from '../codes.ts';
import { isTaken } from '../unique-violation.ts';
import type { StaticRow } from './store.ts';

type Fragment = ReturnType<Queryable>;

export interface StaticCreation extends ClaimedCreation {
  row: StaticRow;
  eventId: number;
  actor: Actor;
}

const insert = (sql: Queryable, { row, eventId, actor }: StaticCreation, claims: Fragment) => {
  const data = JSON.stringify({ qr_string: row.payload });
  return sql<{ id: number }[]>`
    with ${claims},
    created as (
      insert into static_qrs (account_id, id, number, open_amount, multiple_payment, name, city,
        postal_code, description, payer, payload, created_at)
      select ${row.account_id}, ${row.id}, ${row.number}::bigint,
        ${row.open_amount}::boolean, ${row.multiple_payment}::boolean, ${row.name}, ${row.city},
        ${row.postal_code}, ${row.description}, ${row.payer}, ${row.payload},
        ${row.created_at}::timestamptz
      where not exists (select from claim) or exists (select from claimed)
      returning account_id, id, created_at
    ),
    new_events as (
      select account_id, 'static_qr' as entity, id as entity_id, 1 as version,
        ${eventId}::bigint as id, 'static_qr.created' as type, created_at as at, ${actorText(actor)} as actor,
        ${data} as data
      from created
    ),
    ${writeEvents(sql, 'new_events')}
    select ${row.number}::bigint as id from created`;
};

/**
 * Inserts a static QR, its event and its stored response in one statement. Throws 409 if the id is
 * taken.
 */
export async function insertStatic(
  { sql, clocks }: Base,
  creation: StaticCreation,
): Promise<CreationOutcome> {
  try {
    const write = (_one: StaticCreation[], claims: Fragment) => insert(sql, creation, claims);
    const outcome = itemAt(await createOnce(sql, [creation], clocks.wall.now(), write), 0);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  } catch (error) {
    if (!isTaken(error, 'static_qrs_pkey')) throw error;
    throw refusal('qr.id_taken', {});
  }
}
