import type { Base, Ctx } from '../../platform/base.ts';
import { refusal } from '../codes.ts';
import { readWebhook, type WebhookRow, writeHold } from '../store.ts';
import { prepareNote } from './trail.ts';

export interface Hold {
  id: number;
  held: boolean;
}

/**
 * Pauses or resumes a webhook. While it is paused, deliveries wait. They then continue in order
 * with a full retry window. Running attempts still arrive. Idempotent. Throws 404 for an unknown
 * webhook.
 */
export const holdWebhook =
  (base: Base) =>
  async (ctx: Ctx, { id, held }: Hold): Promise<WebhookRow> => {
    const note = await prepareNote(base, ctx);
    return await base.sql.begin(async (tx) => {
      const order = { id, held, wallNow: base.clocks.wall.now() };
      const row = await writeHold(tx, ctx.accountId, order);
      if (row) {
        await note(tx, { row, change: held ? 'paused' : 'resumed' });
        return row;
      }
      const known = await readWebhook(tx, ctx.accountId, id);
      if (!known) throw refusal('webhook.not_found', {});
      return known;
    });
  };
