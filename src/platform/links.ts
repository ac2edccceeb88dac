import { hash, timingSafeEqual } from 'node:crypto';
import { withoutSlashes } from '../kernel/text.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * The page that a token opens: a request's pages, an upload, the signing of a mandate, the choice
 * of a password, or unsubscribing from emails.
 */
export type LinkPurpose =
  | 'request'
  | 'upload'
  | 'adhesion'
  | 'card_adhesion'
  | 'invitation'
  | 'reset'
  | 'unsubscribe';

/** Public addresses with an unguessable token instead of a key. */
export interface Links {
  /** The public origin, without a trailing slash. */
  origin: string;
  /**
   * Returns a token. It starts with the account id, so that one account's data can live on one
   * shard.
   */
  tokenOf(key: LinkKey, purpose?: LinkPurpose): string;
  /** Decodes a token without a look-up. Returns null if it is invalid or its key is retired. */
  keyOf(token: string, purpose?: LinkPurpose): Required<LinkKey> | null;
}

/** The subject of a link. `no` counts its links from 1. */
export interface LinkKey {
  accountId: string;
  id: number;
  no?: number;
}

/** Account, id and number of the link, number of the signing key, and MAC. */
const tokenShape =
  /^([0-9A-F]{8})-([0-9a-z]{1,11}(?:\.([1-9][0-9]{0,4}))?)-([0-9a-z]{1,4})-([\w-]{22})$/;

/** Returns the id and number in a token. The first link omits the number. */
const nameOf = (id: number, no: number): string =>
  no === 1 ? id.toString(36) : `${id.toString(36)}.${no}`;

/** 132 bits of the MAC in base64url. */
const macLength = 22;

// SHA-3 over key and message is a secure MAC (FIPS 202: no length extension) and one library call,
// whereas HMAC allocates an object. A response with requests has several tokens for each, so this
// matters. The message is the token's exact text, so each token has only one form.
const macOf = (key: string, ...texts: string[]): string =>
  hash('sha3-256', [key, ...texts].join('|'), 'base64url').slice(0, macLength);

export function createLinks(origin: string, ring: KeyRing): Links {
  return {
    origin: withoutSlashes(origin),
    tokenOf({ accountId, id, no = 1 }, purpose = 'request') {
      const { no: keyNo, key } = ring.current();
      const [name, keyName] = [nameOf(id, no), keyNo.toString(36)];
      return `${accountId}-${name}-${keyName}-${macOf(key, purpose, accountId, name, keyName)}`;
    },
    keyOf(token, purpose = 'request') {
      const [, accountId, name, no = '1', keyName, mac] = tokenShape.exec(token) ?? [];
      if (!accountId || !name || !keyName || !mac) return null;
      const key = ring.key(Number.parseInt(keyName, 36));
      if (key === null) return null;
      const expected = Buffer.from(macOf(key, purpose, accountId, name, keyName));
      if (!timingSafeEqual(expected, Buffer.from(mac))) return null;
      // parseInt reads the part before the dot.
      return { accountId, id: Number.parseInt(name, 36), no: Number(no) };
    },
  };
}
