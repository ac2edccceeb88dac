import type { Acting } from '../../platform/base.ts';
import { tellAll } from '../../platform/postgres/broadcast.ts';
import { refusal } from '../codes.ts';
import type { Alongside } from '../note.ts';
import type { KeyPermission } from '../permissions.ts';
import { drawKey, insertKey, keyRevokedTopic, lockForKeys, noteKey } from './keys.ts';

interface Rotation {
  accountId: string;
  id: number;
  environment: string;
  /** Seconds for which the old key still works. */
  overlap: number;
}

export interface Rotated {
  id: number;
  name: string;
  key: string;
  /** Id of the old key, which works until `until`. */
  replaces: number;
  until: Temporal.Instant;
}

interface OldKey {
  name: string;
  permissions: KeyPermission[];
  ranges: string[] | null;
  created_at: Temporal.Instant;
  expires_at: Temporal.Instant | null;
  replaced_by: number | null;
  works: boolean;
}

/** PostgreSQL does not read the years that Temporal writes after this one. */
const lastMoment = Temporal.Instant.from('9999-12-31T23:59:59Z');

const earlier = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.compare(one, other) < 0 ? one : other;

/**
 * Replaces a key with one of the same name, permissions, addresses and lifetime. The old one works
 * for the overlap, never longer than it would have. Throws 404 for an unknown key, 409 if the key
 * has ended or was rotated before, or if the account is closed or has the maximum.
 */
export async function rotateKey(
  acting: Acting,
  { accountId, id: replaces, environment, overlap }: Rotation,
  alongside?: Alongside,
): Promise<Rotated> {
  const { sql, clocks, recordIds } = acting;
  const [id = 0, createdId = 0, rotatedId = 0] = await recordIds.take(3);
  const key = drawKey(environment);
  const now = clocks.wall.now();
  const rotated = await sql.begin(async (tx) => {
    await lockForKeys(tx, accountId);
    const [old] = await tx<OldKey[]>`
      select name, permissions, ranges, created_at, expires_at, replaced_by,
        revoked_at is null and (expires_at is null or expires_at > ${now}::timestamptz) as works
      from api_keys where account_id = ${accountId} and id = ${replaces} for update`;
    if (!old) throw refusal('api_key.not_found', {});
    if (old.replaced_by !== null) throw refusal('api_key.rotated', { by: String(old.replaced_by) });
    if (!old.works) throw refusal('api_key.ended', {});
    const { name, permissions, ranges, expires_at: former } = old;
    const overlapped = now.add({ seconds: overlap });
    const until = former ? earlier(former, overlapped) : overlapped;
    await tx`
      update api_keys set expires_at = ${until}::timestamptz, replaced_by = ${id}
      where account_id = ${accountId} and id = ${replaces}`;
    const data = {
      ...{ replaced_by: id, expires_at: until.toString() },
      before: { expires_at: former?.toString() ?? null },
    };
    const ids = { accountId, id: replaces, eventId: rotatedId };
    await noteKey(tx, acting, { ...ids, type: 'api_key.rotated', data });
    const expiresAt = former && earlier(now.add(former.since(old.created_at)), lastMoment);
    const terms = { accountId, name, permissions, ranges: ranges ?? [], expiresAt };
    await insertKey(tx, acting, { ...terms, id, key, eventId: createdId, replaces });
    await alongside?.(tx);
    return { id, name, key, replaces, until };
  });
  await tellAll(sql, keyRevokedTopic);
  return rotated;
}
