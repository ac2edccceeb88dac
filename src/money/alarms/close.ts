import { noteOperator } from '../../events/index.ts';
import { actorText } from '../../platform/actor.ts';
import type { Acting } from '../../platform/base.ts';
import { stampClosing } from './closing.ts';
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
 * Closes an alarm with a note. Returns `known` if it was already closed, and keeps the first note.
 * Throws 404 for an unknown alarm.
 */
export const closeMoneyAlarm: CloseMoneyAlarm = async (acting, { id, note }) => {
  const { sql, clocks, recordIds, actor } = acting;
  const eventId = await recordIds.next();
  return await sql.begin(async (tx) => {
    await tx`select from money_alarms where id = ${id} for update`;
    const alarm = await readMoneyAlarm(tx, id);
    if (alarm === null) throw refusal('alarm.not_found', {});
    if (alarm.closed_at !== null) return 'known';
    const { kind, fact } = alarm;
    const [at, by] = [clocks.business.now(), actorText(actor)];
    const stamp = await stampClosing(tx, { id, kind, fact, at, by, note });
    await tx`
      update money_alarms set closed_at = ${at}::timestamptz, closed_by = ${by}, note = ${note},
        closing_stamp = ${stamp}
      where id = ${id}`;
    const event = { entity: 'alarm', entityId: String(id), type: 'alarm.closed' };
    await noteOperator(tx, acting, { eventId, ...event, data: { note } });
    return 'closed';
  });
};
