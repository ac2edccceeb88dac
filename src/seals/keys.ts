import { createHmac, hkdfSync } from 'node:crypto';

/** Keys that make and verify seals. They never reach the database unencrypted. */
export interface SealKeys {
  /** Id of the key for new seals. */
  current: string;
  /** Returns the time from which a retired key only verifies, or null for keys of the vault. */
  retiredAt(keyId: string): Temporal.Instant | null;
  /** All known ids, with those of retired keys and `keyless`. */
  ids: readonly string[];
  /** Computes HMAC-SHA-256 for a purpose. Returns null if the key is unknown. */
  mac(keyId: string, purpose: string, data: Buffer): Buffer | null;
}

/** Key id of unkeyed seals, which anyone with write access to the database can forge. */
export const keyless = 'none';

/** A seal key that outlived its vault key and can no longer be derived. */
export interface RetiredSealKey {
  id: string;
  key: Buffer;
  retiredAt: Temporal.Instant;
}

export const sealKeyOf = (vaultKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', vaultKey, '', 'seals', 32));

/**
 * Derives seal keys from the vault's keys. The first key seals, and all verify. Retired keys still
 * verify older seals.
 */
export function createSealKeys(
  keys: readonly { id: string; key: Buffer }[],
  retiredKeys: readonly RetiredSealKey[] = [],
): SealKeys {
  const derived = [...keys, { id: keyless, key: Buffer.alloc(32) }].map(
    ({ id, key }): [string, Buffer] => [id, sealKeyOf(key)],
  );
  const own = new Map(derived);
  const retired = new Map(
    retiredKeys.filter(({ id }) => !own.has(id)).map(({ id, retiredAt }) => [id, retiredAt]),
  );
  const byId = new Map([
    ...retiredKeys.map(({ id, key }): [string, Buffer] => [id, key]),
    ...derived,
  ]);
  return {
    current: keys[0]?.id ?? keyless,
    retiredAt: (keyId) => retired.get(keyId) ?? null,
    ids: [...byId.keys()],
    mac(keyId, purpose, data) {
      const key = byId.get(keyId);
      if (key === undefined) return null;
      return createHmac('sha256', key).update(`${purpose}\0`).update(data).digest();
    },
  };
}

/** Keys of a deployment without vault keys. */
export const withoutKeys: SealKeys = createSealKeys([]);

const purposes = { salt: 'salt', link: 'link' } as const;

/**
 * Derives the salt for digests of an account's rows. Returns null if the key is unknown. The salt
 * is secret, so that readers of the database cannot guess the content of erased rows.
 */
export const saltOf = (keys: SealKeys, keyId: string, accountId: string): Buffer | null =>
  keys.mac(keyId, purposes.salt, Buffer.from(accountId));

/** Content of a seal that its link covers. */
export interface SealedContent {
  no: number;
  kind: string;
  /** SHA-256 over keys and digests. */
  content: Buffer;
}

/**
 * Computes the link of a seal: a MAC over the previous link, the account, and the seal's number,
 * kind, key id, time and content. Returns null if the key is unknown.
 */
export function linkOf(
  keys: SealKeys,
  keyId: string,
  accountId: string,
  last: Buffer | null,
  { no, kind, content, at }: SealedContent & { at: Temporal.Instant },
): Buffer | null {
  const text = [accountId, no, kind, keyId, at.epochMilliseconds].join('|');
  const parts = [last ?? Buffer.alloc(32), Buffer.from(text), content];
  return keys.mac(keyId, purposes.link, Buffer.concat(parts));
}
