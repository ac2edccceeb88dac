import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** A secret that is only stored like this. */
export interface Sealed {
  keyId: string;
  /** Nonce (12 bytes), tag (16 bytes), then the encrypted text. */
  ciphertext: Buffer;
}

/** Keeps what must never lie in the database in clear (AES-256-GCM, NIST SP 800-38D). */
export interface Vault {
  /** The key that seals now. */
  keyId(): string;
  /** `context` names whose secret it is: sealed for one place, it cannot be opened in another. */
  seal(text: string, context: string): Sealed;
  /** Throws if the key is not configured any more, or the ciphertext was changed or moved. */
  open(sealed: Sealed, context: string): string;
  /**
   * The digest of something that holds a secret, keyed (HMAC-SHA-256), so that nobody who has the
   * database alone can find the secret by trying.
   */
  blind(digest: Buffer): Buffer;
}

export interface VaultKey {
  id: string;
  key: Buffer;
}

const nonceBytes = 12;
const tagBytes = 16;
const cipher = 'aes-256-gcm';

/**
 * The first key seals; all of them open, so that a new one can be put in front. Of two with one id
 * the first counts.
 */
export function openVault(keys: readonly [VaultKey, ...VaultKey[]]): Vault {
  const byId = new Map(keys.toReversed().map((one) => [one.id, one.key]));
  const [current] = keys;
  const blindKey = Buffer.from(hkdfSync('sha256', current.key, '', 'blind', 32));
  return {
    keyId: () => current.id,
    seal(text, context) {
      const nonce = randomBytes(nonceBytes);
      const encrypt = createCipheriv(cipher, current.key, nonce, { authTagLength: tagBytes });
      encrypt.setAAD(Buffer.from(context));
      const body = Buffer.concat([encrypt.update(text, 'utf8'), encrypt.final()]);
      return {
        keyId: current.id,
        ciphertext: Buffer.concat([nonce, encrypt.getAuthTag(), body]),
      };
    },
    open({ keyId, ciphertext }, context) {
      const key = byId.get(keyId);
      if (!key) {
        throw new Error(
          `The vault has no key "${keyId}", which this database's secrets are sealed with: it ` +
            'belongs into VAULT_KEYS. A sandbox without that variable keeps its key in ' +
            'DATA_DIR/vault-keys.',
        );
      }
      const decrypt = createDecipheriv(cipher, key, ciphertext.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decrypt.setAAD(Buffer.from(context));
      decrypt.setAuthTag(ciphertext.subarray(nonceBytes, nonceBytes + tagBytes));
      const body = decrypt.update(ciphertext.subarray(nonceBytes + tagBytes));
      return Buffer.concat([body, decrypt.final()]).toString('utf8');
    },
    blind: (digest) => createHmac('sha256', blindKey).update(digest).digest(),
  };
}

/** `id:base64 of 32 bytes`, separated by commas, each id once; null where a text is not that. */
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
