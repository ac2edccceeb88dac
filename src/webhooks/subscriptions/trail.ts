import { appendEvents } from '../../events/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { presentWebhook } from '../present.ts';
import type { WebhookRow } from '../store.ts';

type Change = 'created' | 'rotated' | 'paused' | 'resumed' | 'removed';

/** It begins with version 1; each generation of its secret, pause and resumption is one, its end the next. */
const versionOf = ({ secret_no: secretNo, holds }: WebhookRow, change: Change): number =>
  secretNo + holds + (change === 'removed' ? 1 : 0);

/**
 * Writes down who changed a webhook, for the audit log alone. Take `eventId` before rows are held.
 */
export async function noteChange(
  tx: Queryable,
  { clocks }: Pick<Base, 'clocks'>,
  ctx: Pick<Ctx, 'actor'>,
  { row, change, eventId }: { row: WebhookRow; change: Change; eventId: number },
): Promise<void> {
  const { url, events } = presentWebhook(row);
  await appendEvents(tx, [
    {
      accountId: row.account_id,
      entity: 'webhook',
      entityId: String(row.id),
      version: versionOf(row, change),
      id: eventId,
      type: `webhook.${change}`,
      at: clocks.business.now(),
      actor: ctx.actor,
      data: { url, event_types: events.map(({ name }) => name) },
    },
  ]);
}
