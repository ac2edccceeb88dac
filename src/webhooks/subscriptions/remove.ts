import type { Base, Ctx } from '../../platform/base.ts';
import { refusal } from '../codes.ts';
import { markRemoved, type WebhookRow } from '../store.ts';
import { prepareNote } from './trail.ts';

/**
 * Removes a webhook. Running attempts still arrive, and other pending deliveries are never sent.
 * Throws 404 for an unknown webhook.
 */
export const removeWebhook =
  (base: Base) =>
  async (ctx: Ctx, id: number): Promise<WebhookRow> => {
    const note = await prepareNote(base, ctx);
    return await base.sql.begin(async (tx) => {
      const row = await markRemoved(tx, ctx.accountId, id, base.clocks.wall.now());
      if (!row) throw refusal('webhook.not_found', {});
      await note(tx, { row, change: 'removed' });
      return row;
    });
  };
