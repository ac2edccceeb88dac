import type { Queryable } from '../platform/postgres/connect.ts';
import { failuresThatPause } from './delivery/breaker.ts';

/** A webhook whose receiver has not answered as it should for some tries in a row. */
export interface FailingWebhook {
  id: number;
  url: string;
  failures: number;
}

/** The webhooks of an account that are paused or about to be. */
export const failingWebhooks = (sql: Queryable, accountId: string): Promise<FailingWebhook[]> =>
  sql<FailingWebhook[]>`
    select id, url, failures from webhooks
    where account_id = ${accountId} and only_entity is null and deleted_at is null
      and failures >= ${failuresThatPause}
    order by id`;
