import { randomBytes } from 'node:crypto';
import type { Clock } from '../clocks.ts';
import type { Sql } from '../postgres/connect.ts';
import type { Encrypted, Vault } from '../vault.ts';
import { insertKey, type KeyPurpose, type KeyRow, readKeys, replaceEncrypted } from './store.ts';

/** A key of the service's own: 32 bytes as hexadecimal digits, and the number that names it. */
export interface RingKey {
  no: number;
  key: string;
}

/** The keys of a purpose as a process knows them: one makes new things, older ones verify. */
export interface KeyRing {
  current(): RingKey;
  /** By its number; null where it is not known, or retired. */
  key(no: number): string | null;
}

/** A ring that learns of keys that others add or retire. */
export interface LiveKeyRing extends KeyRing {
  refresh(): Promise<void>;
}

/** Tells every process that keys were added or retired. */
export const keysChangedTopic = 'recaudo_keys_changed';

const contextOf = ({ purpose, no }: Pick<KeyRow, 'purpose' | 'no'>): string =>
  `service key ${purpose} ${no}`;

/** A new key, drawn and encrypted for its place. */
export const drawKey = (vault: Vault, place: Pick<KeyRow, 'purpose' | 'no'>): Encrypted =>
  vault.encrypt(randomBytes(32).toString('hex'), contextOf(place));

function encryptedOf({ vault_key_id: keyId, ciphertext }: KeyRow): Encrypted | null {
  return keyId === null || ciphertext === null ? null : { keyId, ciphertext };
}

/** Opens the ring of a purpose; its first key is drawn once for a database. */
export async function createKeyRing(
  { sql, vault, wall }: { sql: Sql; vault: Vault; wall: Clock },
  purpose: KeyPurpose,
): Promise<LiveKeyRing> {
  let keys: (RingKey & { fromMs: number })[] = [];

  const refresh = async (): Promise<void> => {
    const known = new Map(keys.map(({ no, key }) => [no, key]));
    keys = (await readKeys(sql, purpose)).flatMap((row) => {
      const encrypted = encryptedOf(row);
      if (encrypted === null) return [];
      const key = known.get(row.no) ?? vault.decrypt(encrypted, contextOf(row));
      return [{ no: row.no, key, fromMs: row.used_from.epochMilliseconds }];
    });
  };

  await refresh();
  if (keys.length === 0) {
    const first = { purpose, no: 1 };
    await insertKey(sql, { ...first, ...drawKey(vault, first), usedFrom: wall.now() });
    await refresh();
  }
  return {
    refresh,
    current() {
      const nowMs = wall.nowMs();
      const used = keys.find(({ fromMs }) => fromMs <= nowMs) ?? keys.at(-1);
      if (!used) throw new Error(`there is no key for ${purpose}`);
      return used;
    },
    key: (no) => keys.find((one) => one.no === no)?.key ?? null,
  };
}

/** Seals the keys of a purpose under the vault's current key; answers how many changed. */
export async function rewrapKeys(sql: Sql, vault: Vault, purpose: KeyPurpose): Promise<number> {
  let changed = 0;
  for (const row of await readKeys(sql, purpose)) {
    const encrypted = encryptedOf(row);
    if (encrypted === null || encrypted.keyId === vault.keyId()) continue;
    const context = contextOf(row);
    await replaceEncrypted(sql, row, vault.encrypt(vault.decrypt(encrypted, context), context));
    changed += 1;
  }
  return changed;
}
