import { createHash } from 'node:crypto';
import { writeOperatorEvent } from '../events/index.ts';
import { raiseMoneyAlarm } from '../money/alarms/index.ts';
import type { Acting, Base } from '../platform/base.ts';
import { noticeFaults, noticeIn } from './check.ts';
import { refusal } from './codes.ts';
import { decideLetter, openLetter } from './dead-letters.ts';
import { actorOf, type NoticeParts } from './facts.ts';
import { heedNotice } from './notices.ts';

const mostFault = 500;

/**
 * Stores an unreadable notice with its event and an alarm, since it may concern money. Repeats of
 * the same text are one letter.
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

/**
 * Carries out a dead letter as if it arrived now. Its fact counts once, so a crash in between is
 * harmless. Throws 404 for an unknown letter, 409 if it was already decided or is still unreadable.
 */
export async function replayLetter(parts: NoticeParts, acting: Acting, id: number): Promise<void> {
  const letter = await openLetter(acting.sql, id);
  const message: object = JSON.parse(letter.body);
  const notice = noticeIn(message);
  if (!notice) {
    throw refusal('letter.unreadable', { faults: noticeFaults(message).join('; ') });
  }
  await heedNotice(parts, letter.connector, notice);
  await decideLetter(acting, letter, { state: 'replayed', note: notice.type });
}
