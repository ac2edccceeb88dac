import { eventsOfEntity } from '../events/index.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { AccountRole } from './acts.ts';
import type { MembershipState } from './memberships.ts';
import { emailKeyOf, type User, userColumns } from './user.ts';

export interface Member extends User {
  role: AccountRole;
  membership_state: MembershipState;
  /** Expiry of an open invitation's last link. */
  invitation_until: Temporal.Instant | null;
  /** True if an open invitation has expired. */
  invitation_lapsed: boolean;
}

/**
 * Hides a person's name, state and factors until they accept, so that the account sees only the
 * address it invited.
 */
const veiled = (member: Member): Member =>
  member.membership_state === 'invited'
    ? { ...member, name: '', state: 'invited', totp_since: null, has_passkey: false }
    : member;

/** Lists an account's members and invited people by address. */
export async function membersOf(
  sql: Queryable,
  accountId: string,
  now: Temporal.Instant,
): Promise<Member[]> {
  const rows = await sql<Omit<Member, 'invitation_lapsed'>[]>`
    with m as materialized (
      select user_id, role, state from memberships
      where account_id = ${accountId} and state <> 'ended'
    )
    select ${userColumns(sql)}, m.role, m.state as membership_state,
      case when m.state = 'invited' then (
        select max(l.expires_at) from user_links l
        where l.account_id = ${accountId} and l.user_id = m.user_id and l.kind = 'invitation'
      ) end as invitation_until
    from m join users u on u.id = m.user_id order by u.email_key`;
  return rows.map((row) => {
    const { invitation_until: until } = row;
    const lapsed = until !== null && Temporal.Instant.compare(until, now) <= 0;
    return veiled({ ...row, invitation_lapsed: lapsed });
  });
}

/** Anyone who is or was a member of an account, or invited to it. */
export interface AccountPerson {
  id: number;
  /** The address, as long as the person has not accepted an invitation. */
  name: string;
  /** True if they are or were a member, not only invited. */
  joined: boolean;
  state: MembershipState;
}

/**
 * Lists everyone who is or was a member of an account or invited to it, by address. Omits people
 * with a service role, because they act in an account as the operator.
 */
export async function peopleOf(sql: Queryable, accountId: string): Promise<AccountPerson[]> {
  const [rows, joined] = await Promise.all([
    sql<(Omit<AccountPerson, 'joined'> & { email: string })[]>`
      with m as materialized (
        select user_id, state from memberships where account_id = ${accountId}
      )
      select u.id, u.name, u.email, m.state from m join users u on u.id = m.user_id
      where u.service_role is null
      order by u.email_key`,
    sql<{ id: string }[]>`
      select distinct entity_id as id from ${eventsOfEntity(sql, accountId, 'membership')}
      where type = any(array['membership.accepted', 'membership.created'])`,
  ]);
  const known = new Set(joined.map(({ id }) => Number(id)));
  return rows.map(({ id, name, email, state }) => {
    const isJoined = state === 'active' || known.has(id);
    return { id, name: isJoined ? name : email, joined: isJoined, state };
  });
}

export const listUsers = (sql: Queryable): Promise<User[]> =>
  sql<User[]>`select ${userColumns(sql)} from users u order by u.email_key`;

/** Lists people with a service role, invited ones included, by address. */
export const listOperators = (sql: Queryable): Promise<User[]> =>
  sql<User[]>`
    select ${userColumns(sql)} from users u where u.service_role is not null order by u.email_key`;

export async function namesOf(
  sql: Queryable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await sql<{ id: number; name: string }[]>`
    select id, name from users where id = any(${[...ids]}::bigint[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function countOperators(sql: Queryable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from users
    where state = 'active' and service_role = 'operator'`;
  return row?.count ?? 0;
}

/** Returns the id of the active operator with an email address, or null. */
export async function findOperator(sql: Queryable, email: string): Promise<number | null> {
  const [row] = await sql<{ id: number }[]>`
    select id from users where email_key = ${emailKeyOf(email)} and state = 'active'
      and service_role = 'operator'`;
  return row?.id ?? null;
}
