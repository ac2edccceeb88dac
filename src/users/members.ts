import type { Acting } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { AccountRole, ServiceRole } from './acts.ts';
import { refusal } from './codes.ts';
import type { Notice } from './emails.ts';
import { lockInvitee, mailInvitation } from './invitations.ts';
import { addMember, type Membership } from './memberships.ts';
import { noteMembership, noteUser } from './note.ts';
import { maxNotifiedOwners, notifyOwners } from './notify.ts';
import { grantServiceRole } from './service-roles.ts';
import { emailKeyOf, findUser, type NewUser, refuseUser, type User, writeUser } from './user.ts';

/** The role of the person who changes members. Null for the operator. */
type Granting = AccountRole | null;

/** An account, with its name in emails. */
export interface Place {
  id: string;
  name: string;
}

/** Throws 403 if anyone but an owner or the operator adds, changes or removes an owner. */
function refuseOwners(granting: Granting, ...roles: AccountRole[]): void {
  if (granting !== null && granting !== 'owner' && roles.includes('owner')) {
    throw refusal('member.owners_only', {});
  }
}

/** Locks an open invitation and returns its role. Returns null if there is none. */
async function holdInvited(
  tx: Queryable,
  { accountId, userId }: { accountId: string; userId: number },
): Promise<AccountRole | null> {
  const [row] = await tx<{ role: AccountRole }[]>`
    select role from memberships
    where account_id = ${accountId} and user_id = ${userId} and state = 'invited' for update`;
  return row?.role ?? null;
}

type Invitee = Pick<NewUser, 'email' | 'name' | 'lang'>;

export interface Invitation extends Invitee {
  /** The account and role, or null for the service itself. */
  to: { account: Place; role: AccountRole; granting: Granting } | null;
  serviceRole: ServiceRole | null;
}

/**
 * Grants an existing user a service role. If an invited user already has it, records that they were
 * invited again. Throws 409 if any other user already has it.
 */
async function giveService(
  tx: Queryable,
  acting: Acting,
  { known, role }: { known: User; role: ServiceRole },
  ids: { eventId: number; mailId: number },
): Promise<void> {
  const changed = await grantServiceRole(tx, acting, { userId: known.id, role }, ids);
  if (changed) return;
  if (known.state !== 'invited') throw refusal('user.role_unchanged', {});
  const { eventId } = ids;
  await noteUser(tx, acting, { eventId, userId: known.id, type: 'user.invited_again' });
}

/** Prepares an invitation. Returns a function that makes it in a transaction, as `invite` does. */
export async function invitation(
  acting: Acting,
  input: Invitation,
): Promise<(tx: Queryable) => Promise<User>> {
  const { email, name, lang, to, serviceRole } = input;
  if (to !== null) refuseOwners(to.granting, to.role);
  refuseUser({ email, name, password: null });
  const { recordIds, clocks } = acting;
  const [userId = 0, made = 0, joined = 0, linkId = 0, mailId = 0, ...mailIds] =
    await recordIds.take(5 + maxNotifiedOwners);
  const now = clocks.wall.now();
  return async (tx) => {
    await lockInvitee(tx, emailKeyOf(email));
    const known = await findUser(tx, email);
    const fresh = { id: userId, email, name, lang, serviceRole, passwordHash: null };
    const user = known ?? (await writeUser(tx, acting, fresh, made));
    if (known && to === null && serviceRole !== null) {
      await giveService(tx, acting, { known, role: serviceRole }, { eventId: made, mailId });
      if (known.state !== 'invited') return { ...known, service_role: serviceRole };
    }
    if (to !== null) {
      const { role } = to;
      const accountId = to.account.id;
      // A repeated invitation may change the role.
      const before = await holdInvited(tx, { accountId, userId: user.id });
      if (before !== null) refuseOwners(to.granting, before);
      const member = { accountId, userId: user.id, role, state: 'invited' as const };
      await addMember(tx, acting, { ...member, eventId: joined });
      const notice = { what: 'invited', email: user.email, role } as const;
      const notification = { accountId, where: to.account.name, notice };
      await notifyOwners(tx, notification, { mailIds, now });
    }
    const account = to?.account ?? null;
    await mailInvitation(tx, { user, account, ids: { linkId, mailId } }, now);
    return user;
  };
}

/**
 * Invites a person by email. An unknown one becomes a user. A repetition sends a new email. A user
 * who accepted an earlier invitation gets a service role at once. Throws 400 for invalid data, 409
 * if they already are a member or have the service role, 403 if only an owner may do it, 429 after
 * too many invitations.
 */
export async function invite(acting: Acting, input: Invitation): Promise<User> {
  return await acting.sql.begin(await invitation(acting, input));
}

interface LockedMembership extends Membership {
  version: number;
}

/**
 * Locks a user's membership and those of all owners, so that the last owner stays. Throws 404 if
 * they are not a member, 409 for the last owner, unless they stay one.
 */
async function holdMember(
  tx: Queryable,
  accountId: string,
  { userId, role: next }: Pick<MemberChange, 'userId' | 'role'>,
): Promise<LockedMembership> {
  const rows = await tx<LockedMembership[]>`
    select account_id, user_id, role, state, version from memberships
    where account_id = ${accountId} and state <> 'ended'
      and (user_id = ${userId} or role = 'owner')
    order by user_id for update`;
  const member = rows.find(({ user_id: id }) => id === userId);
  if (!member) throw refusal('member.not_found', {});
  const others = rows.filter(
    ({ user_id: id, role, state }) => id !== userId && role === 'owner' && state === 'active',
  );
  const stops = next !== 'owner' && member.role === 'owner' && member.state === 'active';
  if (stops && others.length === 0) {
    throw refusal('member.last_owner', {});
  }
  return member;
}

export interface MemberChange {
  account: Place;
  userId: number;
  granting: Granting;
  /** Null removes the member. */
  role: AccountRole | null;
}

/**
 * Changes a member's role, or removes them. Throws 404 if they are not a member, 409 for the
 * account's last owner, 403 if only an owner may do it.
 */
export async function changeMember(acting: Acting, input: MemberChange): Promise<void> {
  const { account, userId, granting, role } = input;
  const { recordIds, clocks, sql } = acting;
  const [eventId = 0, ...mailIds] = await recordIds.take(1 + maxNotifiedOwners);
  const now = clocks.wall.now();
  await sql.begin(async (tx) => {
    const member = await holdMember(tx, account.id, { userId, role });
    refuseOwners(granting, member.role, ...(role === null ? [] : [role]));
    if (member.role === role) return;
    const next = { role: role ?? member.role, state: role === null ? 'ended' : member.state };
    const version = member.version + 1;
    await tx`
      update memberships set role = ${next.role}, state = ${next.state}, version = ${version},
        notices = case when ${role === null}::boolean then '{}' else notices end
      where account_id = ${account.id} and user_id = ${userId}`;
    const type = role === null ? 'membership.ended' : 'membership.role_changed';
    const data = { role: next.role, role_before: member.role };
    const place = { accountId: account.id, userId, version, eventId };
    await noteMembership(tx, acting, { ...place, type, data });
    const what = role === null ? 'member_removed' : 'role_changed';
    const [{ email } = { email: '' }] = await tx<{ email: string }[]>`
      select email from users where id = ${userId}`;
    const notice: Notice = { what, email, role: next.role };
    const notification = { accountId: account.id, where: account.name, notice };
    await notifyOwners(tx, notification, { mailIds, now });
  });
}
