import { readAccount } from '../../accounts/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { byStatement } from '../../platform/postgres/distributed/engine.ts';
import { maxNotifiedOwners, notifyOwners } from '../../users/index.ts';
import { typeNames } from '../registration.ts';
import type { WebhookRow } from '../store.ts';

type Change = 'created' | 'edited' | 'rotated' | 'paused' | 'resumed' | 'removed';

/**
 * Returns the version of a webhook after a change. Versions start at 1. Each secret generation,
 * pause, resumption, edit and removal adds one.
 */
const versionOf = ({ secret_no: secretNo, holds }: WebhookRow, change: Change): number =>
  secretNo + holds + (change === 'removed' ? 1 : 0);

const notices = {
  created: 'webhook_added',
  edited: 'webhook_changed',
  rotated: 'webhook_secret_changed',
  paused: 'webhook_paused',
  resumed: 'webhook_resumed',
  removed: 'webhook_removed',
} as const;

interface Noted {
  row: WebhookRow;
  change: Change;
  /** The webhook before an edit. */
  before?: WebhookRow;
}

export type NoteChange = (tx: Queryable, noted: Noted) => Promise<void>;

const hostOf = ({ url }: WebhookRow): string => URL.parse(url)?.host ?? url;

/** Names a webhook by its host, and by the former one too if it moved. */
const nameOf = ({ row, before = row }: Noted): string =>
  [...new Set([hostOf(before), hostOf(row)])].join(' → ');

const shownIn = ({ url, event_types }: WebhookRow) => ({
  url,
  event_types: typeNames(event_types),
});

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
  return async (tx, noted) => {
    await noteChange(tx, base, ctx, { ...noted, eventId });
    const notice = { what: notices[noted.change], name: nameOf(noted) };
    const where = account?.name ?? accountId;
    await notifyOwners(tx, { accountId, where, notice }, { mailIds, now });
  };
}

type NotedEvent = Noted & { eventId: number };

/** Records changes of webhooks for the audit log. */
export async function noteChanges(
  tx: Queryable,
  { clocks }: Pick<Base, 'clocks'>,
  { actor }: Pick<Ctx, 'actor'>,
  all: readonly NotedEvent[],
): Promise<void> {
  const at = clocks.business.now();
  for (const some of byStatement(tx, all, ({ row }) => row.account_id)) {
    const drafts = some.map(({ row, change, before, eventId }) => ({
      accountId: row.account_id,
      entity: 'webhook',
      entityId: String(row.id),
      version: versionOf(row, change),
      id: eventId,
      type: `webhook.${change}`,
      at,
      actor,
      data: { ...shownIn(row), ...(before && { before: shownIn(before) }) },
    }));
    await appendEvents(tx, drafts);
  }
}

/** Records a webhook's change for the audit log. Take `eventId` before locking rows. */
export const noteChange = (
  tx: Queryable,
  base: Pick<Base, 'clocks'>,
  ctx: Pick<Ctx, 'actor'>,
  noted: NotedEvent,
): Promise<void> => noteChanges(tx, base, ctx, [noted]);
