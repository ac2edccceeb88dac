import { readAccount } from '../../accounts/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { maxNotifiedOwners, notifyOwners } from '../../users/index.ts';
import { presentWebhook } from '../present.ts';
import type { WebhookRow } from '../store.ts';

type Change = 'created' | 'rotated' | 'paused' | 'resumed' | 'removed';

/**
 * Returns the version of a webhook after a change. Versions start at 1. Each secret generation,
 * pause, resumption and removal adds one.
 */
const versionOf = ({ secret_no: secretNo, holds }: WebhookRow, change: Change): number =>
  secretNo + holds + (change === 'removed' ? 1 : 0);

const notices = {
  created: 'webhook_added',
  rotated: 'webhook_secret_changed',
  paused: 'webhook_paused',
  resumed: 'webhook_resumed',
  removed: 'webhook_removed',
} as const;

export type NoteChange = (
  tx: Queryable,
  noted: { row: WebhookRow; change: Change },
) => Promise<void>;

/**
 * Prepares a change's audit entry before rows are locked. The returned function records it and
 * notifies the account's owners in the change's transaction.
 */
export async function prepareNote(base: Base, ctx: Ctx): Promise<NoteChange> {
  const { accountId } = ctx;
  const [eventId, mailIds, account] = await Promise.all([
    base.recordIds.next(),
    base.recordIds.take(maxNotifiedOwners),
    readAccount(base.sql, accountId),
  ]);
  const now = base.clocks.wall.now();
  return async (tx, { row, change }) => {
    await noteChange(tx, base, ctx, { row, change, eventId });
    const notice = { what: notices[change], name: URL.parse(row.url)?.host ?? row.url };
    const where = account?.name ?? accountId;
    await notifyOwners(tx, { accountId, where, notice }, { mailIds, now });
  };
}

/** Records a webhook's change for the audit log. Take `eventId` before locking rows. */
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
