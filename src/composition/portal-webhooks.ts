import { eventTypes } from '../events/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { fingerprintOf } from '../platform/idempotency.ts';
import { readWebhookHealth, type Webhooks, webhookVerbs } from '../webhooks/index.ts';

interface NewHook {
  /** Drawn before: a webhook is made of each once. */
  draft: number;
  url: string;
  types: readonly string[];
}

/** An account's webhooks in the portal: the verbs of the API, and their reads. */
export function createPortalWebhooks(base: Base, webhooks: Webhooks) {
  const { register, rotate, hold, remove, resend, told, find } = webhookVerbs(base, webhooks);
  return {
    rotate,
    hold,
    remove,
    resend,
    told,
    find,
    test: webhooks.test,
    addressFault: webhooks.guard.faultOf,
    list: (accountId: string) => readWebhookHealth(base.sql, accountId),
    draw: () => base.recordIds.next(),
    /** Answers the secret, also where the same was made before. */
    async create(
      ctx: Ctx,
      { draft, url, types }: NewHook,
    ): Promise<{ id: number; secret: string }> {
      const input = {
        url,
        event_types: eventTypes.filter(({ name }) => types.includes(name)),
      };
      const fingerprint = fingerprintOf(Buffer.from(JSON.stringify(input)));
      const claim = { path: 'portal webhooks', key: String(draft), fingerprint };
      const { answer } = await register({ ctx, input, claim });
      return JSON.parse(answer.body) as { id: number; secret: string };
    },
  };
}
