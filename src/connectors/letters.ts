import { createHash } from 'node:crypto';
import { noteOperator, writeOperatorEvent } from '../events/index.ts';
import { raiseMoneyAlarm } from '../money/alarms/index.ts';
import { actorText } from '../platform/actor.ts';
import type { Acting, Base } from '../platform/base.ts';
import { conflict, notFound } from '../platform/errors.ts';
import type { ListPage } from '../platform/list-page.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { noticeFaults, noticeIn } from './check.ts';
import { actorOf, type NoticeParts } from './facts.ts';
import { heedNotice } from './notices.ts';

/** A notice that nobody here could read: it waits for a release that can, or for a person. */
export interface Letter {
  id: number;
  connector: string;
  /** Its JSON, without card numbers. */
  body: string;
  fault: string;
  heard_at: Temporal.Instant;
  state: 'open' | 'replayed' | 'discarded';
  decided_at: Temporal.Instant | null;
  decided_by: string | null;
  note: string | null;
}

const mostFault = 500;

/**
 * Keeps an unreadable notice with its event and an alarm, since it may speak of money. The same
 * text again is the same letter.
 */
export async function keepLetter(
  base: Pick<Base, 'sql' | 'clocks' | 'recordIds' | 'log'>,
  connector: string,
  message: object,
): Promise<void> {
  const { sql, clocks, recordIds } = base;
  const body = JSON.stringify(message);
  const digest = createHash('sha256').update(body).digest('base64url');
  const fault = noticeFaults(message).join('; ').slice(0, mostFault);
  await raiseMoneyAlarm(base, {
    kind: 'dead_letter',
    fact: `${connector} ${digest}`,
    message: `${connector} sent a notice that this release cannot read: ${fault}. Replay it later, or discard it.`,
    connector,
  });
  const [id = 0, eventId = 0] = await recordIds.take(2);
  const event = {
    eventId,
    entity: 'connector_letter',
    entityId: String(id),
    type: 'connector_letter.kept',
    data: { connector, fault },
  };
  const acting = { clocks, actor: actorOf(connector) };
  await sql`
    with kept as (
      insert into connector_letters (id, connector, digest, body, fault, heard_at, state)
      values (${id}, ${connector}, ${digest}, ${body}, ${fault},
        ${clocks.business.now()}::timestamptz, 'open')
      on conflict (connector, digest) do nothing returning id
    ),
    ${writeOperatorEvent(sql, acting, event, 'kept')}
    select id from kept`;
}

const columns = (sql: Queryable) => sql`
  id, connector, body, fault, heard_at, state, decided_at, decided_by, note`;

/** Dead letters that wait, or all that ever came; the oldest first. */
export const listLetters = (
  sql: Queryable,
  { all, after, limit }: ListPage & { all: boolean },
): Promise<Letter[]> => sql<Letter[]>`
  select ${columns(sql)} from connector_letters
  where id > ${after} ${all ? sql`` : sql`and state = 'open'`} order by id limit ${limit}`;

async function openLetter(sql: Queryable, id: number): Promise<Letter> {
  const [letter] = await sql<Letter[]>`
    select ${columns(sql)} from connector_letters where id = ${id}`;
  if (!letter) throw notFound('dead letter');
  if (letter.state !== 'open') throw conflict(`The dead letter was ${letter.state} before.`);
  return letter;
}

async function decide(
  acting: Acting,
  { id, connector }: Letter,
  { state, note }: { state: 'replayed' | 'discarded'; note: string },
): Promise<void> {
  const { sql, clocks, recordIds, actor } = acting;
  const eventId = await recordIds.next();
  await sql.begin(async (tx) => {
    const decided = await tx`
      update connector_letters set state = ${state}, note = ${note},
        decided_at = ${clocks.business.now()}::timestamptz, decided_by = ${actorText(actor)}
      where id = ${id} and state = 'open' returning id`;
    if (decided.length === 0) throw conflict('The dead letter was decided meanwhile.');
    const told = { entity: 'connector_letter', entityId: String(id) };
    const type = `connector_letter.${state}`;
    await noteOperator(tx, acting, { eventId, ...told, type, data: { connector, note } });
  });
}

/**
 * Does what a dead letter says, as if it arrived now: what it says counts once, so a crash in
 * between does no harm. 404: no such letter; 409: decided before, or still unreadable.
 */
export async function replayLetter(parts: NoticeParts, acting: Acting, id: number): Promise<void> {
  const letter = await openLetter(acting.sql, id);
  const message: object = JSON.parse(letter.body);
  const notice = noticeIn(message);
  if (!notice) {
    throw conflict(`This release cannot read it either: ${noticeFaults(message).join('; ')}.`);
  }
  await heedNotice(parts, letter.connector, notice);
  await decide(acting, letter, { state: 'replayed', note: notice.type });
}

/** Closes a dead letter that nobody will need. 404: no such letter; 409: decided before. */
export async function discardLetter(acting: Acting, id: number, note: string): Promise<void> {
  await decide(acting, await openLetter(acting.sql, id), { state: 'discarded', note });
}
