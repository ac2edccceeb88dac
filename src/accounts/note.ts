import { appendEvents } from '../events/index.ts';
import { namedUser } from '../platform/actor.ts';
import type { Acting } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';

/** Further writes in the change's transaction, such as notices to people. */
export type Alongside = (tx: Queryable) => Promise<void>;

interface AccountNote {
  accountId: string;
  version: number;
  /** Allocated before rows are locked. */
  eventId: number;
  type: string;
  data?: Record<string, unknown>;
}

/** Records who changed an account, in the change's transaction. */
export async function noteAccount(
  tx: Queryable,
  { clocks, actor }: Acting,
  { accountId, version, eventId: id, type, data = {} }: AccountNote,
): Promise<void> {
  const at = clocks.business.now();
  const entity = 'account';
  const eventData = { ...data, ...namedUser(actor) };
  await appendEvents(tx, [
    { accountId, entity, entityId: accountId, version, id, type, at, actor, data: eventData },
  ]);
}
