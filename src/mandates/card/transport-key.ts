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

/** The public half that an account encrypts card numbers for now. */
export interface PublicTransportKey {
  /** SubjectPublicKeyInfo, PEM. */
  publicKey: string;
  /** From when on there is another one. */
  renewAt: Temporal.Instant;
  /** Last instant at which ciphertexts for it are accepted. */
  expiresAt: Temporal.Instant;
}

/** The key pairs to which accounts may encrypt card numbers on their way (RFC 8017, OAEP). */
export interface TransportKeys {
  publicKey(accountId: string): Promise<PublicTransportKey>;
  /** Decrypts a text; null if it is for none of the account's live keys. */
  decrypt(accountId: string, ciphertext: Buffer): Promise<string | null>;
}

const modulusLength = 2048;

/** A month, and a week in which callers may still use the former key. */
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

/** Creates keys on demand, at least a month after the former one. */
export function createTransportKeys(
  { sql, recordIds }: Pick<Base, 'sql' | 'recordIds'>,
  vault: Vault,
  clock: Clock,
): TransportKeys {
  const drawing = new Map<string, Promise<TransportKeyRow>>();

  /** Keys that still accept ciphertexts, newest first. */
  const live = async (accountId: string): Promise<TransportKeyRow[]> => {
    const now = clock.now();
    // A month has 31 days at most; which of these expired is seen below, to the second.
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
    const kept = await current(accountId);
    if (kept === null) throw new Error('the card transport key is missing');
    return kept;
  };

  /** Callers at the same time share one: to draw a pair takes a tenth of a second of a core. */
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
          // Perhaps it is for the key before.
        }
      }
      return null;
    },
  };
}
