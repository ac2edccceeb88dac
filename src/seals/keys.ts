import { createHmac, hkdfSync } from 'node:crypto';

/** Keys that make and check seals; they never reach the database. */
export interface SealKeys {
  /** The id of the key that seals now. */
  current: string;
  /** Since when a key only checks; null for keys of the vault. */
  retiredAt(keyId: string): Temporal.Instant | null;
  /** The ids of all that are known, the current one first. */
  ids: readonly string[];
  /** HMAC-SHA-256 for a purpose; null if the key is no longer configured. */
  mac(keyId: string, purpose: string, data: Buffer): Buffer | null;
}

/** The id of unkeyed seals, which any writer to the database could make. */
export const keyless = 'none';

/** A key of seals that outlived its vault key, which cannot be worked out from it. */
export interface KeptSealKey {
  id: string;
  key: Buffer;
  retiredAt: Temporal.Instant;
}

export const sealKeyOf = (vaultKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', vaultKey, '', 'seals', 32));

/**
 * Derives the keys of seals from those of the vault: the first one seals, all of them check.
 * Retired keys still check the seals made before.
 */
export function createSealKeys(
  keys: readonly { id: string; key: Buffer }[],
  kept: readonly KeptSealKey[] = [],
): SealKeys {
  const derived = [...keys, { id: keyless, key: Buffer.alloc(32) }].map(
    ({ id, key }): [string, Buffer] => [id, sealKeyOf(key)],
  );
  const own = new Map(derived);
  const retired = new Map(
    kept.filter(({ id }) => !own.has(id)).map(({ id, retiredAt }) => [id, retiredAt]),
  );
  const byId = new Map([...kept.map(({ id, key }): [string, Buffer] => [id, key]), ...derived]);
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

/** For accounts of deployments that have no key. */
export const withoutKeys: SealKeys = createSealKeys([]);

const purposes = { salt: 'salt', link: 'link' } as const;

/**
 * Salt for the digests of an account's rows: derived, so that readers of the database cannot find
 * the content of erased rows by trying.
 */
export const saltOf = (keys: SealKeys, keyId: string, accountId: string): Buffer | null =>
  keys.mac(keyId, purposes.salt, Buffer.from(accountId));

/** A seal as its link chains it. */
export interface SealedContent {
  no: number;
  kind: string;
  /** SHA-256 over keys and digests. */
  content: Buffer;
}

/**
 * The link of a seal: keyed, over the last one and all of the seal's content. Null: key unknown.
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
