import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { VaultKey } from '../vault.ts';
import { refusal } from './codes.ts';

/** Keys of backups. The first encrypts, and all decrypt. */
export type BackupKeys = readonly [VaultKey, ...VaultKey[]];

const magic = Buffer.from('RBK1');
const cipher = 'aes-256-gcm';
const checkBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;

/** Distinguishes a wrong key from a damaged file. */
const checkOf = (key: Buffer): Buffer =>
  createHmac('sha256', key).update('recaudo backup').digest().subarray(0, checkBytes);

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Encrypts an object of a backup (AES-256-GCM). Its name is authenticated too, so objects cannot be
 * swapped. Layout: magic, length of key id, key id, key check, nonce, tag, body.
 */
export function sealObject([{ id, key }]: BackupKeys, name: string, body: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const encipher = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  encipher.setAAD(Buffer.from(name));
  const sealed = [encipher.update(body), encipher.final()];
  const head = [magic, Buffer.of(id.length), Buffer.from(id), checkOf(key), nonce];
  return Buffer.concat([...head, encipher.getAuthTag(), ...sealed]);
}

/**
 * Decrypts an object. Throws if its key is missing or differs, or if the object was truncated,
 * changed or renamed.
 */
export function openObject(keys: BackupKeys, name: string, bytes: Buffer): Buffer {
  const damaged = refusal('backup.object_damaged', { name });
  const idEnd = 5 + (bytes[4] ?? 0);
  const bodyAt = idEnd + checkBytes + nonceBytes + tagBytes;
  if (!bytes.subarray(0, 4).equals(magic) || bytes.length < bodyAt) throw damaged;
  const id = bytes.toString('latin1', 5, idEnd);
  const known = keys.find((one) => one.id === id);
  if (known === undefined) {
    throw refusal('backup.key_missing', { name, id });
  }
  const nonceAt = idEnd + checkBytes;
  if (!bytes.subarray(idEnd, nonceAt).equals(checkOf(known.key))) {
    throw refusal('backup.key_differs', { name, id });
  }
  const nonce = bytes.subarray(nonceAt, nonceAt + nonceBytes);
  const decipher = createDecipheriv(cipher, known.key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(name));
  decipher.setAuthTag(bytes.subarray(nonceAt + nonceBytes, bodyAt));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]);
  } catch {
    throw damaged;
  }
}
