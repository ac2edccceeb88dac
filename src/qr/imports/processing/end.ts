import { appendEvents } from '../../../events/index.ts';
import type { LocalizedText } from '../../../language/localized-text.ts';
import { system } from '../../../platform/actor.ts';
import type { Base } from '../../../platform/base.ts';
import type { Queryable } from '../../../platform/postgres/connect.ts';
import { readStoredText } from '../../../platform/refusals.ts';
import { type Batch, batchEntity } from '../batch.ts';
import { endBatch } from '../store.ts';

/** A webhook about one entity, with a new id. */
interface OnceWebhook {
  accountId: string;
  id: number;
  entity: string;
  entityId: string;
  keyNo: number;
  url: string;
}

/** Sends one webhook about an entity to its own address, in the transaction of `sql`. */
export type NotifyOnce = (sql: Queryable, webhook: OnceWebhook) => Promise<void>;

export interface End {
  /** Why the import failed as a whole, or null if it is complete. */
  error: string | LocalizedText | null;
  webhookUrl: string | null;
}

export type EndImport = (batch: Batch, end: End) => Promise<void>;

const eventDataOf = (batch: Batch): Record<string, unknown> => ({
  state: batch.state,
  ...(batch.total_count !== null && { total_count: batch.total_count }),
  created: batch.created,
  rejected: batch.rejected,
  ...(batch.error !== null && { error: String(readStoredText(batch.error)) }),
});

/**
 * Ends an import once: writes its state and event, and queues the webhook that its document
 * requested.
 */
export const endImport =
  ({ sql, clocks, recordIds }: Base, notifyOnce: NotifyOnce): EndImport =>
  async (batch, { error, webhookUrl }) => {
    const [id = 0, webhookId = 0] = await recordIds.take(2);
    const state = error === null ? 'completed' : 'failed';
    await sql.begin(async (tx) => {
      const now = clocks.wall.now();
      const ended = await endBatch(tx, batch, { state, error, webhookUrl, now });
      if (!ended) return;
      const entity = batchEntity;
      const entityId = String(ended.id);
      const { account_id: accountId } = ended;
      const type = `${entity}.${state}`;
      const at = clocks.business.now();
      const data = eventDataOf(ended);
      // Its creation was version 1.
      const version = 2;
      await appendEvents(tx, [
        { accountId, entity, entityId, version, id, type, at, actor: system, data },
      ]);
      if (webhookUrl === null) return;
      const keyNo = ended.secret_key_no;
      await notifyOnce(tx, { accountId, id: webhookId, entity, entityId, keyNo, url: webhookUrl });
    });
  };
