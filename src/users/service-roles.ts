import type { Acting } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { ServiceRole } from './acts.ts';
import { refusal } from './codes.ts';
import { noteUser } from './note.ts';
import { notifyUser } from './notify.ts';
import { type User, userColumns } from './user.ts';

export interface ServiceRoleChange {
  userId: number;
  /** Null removes the service role. Roles in accounts stay. */
  role: ServiceRole | null;
}

/**
 * Locks a user and all active operators, to serialize changes of operators. Throws 404 for an
 * unknown user, 409 if the user is the last active operator.
 */
export async function holdOperators(tx: Queryable, userId: number): Promise<User> {
  const rows = await tx<User[]>`
    select ${userColumns(tx)} from users u
    where u.id = ${userId} or (u.service_role = 'operator' and u.state = 'active')
    order by u.id for update of u`;
  const user = rows.find(({ id }) => id === userId);
  if (!user) throw refusal('user.not_found', {});
  const others = rows.filter(({ id, service_role: role }) => id !== userId && role === 'operator');
  const operates = user.service_role === 'operator' && user.state === 'active';
  if (operates && others.length === 0) {
    throw refusal('user.last_operator', {});
  }
  return user;
}

/** Changes or removes a service role within a transaction. Returns false if unchanged. */
export async function grantServiceRole(
  tx: Queryable,
  acting: Pick<Acting, 'clocks' | 'actor'>,
  { userId, role }: ServiceRoleChange,
  { eventId, mailId }: { eventId: number; mailId: number },
): Promise<boolean> {
  const [before] = await tx<{ service_role: ServiceRole | null }[]>`
    select service_role from users where id = ${userId}`;
  if (before?.service_role === role) return false;
  const user = await holdOperators(tx, userId);
  // A concurrent call may have done it.
  if (user.service_role === role) return false;
  await tx`
    update users set service_role = ${role}, version = version + 1 where id = ${userId}`;
  const data = { service_role: role, before: { service_role: user.service_role } };
  await noteUser(tx, acting, { eventId, userId, type: 'user.service_role_changed', data });
  if (user.state === 'active') {
    const now = acting.clocks.wall.now();
    await notifyUser(tx, user, { what: 'service_role_changed', service: role }, { mailId, now });
  }
  return true;
}

/**
 * Changes or removes a user's service role. Returns false if unchanged. Throws 404 for an unknown
 * user, 409 for the last operator.
 */
export async function changeServiceRole(
  acting: Acting,
  change: ServiceRoleChange,
): Promise<boolean> {
  const [eventId = 0, mailId = 0] = await acting.recordIds.take(2);
  return await acting.sql.begin((tx) => grantServiceRole(tx, acting, change, { eventId, mailId }));
}
