import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto';
import { promisify } from 'node:util';
import { Refusal } from '../../platform/errors.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import type { Sealed, Vault } from '../../platform/vault.ts';

/** The key pair to which integrators may encrypt card numbers on their way (RFC 8017, OAEP). */
export interface TransportKey {
  /** SubjectPublicKeyInfo, PEM. */
  publicKey(): Promise<string>;
  /** The clear text, or a refusal that names no content. */
  decrypt(ciphertext: Buffer): Promise<string>;
}

const name = 'card transport key';
const modulusLength = 2048;

async function drawKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return privateKey;
}

const pack = ({ keyId, ciphertext }: Sealed): Buffer =>
  Buffer.from(JSON.stringify({ keyId, ciphertext: ciphertext.toString('base64') }));

function unpack(value: Buffer): Sealed {
  const { keyId, ciphertext } = JSON.parse(value.toString('utf8')) as Record<
    'keyId' | 'ciphertext',
    string
  >;
  return { keyId, ciphertext: Buffer.from(ciphertext, 'base64') };
}

async function readSealed(sql: Sql): Promise<Buffer | null> {
  const [row] = await sql<{ value: Buffer }[]>`
    select value from service_secrets where name = ${name}`;
  return row?.value ?? null;
}

/** Seals the private half anew if another key than the current one holds it; answers whether. */
export async function rewrapTransportKey(sql: Sql, vault: Vault): Promise<boolean> {
  const stored = await readSealed(sql);
  if (!stored || unpack(stored).keyId === vault.keyId()) return false;
  const sealed = pack(vault.seal(vault.open(unpack(stored), name), name));
  const { count } = await sql`
    update service_secrets set value = ${sealed} where name = ${name} and value = ${stored}`;
  return count === 1;
}

/** Drawn at first use, once for a database; the private half lies there sealed by the vault. */
async function privateKeyOf(sql: Sql, vault: Vault): Promise<KeyObject> {
  const read = async (): Promise<KeyObject | null> => {
    const sealed = await readSealed(sql);
    return sealed && createPrivateKey(vault.open(unpack(sealed), name));
  };
  const known = await read();
  if (known !== null) return known;
  // Throws before a key is drawn for nothing.
  vault.keyId();
  const drawn = vault.seal(await drawKey(), name);
  await sql`
    insert into service_secrets (name, value) values (${name}, ${pack(drawn)})
    on conflict (name) do nothing`;
  const kept = await read();
  if (kept === null) throw new Error('the card transport key is missing');
  return kept;
}

export function openTransportKey(sql: Sql, vault: Vault): TransportKey {
  let loading: Promise<KeyObject> | null = null;
  const privateKey = (): Promise<KeyObject> => {
    loading ??= privateKeyOf(sql, vault).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  return {
    async publicKey() {
      const pem = createPublicKey(await privateKey()).export({ type: 'spki', format: 'pem' });
      return pem.toString();
    },
    async decrypt(ciphertext) {
      const key = await privateKey();
      try {
        return privateDecrypt(
          { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
          ciphertext,
        ).toString('utf8');
      } catch {
        throw new Refusal('invalid', 'The card number is not encrypted for the public key.');
      }
    },
  };
}
