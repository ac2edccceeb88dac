import { noteOperator } from '../../events/index.ts';
import { actorText } from '../../platform/actor.ts';
import type { Acting } from '../../platform/base.ts';
import { refusal } from './codes.ts';
import { readMoneyAlarm } from './list.ts';

export interface AlarmClosing {
  id: number;
  note: string;
}

export type CloseMoneyAlarm = (
  acting: Acting,
  closing: AlarmClosing,
) => Promise<'closed' | 'known'>;

/**
 * Closes an alarm with a note. `known`: already closed, and the first note stays. Throws 404 for an
 * unknown alarm.
 */
export const closeMoneyAlarm: CloseMoneyAlarm = async (acting, { id, note }) => {
  const { sql, clocks, recordIds, actor } = acting;
  const eventId = await recordIds.next();
  return await sql.begin(async (tx) => {
    const closed = await tx`
      update money_alarms set closed_at = ${clocks.business.now()}::timestamptz,
        closed_by = ${actorText(actor)}, note = ${note}
      where id = ${id} and closed_at is null returning id`;
    if (closed.length > 0) {
      const event = { entity: 'alarm', entityId: String(id), type: 'alarm.closed' };
      await noteOperator(tx, acting, { eventId, ...event, data: { note } });
      return 'closed';
    }
    if ((await readMoneyAlarm(tx, id)) === null) throw refusal('alarm.not_found', {});
    return 'known';
  });
};
