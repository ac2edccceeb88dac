import { randomBytes } from 'node:crypto';
import { system } from '../platform/actor.ts';
import type { Acting, Base } from '../platform/base.ts';
import type { KeyRing, RingKey } from '../platform/key-ring.ts';
import type { Encrypted, Vault } from '../platform/vault.ts';
import {
  insertKey,
  type KeyPurpose,
  type KeyRow,
  noteKey,
  readKeys,
  replaceEncrypted,
} from './store.ts';

/** A ring that follows changes by other processes. */
export interface LiveKeyRing extends KeyRing {
  refresh(): Promise<void>;
}

/** Topic that notifies every process of added or retired keys. */
export const keysChangedTopic = 'recaudo_keys_changed';

const contextOf = ({ purpose, no }: Pick<KeyRow, 'purpose' | 'no'>): string =>
  `service key ${purpose} ${no}`;

/** Generates a key, encrypted for its purpose and number. */
export const drawKey = (vault: Vault, place: Pick<KeyRow, 'purpose' | 'no'>): Encrypted =>
  vault.encrypt(randomBytes(32).toString('hex'), contextOf(place));

function encryptedOf({ vault_key_id: keyId, ciphertext }: KeyRow): Encrypted | null {
  return keyId === null || ciphertext === null ? null : { keyId, ciphertext };
}

export type RingParts = Pick<Base, 'sql' | 'clocks' | 'recordIds'> & { vault: Vault };

/** Opens a purpose's ring. Generates its first key once per database. */
export async function createKeyRing(
  { vault, ...base }: RingParts,
  purpose: KeyPurpose,
): Promise<LiveKeyRing> {
  const { sql } = base;
  const { wall } = base.clocks;
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
    const drawn = { ...first, ...drawKey(vault, first), usedFrom: wall.now() };
    const eventId = await base.recordIds.next();
    await sql.begin(async (tx) => {
      if (!(await insertKey(tx, drawn))) return;
      await noteKey(tx, { ...base, actor: system }, { eventId, ...first, change: 'created' });
    });
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

/**
 * Re-encrypts a purpose's keys under the vault's current key. Returns the number of changed keys.
 */
export async function rewrapKeys(
  acting: Acting,
  vault: Vault,
  purpose: KeyPurpose,
): Promise<number> {
  let changed = 0;
  for (const row of await readKeys(acting.sql, purpose)) {
    const encrypted = encryptedOf(row);
    if (encrypted === null || encrypted.keyId === vault.keyId()) continue;
    const context = contextOf(row);
    const fresh = vault.encrypt(vault.decrypt(encrypted, context), context);
    const eventId = await acting.recordIds.next();
    const done = await acting.sql.begin(async (tx) => {
      const replaced = await replaceEncrypted(tx, row, fresh);
      if (replaced) {
        const { no } = row;
        await noteKey(tx, acting, { eventId, purpose, no, change: 'rewrapped' });
      }
      return replaced;
    });
    if (done) changed += 1;
  }
  return changed;
}
