import type { Base, Ctx } from '../../platform/base.ts';
import { notFound } from '../../platform/errors.ts';
import { advanceSecret, readWebhook, type WebhookRow } from '../store.ts';
import { type Secrets, secretOverlap } from './secret.ts';
import { noteChange } from './trail.ts';

export interface Rotated {
  row: WebhookRow;
  secret: string;
  /** Until when the secret before it signs too. */
  previousUntil: Temporal.Instant;
}

/**
 * Gives a webhook its next secret; the one before it signs too for a while. Repeated within that
 * while it answers the same secret again: two calls never cut off the secret that a receiver has.
 */
export const rotateSecret =
  (base: Base, { secretOf }: Pick<Secrets, 'secretOf'>) =>
  async (ctx: Ctx, id: number): Promise<Rotated> => {
    const { accountId } = ctx;
    const wallNow = base.clocks.wall.now();
    const eventId = await base.recordIds.next();
    const row = await base.sql.begin(async (tx) => {
      const notAfter = wallNow.subtract(secretOverlap);
      const advanced = await advanceSecret(tx, accountId, id, { wallNow, notAfter });
      if (!advanced) return await readWebhook(tx, accountId, id);
      await noteChange(tx, base, ctx, { row: advanced, change: 'rotated', eventId });
      return advanced;
    });
    if (!row) throw notFound('webhook');
    return {
      row,
      secret: secretOf({ accountId, webhookId: id, no: row.secret_no }),
      previousUntil: (row.rotated_at ?? wallNow).add(secretOverlap),
    };
  };
