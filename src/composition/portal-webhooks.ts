import type { Base, Ctx } from '../platform/base.ts';
import { fingerprintOf } from '../platform/idempotency.ts';
import {
  readWebhookHealth,
  type WebhookInput,
  type Webhooks,
  webhookVerbs,
} from '../webhooks/index.ts';

/** Builds an account's webhooks for the portal from the API's verbs and reads. */
export function createPortalWebhooks(base: Base, webhooks: Webhooks) {
  const { register, edit, rotate, sentEvents, find } = webhookVerbs(base, webhooks);
  return {
    edit,
    rotate,
    sentEvents,
    find,
    test: webhooks.test,
    list: (accountId: string) => readWebhookHealth(base.sql, accountId),
    draw: () => base.recordIds.next(),
    /** Creates a webhook and returns its id and secret, the same ones for a repeated draft. */
    async create(
      ctx: Ctx,
      { draft, ...input }: WebhookInput & { draft: number },
    ): Promise<{ id: number; secret: string }> {
      const fingerprint = fingerprintOf(Buffer.from(JSON.stringify(input)));
      const claim = { path: 'portal webhooks', key: String(draft), fingerprint };
      const { answer } = await register({ ctx, input, claim });
      return JSON.parse(answer.body) as { id: number; secret: string };
    },
  };
}
