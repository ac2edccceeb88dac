import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { hashOf } from './sessions.ts';

/** Maximum number of devices per user. A new one replaces the least recently used. */
const mostDevices = 20;

/** Returns true if a user with this email address has signed in on the device. */
export async function isKnownDevice(
  sql: Queryable,
  { person, device }: { person: string; device: string | null },
): Promise<boolean> {
  if (device === null) return false;
  const rows = await sql`
    select 1 from user_devices d join users u on u.id = d.user_id
    where u.email_key = ${person} and d.hash = ${hashOf(device)}`;
  return rows.length > 0;
}

/** Remembers a sign-in's device. Returns its secret if it is new, else null. */
export async function rememberDevice(
  tx: Queryable,
  { userId, device }: { userId: number; device: string | null },
  now: Temporal.Instant,
): Promise<string | null> {
  const seen =
    device === null
      ? []
      : await tx`
          update user_devices set seen_at = ${now}::timestamptz
          where user_id = ${userId} and hash = ${hashOf(device)} returning 1`;
  if (seen.length > 0) return null;
  // Two users on one device share its secret.
  const secret = device ?? randomBytes(32).toString('base64url');
  await tx`
    delete from user_devices where user_id = ${userId} and hash in (
      select hash from user_devices where user_id = ${userId}
      order by seen_at desc offset ${mostDevices - 1})`;
  await tx`
    insert into user_devices (user_id, hash, created_at, seen_at)
    values (${userId}, ${hashOf(secret)}, ${now}::timestamptz, ${now}::timestamptz)
    on conflict (user_id, hash) do nothing`;
  return secret;
}

/** Forgets a user's devices, except one, in the transaction of a new password. */
export async function forgetDevices(
  tx: Queryable,
  userId: number,
  except: string | null = null,
): Promise<void> {
  const kept = except === null ? null : hashOf(except);
  await tx`
    delete from user_devices
    where user_id = ${userId} and hash is distinct from ${kept}::bytea`;
}
