import { noteOperator } from '../events/index.ts';
import { actorText } from '../platform/actor.ts';
import type { Acting } from '../platform/base.ts';
import type { ListPage } from '../platform/list-page.ts';
import { erasedText } from '../platform/person.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { refusal } from './codes.ts';

/**
 * A dead letter: an unreadable notice that waits for a release that can read it, or for a person.
 */
export interface DeadLetter {
  id: number;
  connector: string;
  /** The notice's JSON, without card numbers. */
  body: string;
  fault: string;
  heard_at: Temporal.Instant;
  state: 'open' | 'replayed' | 'discarded';
  decided_at: Temporal.Instant | null;
  decided_by: string | null;
  note: string | null;
}

const columns = (sql: Queryable) => sql`
  id, connector, body, fault, heard_at, state, decided_at, decided_by, note`;

/** Returns a page of the open dead letters, or of all, oldest first. */
export const listLetters = (
  sql: Queryable,
  { all, after, limit }: ListPage & { all: boolean },
): Promise<DeadLetter[]> => sql<DeadLetter[]>`
  select ${columns(sql)} from connector_letters
  where id > ${after} ${all ? sql`` : sql`and state = 'open'`} order by id limit ${limit}`;

/** Reads a letter. Throws 404 if it does not exist. */
export async function readLetter(sql: Queryable, id: number): Promise<DeadLetter> {
  const [letter] = await sql<DeadLetter[]>`
    select ${columns(sql)} from connector_letters where id = ${id}`;
  if (!letter) throw refusal('letter.not_found', {});
  return letter;
}

/** Reads an open letter. Throws 404 if it does not exist, 409 if it was already decided. */
export async function openLetter(sql: Queryable, id: number): Promise<DeadLetter> {
  const letter = await readLetter(sql, id);
  const { state } = letter;
  if (state !== 'open') throw refusal('letter.decided', { state });
  return letter;
}

/** Closes a letter and records the event. Throws 409 if it was already decided. */
export async function decideLetter(
  acting: Acting,
  { id, connector }: DeadLetter,
  { state, note }: { state: 'replayed' | 'discarded'; note: string },
): Promise<void> {
  const { sql, clocks, recordIds, actor } = acting;
  const eventId = await recordIds.next();
  await sql.begin(async (tx) => {
    const decided = await tx`
      update connector_letters set state = ${state}, note = ${note},
        decided_at = ${clocks.business.now()}::timestamptz, decided_by = ${actorText(actor)}
      where id = ${id} and state = 'open' returning id`;
    if (decided.length === 0) throw refusal('letter.decided', { state: 'decided' });
    const event = { entity: 'connector_letter', entityId: String(id) };
    const type = `connector_letter.${state}`;
    await noteOperator(tx, acting, { eventId, ...event, type, data: { connector, note } });
  });
}

/**
 * Closes a dead letter that is not needed. Throws 404 for an unknown letter, 409 if it was already
 * decided.
 */
export async function discardLetter(acting: Acting, id: number, note: string): Promise<void> {
  await decideLetter(acting, await openLetter(acting.sql, id), { state: 'discarded', note });
}

/**
 * Empties decided letters that match one of these regular expressions, ignoring case. Their digests
 * stay, so that none is accepted twice. Letters belong to no account.
 */
export async function eraseLetters(tx: Queryable, patterns: readonly string[]): Promise<void> {
  await tx`
    update connector_letters set body = '{}', fault = ${erasedText}
    where state <> 'open'
      and (body ~* any(${[...patterns]}::text[]) or fault ~* any(${[...patterns]}::text[]))`;
}
