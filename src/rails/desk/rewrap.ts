import { noteOperator } from '../../events/index.ts';
import type { Acting } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { countUpTo } from '../../platform/postgres/count.ts';
import type { Vault } from '../../platform/vault.ts';
import { contextOf } from './uploads.ts';

interface Row {
  key_id: string;
  ciphertext: Buffer;
}

/** Re-encrypts pending uploads under the vault's current key, one at a time. */
export async function rewrapUploads(acting: Acting, vault: Vault): Promise<number> {
  const { sql } = acting;
  const old = await sql<{ id: number }[]>`
    select id from rail_uploads where key_id <> ${vault.keyId()} order by id`;
  let changed = 0;
  for (const { id } of old) {
    const [row] = await sql<Row[]>`select key_id, ciphertext from rail_uploads where id = ${id}`;
    if (!row) continue;
    const before = { keyId: row.key_id, ciphertext: row.ciphertext };
    const fresh = vault.encrypt(vault.decrypt(before, contextOf(id)), contextOf(id));
    const eventId = await acting.recordIds.next();
    changed += await sql.begin(async (tx) => {
      const { count } = await tx`
        update rail_uploads set key_id = ${fresh.keyId}, ciphertext = ${fresh.ciphertext}
        where id = ${id} and key_id = ${row.key_id}`;
      if (count === 0) return 0;
      const note = { eventId, entity: 'rail_upload', entityId: String(id) };
      await noteOperator(tx, acting, { ...note, type: 'rail_upload.rewrapped' });
      return 1;
    });
  }
  return changed;
}

/** Counts uploads encrypted under another key, up to `most`. */
export const countUploadsUnderOtherKeys = (
  sql: Queryable,
  keyId: string,
  most: number,
): Promise<number> =>
  countUpTo(sql, most, sql`select 1 from rail_uploads where key_id <> ${keyId}`);
