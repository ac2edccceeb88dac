import type { Acting } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { AccountRole } from './acts.ts';
import { refusal } from './codes.ts';
import { noteMembership } from './note.ts';

export type MembershipState = 'invited' | 'active' | 'ended';

export interface Membership {
  account_id: string;
  user_id: number;
  role: AccountRole;
  state: MembershipState;
}

/** Returns an active member's role in an account, or null for anyone else. */
export async function roleOf(
  sql: Queryable,
  { accountId, userId }: { accountId: string; userId: number },
): Promise<AccountRole | null> {
  const [row] = await sql<{ role: AccountRole }[]>`
    select role from memberships
    where account_id = ${accountId} and user_id = ${userId} and state = 'active'`;
  return row?.role ?? null;
}

/** Lists a user's active memberships. */
export const membershipsOf = (sql: Queryable, userId: number): Promise<Membership[]> =>
  sql<Membership[]>`
    select account_id, user_id, role, state from memberships
    where user_id = ${userId} and state = 'active' order by account_id`;

export interface NewMembership {
  accountId: string;
  userId: number;
  role: AccountRole;
  state: 'invited' | 'active';
}

/**
 * Adds or invites a member within a transaction. Throws 409 if they already are an active member.
 */
export async function addMember(
  tx: Queryable,
  acting: Pick<Acting, 'clocks' | 'actor'>,
  { accountId, userId, role, state, eventId }: NewMembership & { eventId: number },
): Promise<void> {
  const [row] = await tx<{ version: number }[]>`
    insert into memberships as m (account_id, user_id, role, state, created_at)
    values (${accountId}, ${userId}, ${role}, ${state}, ${acting.clocks.wall.now()}::timestamptz)
    on conflict (account_id, user_id) do update
      set role = excluded.role, state = excluded.state, notices = '{}', version = m.version + 1
      where m.state <> 'active'
    returning version`;
  if (!row) throw refusal('member.exists', {});
  const type = state === 'active' ? 'membership.created' : 'membership.invited';
  const { version } = row;
  const data = { role };
  await noteMembership(tx, acting, { accountId, userId, version, eventId, type, data });
}

/** Turns an accepted invitation into a membership. Throws 409 if it was withdrawn. */
export async function acceptMembership(
  tx: Queryable,
  acting: Pick<Acting, 'clocks' | 'actor'>,
  { accountId, userId, eventId }: { accountId: string; userId: number; eventId: number },
): Promise<void> {
  const [row] = await tx<{ version: number; role: AccountRole }[]>`
    update memberships set state = 'active', version = version + 1
    where account_id = ${accountId} and user_id = ${userId} and state = 'invited'
    returning version, role`;
  if (!row) throw refusal('invitation.withdrawn', {});
  const { version, role } = row;
  const type = 'membership.accepted';
  await noteMembership(tx, acting, { accountId, userId, version, eventId, type, data: { role } });
}
