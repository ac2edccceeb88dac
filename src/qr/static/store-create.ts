import { writeEvents } from '../../events/index.ts';
import type { Base } from '../../platform/base.ts';
import {
  type CreationOutcome,
  claimKeys,
  type IdempotencyClaim,
  outcomesOf,
  type StoredAnswer,
} from '../../platform/idempotency.ts';
import { QrRefusal } from '../errors/refusal.ts';
import { isTaken } from '../taken.ts';
import type { StaticRow } from './store.ts';

/** A static with everything that is written together with it. */
export interface StaticCreation {
  row: StaticRow;
  eventId: number;
  actor: string;
  claim: IdempotencyClaim | null;
  answer: StoredAnswer;
}

async function insert({ sql, clocks }: Base, creation: StaticCreation): Promise<boolean> {
  const { row, eventId, actor, claim, answer } = creation;
  const claims = claim ? [{ ...claim, ...answer, accountId: row.account_id, id: row.number }] : [];
  const data = JSON.stringify({ qr_string: row.payload });
  const created = await sql`
    with ${claimKeys(sql, claims, clocks.wall.now())},
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
        ${eventId}::bigint as id, 'static_qr.created' as type, created_at as at, ${actor} as actor,
        ${data} as data
      from created
    ),
    ${writeEvents(sql, 'new_events')}
    select 1 from created`;
  return created.length > 0;
}

/** Inserts a static, its event and its stored answer in one statement. 409 where its id is taken. */
export async function insertStatic(base: Base, creation: StaticCreation): Promise<CreationOutcome> {
  const { row, claim, answer } = creation;
  const call = { accountId: row.account_id, id: row.number, claim, answer };
  try {
    const fresh = (await insert(base, creation)) ? [row.number] : [];
    const [outcome] = await outcomesOf(base.sql, [call], new Set(fresh));
    if (outcome === undefined || outcome instanceof Error) throw outcome;
    return outcome;
  } catch (error) {
    if (!isTaken(error, 'static_qrs_pkey')) throw error;
    throw new QrRefusal('idTaken', `The id ${row.id} is taken: ids are never used twice.`);
  }
}
