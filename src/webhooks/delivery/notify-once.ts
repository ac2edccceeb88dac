import { eventTypes } from '../../events/index.ts';
import type { Clock } from '../../platform/clocks.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { OnceSecretName } from '../subscriptions/secret.ts';

export interface NotifyOnce extends OnceSecretName {
  /** Id of the webhook, from `recordIds`. */
  id: number;
  /** An address that the guard accepted. */
  url: string;
}

/**
 * Subscribes one address to one entity's events, in the caller's transaction. The account cannot
 * list this webhook. If it is called again for the entity, the first address stays.
 */
export const notifyOnce =
  (wall: Clock) =>
  async (
    sql: Queryable,
    { accountId, id, entity, entityId, keyNo, url }: NotifyOnce,
  ): Promise<void> => {
    const types = eventTypes.filter(({ name }) => name.startsWith(`${entity}.`));
    if (types.length === 0) throw new Error(`no event tells of a ${entity}`);
    await sql`
      insert into webhooks (account_id, id, url, event_types, created_at, only_entity,
        only_entity_id, secret_key_no)
      values (${accountId}, ${id}, ${url},
        ${types.map(({ id }) => id)}::smallint[], ${wall.now()}::timestamptz, ${entity},
        ${entityId}, ${keyNo})
      on conflict (account_id, only_entity, only_entity_id) where only_entity is not null
      do nothing`;
  };
