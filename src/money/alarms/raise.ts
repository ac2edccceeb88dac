import { writeOperatorEvent } from '../../events/index.ts';
import { system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { MoneyAlarm } from './alarm.ts';

/** `sql` may be a transaction, which then records the alarm with its other writes. */
export type RaisingParts = Pick<Base, 'clocks' | 'recordIds' | 'log'> & { sql: Queryable };

const mostMessage = 500;

/**
 * Records an alarm and its event, unless one of the same kind and fact exists, even a closed one.
 * Call this before booking the fact: after a crash in between, the fact arrives again, and its
 * alarm is already recorded.
 */
export async function raiseMoneyAlarm(
  { sql, clocks, recordIds, log }: RaisingParts,
  alarm: MoneyAlarm,
): Promise<void> {
  const { kind, fact, connector, accountId, requestId, attemptId, resultId, suspenseId } = alarm;
  const message = alarm.message.slice(0, mostMessage);
  const [id = 0, eventId = 0] = await recordIds.take(2);
  const event = {
    eventId,
    entity: 'alarm',
    entityId: String(id),
    type: 'alarm.raised',
    data: { kind, fact, ...(alarm.amount !== undefined && { amount: alarm.amount }) },
  };
  const rows = await sql`
    with raised as (
      insert into money_alarms (id, kind, fact, message, connector, account_id, request_id,
        attempt_id, result_id, suspense_id, amount, raised_at)
      values (${id}, ${kind}, ${fact}, ${message}, ${connector ?? null}, ${accountId ?? null},
        ${requestId ?? null}, ${attemptId ?? null}, ${resultId ?? null}, ${suspenseId ?? null},
        ${alarm.amount ?? null}, ${clocks.business.now()}::timestamptz)
      on conflict (kind, fact) do nothing returning id
    ),
    ${writeOperatorEvent(sql, { clocks, actor: system }, event, 'raised')}
    select id from raised`;
  if (rows.length > 0) log.error({ alarm: id, kind, fact, connector }, `money: ${message}`);
}
