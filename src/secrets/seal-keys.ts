import { noteOperator } from '../events/index.ts';
import type { Acting } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { Vault, VaultKey } from '../platform/vault.ts';
import { keyless, type RetiredSealKey, sealKeyOf } from '../seals/index.ts';

interface Row {
  id: string;
  vault_key_id: string;
  ciphertext: Buffer;
  retired_at: Temporal.Instant;
}

const contextOf = (id: string): string => `seal key ${id}`;

const readRows = (sql: Queryable): Promise<Row[]> =>
  sql<Row[]>`select id, vault_key_id, ciphertext, retired_at from seal_keys order by id`;

const open = (vault: Vault, { id, vault_key_id, ciphertext }: Row): string =>
  vault.decrypt({ keyId: vault_key_id, ciphertext }, contextOf(id));

/**
 * Returns the keys that only verify seals, because their vault keys were dropped. Throws if a row's
 * vault key is not configured.
 */
export async function readSealKeys(
  sql: Queryable,
  vault: Vault,
  vaultKeys: readonly VaultKey[],
): Promise<RetiredSealKey[]> {
  // A key that is current again has a row under its former successor, which may be gone.
  const known = new Set(vaultKeys.map(({ id }) => id));
  const rows = (await readRows(sql)).filter(({ id }) => !known.has(id));
  return rows.map((row) => ({
    id: row.id,
    key: Buffer.from(open(vault, row), 'base64'),
    retiredAt: row.retired_at,
  }));
}

/**
 * Returns when a configured key was retired. A rewrap always sets a new time for the key before the
 * current one, because a process may have sealed with it meanwhile, and for any key that was
 * current again.
 */
function retirementOf(
  id: string,
  { rows, isLast, now }: { rows: readonly Row[]; isLast: boolean; now: Temporal.Instant },
): Temporal.Instant {
  const own = rows.find((row) => row.id === id);
  if (own === undefined || isLast) return now;
  const later = rows.filter((row) => Temporal.Instant.compare(row.retired_at, own.retired_at) > 0);
  const wasCurrentAgain = later.some((row) => row.vault_key_id === id);
  return wasCurrentAgain ? now : own.retired_at;
}

/**
 * Stores the seal keys of all vault keys except the current one, encrypted under the current one,
 * so that the audit can verify their seals later. Re-encrypts keys stored earlier. Returns the
 * number of rows written.
 */
export async function keepSealKeys(
  acting: Acting,
  vault: Vault,
  vaultKeys: readonly VaultKey[],
): Promise<number> {
  const { sql, clocks } = acting;
  const rows = await readRows(sql);
  const others = vaultKeys.filter(({ id }) => id !== vault.keyId() && id !== keyless);
  const now = clocks.wall.now();
  const configured = others.map(({ id, key }, index) => ({
    id,
    text: sealKeyOf(key).toString('base64'),
    retiredAt: retirementOf(id, { rows, isLast: index === 0, now }),
  }));
  const known = new Set(vaultKeys.map(({ id }) => id));
  // A vault key that is current again needs no row. Its row stays until it is replaced again.
  const retired = rows.filter((row) => !known.has(row.id) && row.vault_key_id !== vault.keyId());
  const rewrapped = retired.map((row) => ({
    id: row.id,
    text: open(vault, row),
    retiredAt: row.retired_at,
  }));
  for (const { id, text, retiredAt } of [...configured, ...rewrapped]) {
    const { keyId, ciphertext } = vault.encrypt(text, contextOf(id));
    const eventId = await acting.recordIds.next();
    await sql.begin(async (tx) => {
      await tx`
        insert into seal_keys (id, vault_key_id, ciphertext, retired_at)
        values (${id}, ${keyId}, ${ciphertext}, ${retiredAt}::timestamptz)
        on conflict (id) do update set vault_key_id = excluded.vault_key_id,
          ciphertext = excluded.ciphertext, retired_at = excluded.retired_at`;
      await noteOperator(tx, acting, {
        eventId,
        entity: 'seal_key',
        entityId: id,
        type: 'seal_key.kept',
      });
    });
  }
  return configured.length + rewrapped.length;
}

/** Returns the ids of stored keys, each with the vault key that encrypts it. */
export async function storedSealKeyIds(sql: Queryable): Promise<Map<string, string>> {
  return new Map((await readRows(sql)).map(({ id, vault_key_id: under }) => [id, under]));
}
