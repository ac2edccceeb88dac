import { noteOperator } from '../../events/index.ts';
import { type Actor, system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Vault } from '../../platform/vault.ts';
import { refusal } from '../codes.ts';

/** An uploaded file that waits for confirmation. */
export interface Upload {
  id: number;
  rail: string;
  name: string;
  sha256: Buffer;
  uploaded_at: Temporal.Instant;
}

type StoredUpload = Upload & { key_id: string; ciphertext: Buffer };

const entity = 'rail_upload';
const mostListed = 50;

/** Returns the vault context of an upload's content. */
export const contextOf = (id: number): string => `rail upload ${id}`;

/** Stores an upload, encrypted. Returns its id. */
export async function keepUpload(
  { base, vault }: { base: Base; vault: Vault },
  {
    actor,
    bytes,
    ...file
  }: Pick<Upload, 'rail' | 'name' | 'sha256'> & {
    actor: Actor;
    bytes: Buffer;
  },
): Promise<number> {
  const { sql, clocks, recordIds } = base;
  const [id = 0, eventId = 0] = await recordIds.take(2);
  const { keyId, ciphertext } = vault.encrypt(bytes.toString('latin1'), contextOf(id));
  const now = clocks.wall.now();
  await sql.begin(async (tx) => {
    await tx`
      insert into rail_uploads (id, rail, name, sha256, key_id, ciphertext, uploaded_at)
      values (${id}, ${file.rail}, ${file.name}, ${file.sha256}, ${keyId}, ${ciphertext},
        ${now}::timestamptz)`;
    await noteOperator(
      tx,
      { clocks, actor },
      {
        eventId,
        entity,
        entityId: String(id),
        type: 'rail_upload.sent',
        data: { rail: file.rail, name: file.name },
      },
    );
  });
  return id;
}

export const listUploads = (sql: Queryable): Promise<Upload[]> => sql<Upload[]>`
  select id, rail, name, sha256, uploaded_at from rail_uploads
  order by uploaded_at desc, id desc limit ${mostListed}`;

/** Returns an upload without its bytes, or null if it is gone. */
export async function findUpload(sql: Queryable, id: number): Promise<Upload | null> {
  const [upload] = await sql<Upload[]>`
    select id, rail, name, sha256, uploaded_at from rail_uploads where id = ${id}`;
  return upload ?? null;
}

/**
 * Returns an upload with its bytes, or null if it is gone. Throws 409 if they cannot be decrypted.
 */
export async function openUpload(
  sql: Queryable,
  vault: Vault,
  id: number,
): Promise<{ upload: Upload; bytes: Buffer } | null> {
  const [stored] = await sql<StoredUpload[]>`
    select id, rail, name, sha256, uploaded_at, key_id, ciphertext from rail_uploads
    where id = ${id}`;
  if (!stored) return null;
  const { key_id: keyId, ciphertext, ...upload } = stored;
  try {
    const text = vault.decrypt({ keyId, ciphertext }, contextOf(id));
    return { upload, bytes: Buffer.from(text, 'latin1') };
  } catch {
    throw refusal('file.unreadable', {});
  }
}

/** Deletes an upload. Returns false if it was already gone. */
export async function forgetUpload(
  { sql, clocks, recordIds }: Base,
  { id, actor, type = 'removed' }: { id: number; actor: Actor; type?: 'removed' | 'expired' },
): Promise<boolean> {
  const eventId = await recordIds.next();
  return await sql.begin(async (tx) => {
    const gone = await tx`delete from rail_uploads where id = ${id} returning id`;
    if (gone.length === 0) return false;
    const event = { eventId, entity, entityId: String(id), type: `rail_upload.${type}` };
    await noteOperator(tx, { clocks, actor }, event);
    return true;
  });
}

/** Deletes uploads from before an instant. Returns their number. */
export async function forgetUploads(base: Base, before: Temporal.Instant): Promise<number> {
  const old = await base.sql<{ id: number }[]>`
    select id from rail_uploads where uploaded_at < ${before}::timestamptz order by id`;
  let gone = 0;
  for (const { id } of old) {
    if (await forgetUpload(base, { id, actor: system, type: 'expired' })) gone += 1;
  }
  return gone;
}
