import { appendEvents } from '../../events/index.ts';
import { itemAt } from '../../kernel/lists.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { type Batch, batchEntity, uploadMayBegin } from './batch.ts';
import { refuseWithoutPlace, refuseWithoutSpace, type UploadQuota } from './quota.ts';
import type { DocumentStorage } from './storage/storage.ts';
import { insertBatch, lockRoom, readRoom } from './store.ts';

/** The response to a new import. */
export interface OpenedBatch {
  id: string;
  /** Accepts one PUT of the document. */
  url: string;
  expiresAt: Temporal.Instant;
  /** Signs messages to the document's webhook_url. */
  webhookSecret: string;
}

/** Returns the webhook secret for one entity. */
export type OnceSecret = (
  accountId: string,
  entity: string,
  entityId: string,
) => { secret: string; keyNo: number };

export type OpenBatch = (ctx: Ctx) => Promise<OpenedBatch>;

/**
 * Creates a batch that awaits its document. If another store receives it, the worker polls that
 * store.
 */
export const openBatch =
  (
    { sql, clocks, recordIds }: Base,
    {
      storage,
      storedIn,
      onceSecret,
      quota,
    }: {
      storage: DocumentStorage;
      storedIn: Batch['stored_in'];
      onceSecret: OnceSecret;
      quota: UploadQuota;
    },
  ): OpenBatch =>
  async ({ accountId, actor }) => {
    const ids = await recordIds.take(2);
    const [id, eventId] = [itemAt(ids, 0), itemAt(ids, 1)];
    const key = { accountId, id };
    const now = clocks.wall.now();
    const expiresAt = now.add(uploadMayBegin);
    const lookAt = storedIn === 's3' ? now : expiresAt;
    const createdAt = clocks.business.now();
    const { secret, keyNo } = onceSecret(accountId, batchEntity, String(id));
    const times = { createdAt, expiresAt, lookAt };
    await sql.begin(async (tx) => {
      await lockRoom(tx, accountId);
      const room = await readRoom(tx, accountId);
      refuseWithoutPlace(room, quota);
      refuseWithoutSpace(room, quota);
      await insertBatch(tx, { ...key, storedIn, ...times, secretKeyNo: keyNo });
      const opened = { accountId, entity: batchEntity, entityId: String(id), version: 1, actor };
      const data = { state: 'waiting_upload', expires_at: expiresAt.toString() };
      const type = `${batchEntity}.opened`;
      await appendEvents(tx, [{ ...opened, id: eventId, type, at: createdAt, data }]);
    });
    return {
      id: String(id),
      url: await storage.uploadUrl(key),
      expiresAt,
      webhookSecret: secret,
    };
  };
