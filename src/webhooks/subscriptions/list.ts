import type { Base, Ctx } from '../../platform/base.ts';
import { readWebhooks, type WebhookRow } from '../store.ts';

/** Lists an account's webhooks, oldest first. */
export const listWebhooks =
  ({ sql }: Pick<Base, 'sql'>) =>
  ({ accountId }: Pick<Ctx, 'accountId'>): Promise<WebhookRow[]> =>
    readWebhooks(sql, accountId);
