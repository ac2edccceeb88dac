import type { EventType } from '../../events/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { formVersion, refuseOutdated } from '../../platform/form-version.ts';
import { invalid } from '../../platform/http/form.ts';
import { refusal } from '../codes.ts';
import type { Guard } from '../delivery/address.ts';
import { storedTypes, typeNames } from '../registration.ts';
import { lockWebhook, type WebhookRow, writeSubscription } from '../store.ts';
import { prepareNote } from './trail.ts';

export interface Edit {
  id: number;
  /** Null keeps the address. */
  url: string | null;
  /** Null keeps the event types. */
  event_types: readonly EventType[] | null;
  /** The form's version, to reject changes based on outdated values. */
  seen?: string | undefined;
}

export const webhookFormValues = ({
  url,
  event_types,
}: Pick<WebhookRow, 'url' | 'event_types'>) => ({
  url,
  event_types: typeNames(event_types).join(','),
});

/**
 * Changes a webhook's address or event types. The secret stays. Waiting deliveries go to the new
 * address; running attempts still arrive at the former one. Deliveries of event types that it no
 * longer wants are sent if they are already queued. Idempotent. Throws 400 for a forbidden `url`,
 * 404 for an unknown webhook, 409 if someone else changed it since the form was shown.
 */
export const editWebhook =
  (base: Base, { guard }: { guard: Pick<Guard, 'fault'> }) =>
  async (ctx: Ctx, { id, url, event_types: types, seen }: Edit): Promise<WebhookRow> => {
    const fault = url === null ? null : await guard.fault(url, ctx.accountId);
    if (fault !== null) throw invalid({ url: { errors: [fault] }, event_types: {} });
    const note = await prepareNote(base, ctx);
    return await base.sql.begin(async (tx) => {
      const before = await lockWebhook(tx, ctx.accountId, id);
      if (!before) throw refusal('webhook.not_found', {});
      const wanted = {
        url: url ?? before.url,
        event_types: types ? storedTypes(types) : before.event_types,
      };
      if (formVersion(webhookFormValues(wanted)) === formVersion(webhookFormValues(before)))
        return before;
      refuseOutdated(seen, webhookFormValues(before));
      const row = await writeSubscription(tx, before, wanted, base.clocks.wall.now());
      await note(tx, { row, change: 'edited', before });
      return row;
    });
  };
