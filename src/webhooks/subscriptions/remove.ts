import type { Base, Ctx } from '../../platform/base.ts';
import { notFound } from '../../platform/errors.ts';
import { markRemoved, type WebhookRow } from '../store.ts';
import { noteChange } from './trail.ts';

/**
 * Removes a webhook: nothing more is attempted for it, what was waiting is never sent. 404 where
 * there is none, or none any more.
 */
export const removeWebhook =
  (base: Base) =>
  async (ctx: Ctx, id: number): Promise<WebhookRow> => {
    const eventId = await base.recordIds.next();
    return await base.sql.begin(async (tx) => {
      const row = await markRemoved(tx, ctx.accountId, id, base.clocks.wall.now());
      if (!row) throw notFound('webhook');
      await noteChange(tx, base, ctx, { row, change: 'removed', eventId });
      return row;
    });
  };
