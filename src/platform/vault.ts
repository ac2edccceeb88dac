import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** A secret as stored. */
export interface Encrypted {
  keyId: string;
  /** Nonce (12 bytes), tag (16 bytes), ciphertext. */
  ciphertext: Buffer;
}

/** Encrypts secrets for the database (AES-256-GCM, NIST SP 800-38D). */
export interface Vault {
  /** Returns the id of the key that encrypts now. */
  keyId(): string;
  /** Encrypts a text. `context` binds it to its place: it fails to decrypt in another. */
  encrypt(text: string, context: string): Encrypted;
  /** Throws if the key is no longer configured, or the ciphertext was changed or moved. */
  decrypt(encrypted: Encrypted, context: string): string;
  /**
   * Computes a keyed digest (HMAC-SHA-256) of a secret's digest, so that the secret cannot be
   * guessed from the database alone.
   */
  blind(digest: Buffer): Buffer;
  /** Computes the digest with each decrypt-only key, for older digests. */
  blindBefore(digest: Buffer): Buffer[];
}

export interface VaultKey {
  id: string;
  key: Buffer;
}

const nonceBytes = 12;
const tagBytes = 16;
const cipher = 'aes-256-gcm';

/**
 * Creates a vault. The first key encrypts and all decrypt, so a new one goes first. If two share an
 * id, the first counts.
 */
export function createVault(keys: readonly [VaultKey, ...VaultKey[]]): Vault {
  const byId = new Map(keys.toReversed().map((one) => [one.id, one.key]));
  const [current, ...others] = keys;
  const blinding = ({ key }: VaultKey): ((digest: Buffer) => Buffer) => {
    const blindKey = Buffer.from(hkdfSync('sha256', key, '', 'blind', 32));
    return (digest) => createHmac('sha256', blindKey).update(digest).digest();
  };
  const blindingBefore = others.map(blinding);
  return {
    keyId: () => current.id,
    encrypt(text, context) {
      const nonce = randomBytes(nonceBytes);
      const encipher = createCipheriv(cipher, current.key, nonce, { authTagLength: tagBytes });
      encipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([encipher.update(text, 'utf8'), encipher.final()]);
      return {
        keyId: current.id,
        ciphertext: Buffer.concat([nonce, encipher.getAuthTag(), body]),
      };
    },
    decrypt({ keyId, ciphertext }, context) {
      const key = byId.get(keyId);
      if (!key) {
        throw new Error(
          `The vault has no key "${keyId}", which this database's secrets are encrypted with: it ` +
            'belongs in VAULT_KEYS. A sandbox without that variable keeps its key in ' +
            'DATA_DIR/vault-keys.',
        );
      }
      const decipher = createDecipheriv(cipher, key, ciphertext.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(ciphertext.subarray(nonceBytes, nonceBytes + tagBytes));
      const body = decipher.update(ciphertext.subarray(nonceBytes + tagBytes));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    },
    blind: blinding(current),
    blindBefore: (digest) => blindingBefore.map((blind) => blind(digest)),
  };
}

/** Parses comma-separated `id:base64 of 32 bytes`, with unique ids. Returns null if malformed. */
export function readVaultKeys(text: string): [VaultKey, ...VaultKey[]] | null {
  const keys = text.split(',').map((part) => {
    const [id = '', key = ''] = part.trim().split(':');
    return { id, key: Buffer.from(key, 'base64') };
  });
  const [first, ...others] = keys;
  const sound = keys.every(({ id, key }) => /^[\w-]{1,32}$/.test(id) && key.length === 32);
  const ids = new Set(keys.map(({ id }) => id));
  return first && sound && ids.size === keys.length ? [first, ...others] : null;
}
