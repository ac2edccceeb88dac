import { appendEvents, noteOperator } from '../events/index.ts';
import { namedUser } from '../platform/actor.ts';
import type { Acting } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';

type Who = Pick<Acting, 'clocks' | 'actor'>;

/** An event about a user, recorded in the operator's books. */
export interface UserNote {
  /** Allocated before rows are locked. */
  eventId: number;
  userId: number;
  type: `user.${string}`;
  data?: Record<string, unknown>;
}

export const noteUser = (
  tx: Queryable,
  acting: Who,
  { eventId, userId, type, data }: UserNote,
): Promise<void> =>
  noteOperator(tx, acting, {
    eventId,
    entity: 'user',
    entityId: String(userId),
    type,
    ...(data && { data }),
  });

/** An event about a user's membership in an account. */
export interface MembershipNote {
  accountId: string;
  userId: number;
  version: number;
  eventId: number;
  type: `membership.${string}`;
  data: Record<string, unknown>;
}

export const noteMembership = (
  tx: Queryable,
  { clocks, actor }: Who,
  { accountId, userId, version, eventId: id, type, data }: MembershipNote,
): Promise<void> => {
  const at = clocks.business.now();
  const entity = 'membership';
  const eventData = { ...data, ...namedUser(actor) };
  return appendEvents(tx, [
    { accountId, entity, entityId: String(userId), version, id, type, at, actor, data: eventData },
  ]);
};
