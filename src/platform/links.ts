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
  tokenOf(key: LinkKey, purpose?: LinkPurpose): string;
  /** Whom a token names, without a look-up; null if it was not made here. */
  keyOf(token: string, purpose?: LinkPurpose): Required<LinkKey> | null;
}

/** Whom a link is for; `no` counts the links that were made for the same thing, from 1. */
export interface LinkKey {
  accountId: string;
  id: number;
  no?: number;
}

const tokenShape = /^([0-9A-F]{8})-([0-9a-z]{1,11})(?:\.([1-9][0-9]{0,4}))?-([\w-]{22})$/;

/** What a token says of its thing; the first link leaves its number out. */
const nameOf = (id: number, no: number): string =>
  no === 1 ? id.toString(36) : `${id.toString(36)}.${no}`;

/** 132 bits of the MAC in base64url. */
const macLength = 22;

export function openLinks(origin: string, secret: Buffer): Links {
  const key = secret.toString('hex');
  // SHA-3 over key and message is a sound MAC by itself (FIPS 202: no length extension), and one
  // call to the library where HMAC takes an object: every answer carries such a token.
  const macOf = (purpose: LinkPurpose, { accountId, id, no }: Required<LinkKey>): string => {
    const message = no === 1 ? `${accountId}|${id}` : `${accountId}|${id}|${no}`;
    return hash('sha3-256', `${key}|${purpose}|${message}`, 'base64url').slice(0, macLength);
  };
  return {
    origin: origin.replace(/\/+$/, ''),
    tokenOf: ({ accountId, id, no = 1 }, purpose = 'request') =>
      `${accountId}-${nameOf(id, no)}-${macOf(purpose, { accountId, id, no })}`,
    keyOf(token, purpose = 'request') {
      const [, accountId, id36, no = '1', mac] = tokenShape.exec(token) ?? [];
      if (!accountId || !id36 || !mac) return null;
      const named = { accountId, id: Number.parseInt(id36, 36), no: Number(no) };
      const expected = Buffer.from(macOf(purpose, named));
      return timingSafeEqual(expected, Buffer.from(mac)) ? named : null;
    },
  };
}

/** The secret of public links. */
export const linkSecret = (sql: Sql): Promise<Buffer> => serviceSecret(sql, 'links');
