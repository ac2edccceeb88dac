import { readEvent } from '../../events/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { invalid } from '../../platform/http/form.ts';
import { fault, refusal } from '../codes.ts';
import { type DeliveryRow, readDeliveries } from '../store.ts';
import { queueAgain } from './queue-again.ts';

export interface Resend {
  eventId: number;
  /** Null for every webhook that is registered for the event's type now. */
  webhookId: number | null;
}

/**
 * Sends an event again, and returns its deliveries. Throws 404 if the feed does not contain it, 400
 * for an unknown webhook, 409 if no webhook wants it or it is pending everywhere.
 */
export const resendEvent =
  ({ sql, clocks }: Base) =>
  async (ctx: Ctx, { eventId, webhookId }: Resend): Promise<DeliveryRow[]> => {
    const { accountId } = ctx;
    const event = await readEvent(sql, accountId, eventId);
    if (!event) throw refusal('event.not_found', {});
    const at = clocks.wall.now();
    const queued = await queueAgain(sql, { accountId, eventId, webhookId, at });
    if (queued.length === 0) {
      if (webhookId === null) throw refusal('webhook.none_registered', { type: event.type });
      throw invalid({ webhook_id: { errors: [fault('event.webhook_unknown', {})] } });
    }
    if (queued.every((one) => !one.queued)) {
      throw refusal('event.still_sent', {});
    }
    return await readDeliveries(sql, accountId, event);
  };
