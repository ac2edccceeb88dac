import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { Base } from '../../platform/base.ts';
import type { Clock } from '../../platform/clocks.ts';
import type { Vault } from '../../platform/vault.ts';
import {
  encryptedOf,
  insertTransportKey,
  lastTransportKeyNo,
  readTransportKeys,
  type TransportKeyRow,
  transportContext,
} from './transport-key-store.ts';

/** The public key under which an account encrypts card numbers now. */
export interface PublicTransportKey {
  /** SubjectPublicKeyInfo, PEM. */
  publicKey: string;
  /** When to fetch the next key. */
  renewAt: Temporal.Instant;
  /** The time until which ciphertexts for it are accepted. */
  expiresAt: Temporal.Instant;
}

/** Key pairs under which accounts encrypt card numbers in transit (RFC 8017, OAEP). */
export interface TransportKeys {
  publicKey(accountId: string): Promise<PublicTransportKey>;
  /** Decrypts a text. Returns null if none of the account's live keys fits. */
  decrypt(accountId: string, ciphertext: Buffer): Promise<string | null>;
}

const modulusLength = 2048;

/** Keys are replaced each month. Callers may use the former one for one more week. */
const renewed = { months: 1 } as const;
const overlap = { hours: 7 * 24 } as const;

const inArgentina = (moment: Temporal.Instant) => moment.toZonedDateTimeISO('-03:00');
const renewAtOf = ({ made_at }: TransportKeyRow): Temporal.Instant =>
  inArgentina(made_at).add(renewed).toInstant();
const expiresAtOf = (row: TransportKeyRow): Temporal.Instant => renewAtOf(row).add(overlap);

const isAfter = (one: Temporal.Instant, other: Temporal.Instant): boolean =>
  Temporal.Instant.compare(one, other) > 0;

async function drawKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return privateKey;
}

/** Creates transport keys on demand, at most one a month per account. */
export function createTransportKeys(
  { sql, recordIds }: Pick<Base, 'sql' | 'recordIds'>,
  vault: Vault,
  clock: Clock,
): TransportKeys {
  const drawing = new Map<string, Promise<TransportKeyRow>>();

  /** Returns keys that still accept ciphertexts, newest first. */
  const live = async (accountId: string): Promise<TransportKeyRow[]> => {
    const now = clock.now();
    // 39 days cover the longest month and the week of grace. The exact check follows below.
    const rows = await readTransportKeys(sql, accountId, now.subtract({ hours: 39 * 24 }));
    return rows.filter((row) => isAfter(expiresAtOf(row), now));
  };

  const current = async (accountId: string): Promise<TransportKeyRow | null> => {
    const [newest = null] = await live(accountId);
    return newest && isAfter(renewAtOf(newest), clock.now()) ? newest : null;
  };

  const draw = async (accountId: string): Promise<TransportKeyRow> => {
    const place = { account_id: accountId, no: (await lastTransportKeyNo(sql, accountId)) + 1 };
    const { keyId, ciphertext } = vault.encrypt(await drawKey(), transportContext(place));
    const now = clock.now();
    const row = { ...place, vault_key_id: keyId, ciphertext, made_at: now };
    const eventId = await recordIds.next();
    await insertTransportKey(sql, row, { forgetUntil: now.subtract({ hours: 39 * 24 }), eventId });
    const key = await current(accountId);
    if (key === null) throw new Error('the card transport key is missing');
    return key;
  };

  /**
   * Generates a key pair, which concurrent callers share, because it takes a tenth of a second of
   * CPU.
   */
  const drawOnce = (accountId: string): Promise<TransportKeyRow> => {
    const known = drawing.get(accountId);
    if (known) return known;
    const drawn = draw(accountId).finally(() => drawing.delete(accountId));
    drawing.set(accountId, drawn);
    return drawn;
  };

  const privateKey = (row: TransportKeyRow): KeyObject =>
    createPrivateKey(vault.decrypt(encryptedOf(row), transportContext(row)));

  return {
    async publicKey(accountId) {
      const row = (await current(accountId)) ?? (await drawOnce(accountId));
      const pem = createPublicKey(privateKey(row)).export({ type: 'spki', format: 'pem' });
      return {
        publicKey: pem.toString(),
        renewAt: renewAtOf(row),
        expiresAt: expiresAtOf(row),
      };
    },
    async decrypt(accountId, ciphertext) {
      const padding = constants.RSA_PKCS1_OAEP_PADDING;
      for (const row of await live(accountId)) {
        const key = privateKey(row);
        try {
          return privateDecrypt({ key, padding, oaepHash: 'sha256' }, ciphertext).toString('utf8');
        } catch {
          // Try the previous key.
        }
      }
      return null;
    },
  };
}
