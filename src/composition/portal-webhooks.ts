import { readAccount } from '../accounts/index.ts';
import { eventTypes } from '../events/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { fingerprintOf } from '../platform/idempotency.ts';
import type { UserVerbs } from '../users/index.ts';
import { readWebhookHealth, type Webhooks, webhookVerbs } from '../webhooks/index.ts';

interface NewHook {
  /** Drawn before: a webhook is made of each once. */
  draft: number;
  url: string;
  types: readonly string[];
}

type HookNotice = 'webhook_added' | 'webhook_removed' | 'webhook_secret_changed';

/** Mails the owners of an account that somebody changed where its events go. */
const telling =
  (base: Base, { ownersTold }: Pick<UserVerbs, 'ownersTold'>) =>
  async ({ accountId }: Ctx, what: HookNotice, url: string): Promise<void> => {
    const account = await readAccount(base.sql, accountId);
    if (!account) return;
    const tell = await ownersTold(account, { what, name: URL.parse(url)?.host ?? url });
    await base.sql.begin(tell);
  };

/** What people do with the webhooks of an account: the verbs of the API, and what of them is seen. */
export function createPortalWebhooks(
  base: Base,
  webhooks: Webhooks,
  users: Pick<UserVerbs, 'ownersTold'>,
) {
  const { register, rotate, hold, remove, resend, told, find } = webhookVerbs(base, webhooks);
  const tell = telling(base, users);
  const urlOf = async ({ accountId }: Ctx, id: number): Promise<string> =>
    (await readWebhookHealth(base.sql, accountId)).find((one) => one.id === id)?.url ?? String(id);
  return {
    async rotate(ctx: Ctx, order: Parameters<typeof rotate>[1]) {
      const rotated = await rotate(ctx, order);
      await tell(ctx, 'webhook_secret_changed', rotated.row.url);
      return rotated;
    },
    hold,
    async remove(ctx: Ctx, id: number) {
      const url = await urlOf(ctx, id);
      const removed = await remove(ctx, id);
      await tell(ctx, 'webhook_removed', url);
      return removed;
    },
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
      const { answer, kind } = await register({ ctx, input, claim });
      if (kind !== 'replayed') await tell(ctx, 'webhook_added', url);
      return JSON.parse(answer.body) as { id: number; secret: string };
    },
  };
}
