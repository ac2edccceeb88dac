import { hash, timingSafeEqual } from 'node:crypto';
import type { Sql } from './postgres/connect.ts';
import { serviceSecret } from './secrets.ts';

/** What a token opens: a request's pages, the upload of a document, the page on which a mandate is signed. */
export type LinkPurpose = 'request' | 'upload' | 'adhesion' | 'card_adhesion';

/** Addresses that need no key: they carry a token that nobody can guess. */
export interface Links {
  /** The public origin, without a slash at its end. */
  origin: string;
  /** A token that begins with the account id, so that one account's data can live on one shard. */
  tokenOf(key: { accountId: string; id: number }, purpose?: LinkPurpose): string;
  /** Whom a token names, without a look-up; null if it was not made here. */
  keyOf(token: string, purpose?: LinkPurpose): { accountId: string; id: number } | null;
}

const tokenShape = /^([0-9A-F]{8})-([0-9a-z]{1,11})-([\w-]{22})$/;

/** 132 bits of the MAC in base64url. */
const macLength = 22;

export function openLinks(origin: string, secret: Buffer): Links {
  const key = secret.toString('hex');
  // SHA-3 over key and message is a sound MAC by itself (FIPS 202: no length extension), and one
  // call to the library where HMAC takes an object: every answer carries such a token.
  const macOf = (purpose: LinkPurpose, accountId: string, id: number): string =>
    hash('sha3-256', `${key}|${purpose}|${accountId}|${id}`, 'base64url').slice(0, macLength);
  return {
    origin: origin.replace(/\/+$/, ''),
    tokenOf: ({ accountId, id }, purpose = 'request') =>
      `${accountId}-${id.toString(36)}-${macOf(purpose, accountId, id)}`,
    keyOf(token, purpose = 'request') {
      const [, accountId, id36, mac] = tokenShape.exec(token) ?? [];
      if (!accountId || !id36 || !mac) return null;
      const id = Number.parseInt(id36, 36);
      const expected = Buffer.from(macOf(purpose, accountId, id));
      return timingSafeEqual(expected, Buffer.from(mac)) ? { accountId, id } : null;
    },
  };
}

/** The secret of public links. */
export const linkSecret = (sql: Sql): Promise<Buffer> => serviceSecret(sql, 'links');
