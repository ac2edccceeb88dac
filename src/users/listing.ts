import type { Queryable } from '../platform/postgres/connect.ts';
import type { AccountRole } from './acts.ts';
import type { MembershipState } from './memberships.ts';
import { emailKeyOf, type User, userColumns } from './user.ts';

export interface Member extends User {
  role: AccountRole;
  membership_state: MembershipState;
}

/** Who works for an account, and who was invited to. */
export const membersOf = (sql: Queryable, accountId: string): Promise<Member[]> =>
  sql<Member[]>`
    with m as materialized (
      select user_id, role, state from memberships
      where account_id = ${accountId} and state <> 'ended'
    )
    select ${userColumns(sql)}, m.role, m.state as membership_state
    from m join users u on u.id = m.user_id order by u.email_key`;

/** Everybody who is known, by address. */
export const listUsers = (sql: Queryable): Promise<User[]> =>
  sql<User[]>`select ${userColumns(sql)} from users u order by u.email_key`;

/** The names of some people, by their ids. */
export async function namesOf(
  sql: Queryable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await sql<{ id: number; name: string }[]>`
    select id, name from users where id = any(${[...ids]}::bigint[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Operators who can work now. */
export async function countOperators(sql: Queryable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from users
    where state = 'active' and service_role = 'operator'`;
  return row?.count ?? 0;
}

/** The operator of an address of mail; null: nobody who works for the service has it now. */
export async function findOperator(sql: Queryable, email: string): Promise<number | null> {
  const [row] = await sql<{ id: number }[]>`
    select id from users where email_key = ${emailKeyOf(email)} and state = 'active'
      and service_role = 'operator'`;
  return row?.id ?? null;
}
