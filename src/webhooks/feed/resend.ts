import { readEvent } from '../../events/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { invalid } from '../../platform/http/form.ts';
import { type DeliveryRow, readDeliveries } from '../store.ts';
import { queueAgain } from './queue-again.ts';

export interface Resend {
  eventId: number;
  /** Null: every webhook that is registered for the event's type now. */
  webhookId: number | null;
}

/**
 * Sends an event again, and answers where it goes. 404 for an event that the feed does not have,
 * 400 for a webhook that there is not, 409 where there is nobody to tell, or everybody is about to
 * be told anyway.
 */
export const resendEvent =
  ({ sql, clocks }: Base) =>
  async (ctx: Ctx, { eventId, webhookId }: Resend): Promise<DeliveryRow[]> => {
    const { accountId } = ctx;
    const event = await readEvent(sql, accountId, eventId);
    if (!event) throw notFound('event');
    const at = clocks.wall.now();
    const queued = await queueAgain(sql, { accountId, eventId, webhookId, at });
    if (queued.length === 0) {
      if (webhookId === null) throw conflict(`No webhook is registered for ${event.type}.`);
      throw invalid({ webhook_id: { errors: ['There is no webhook with this id.'] } });
    }
    if (queued.every((one) => !one.queued)) {
      throw conflict('The event is still being sent; it can be sent again once that has ended.');
    }
    return await readDeliveries(sql, accountId, event);
  };
