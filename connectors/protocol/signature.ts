import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/**
 * Signatures of Standard Webhooks 1.0 (standardwebhooks.com) in both directions. What is signed is
 * the body; of a call without one, its path and query. Bodies repeat the ids of their address.
 */

/** How far the clocks of both sides may be apart, in seconds. */
export const toleranceSeconds = 300;

const prefix = 'whsec_';
const secretPattern = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

/** Whether a text is a secret: `whsec_` and base64 of 24 to 64 bytes. */
export const isSecret = (text: string): boolean => {
  const bytes = Buffer.from(text.slice(prefix.length), 'base64').length;
  return secretPattern.test(text) && bytes >= 24 && bytes <= 64;
};

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64');

export type SignatureHeaders = Record<
  'webhook-id' | 'webhook-timestamp' | 'webhook-signature',
  string
>;

/** The text that is signed: the body, or the path and query of a call without one. */
export const signedText = (body: string, pathAndQuery: string): string =>
  body === '' ? pathAndQuery : body;

const digestOf = (secret: string, id: string, seconds: number, text: string): Buffer =>
  createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${text}`).digest();

/** Signs with each secret, the newest first: while they rotate, the other side may know either. */
export function sign(
  secrets: readonly string[],
  text: string,
  { id = `msg_${randomUUID()}`, seconds = Math.floor(Date.now() / 1000) } = {},
): SignatureHeaders {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets
      .map((secret) => `v1,${digestOf(secret, id, seconds, text).toString('base64')}`)
      .join(' '),
  };
}

type HeadersIn = Readonly<Record<string, string | string[] | undefined>>;

const header = (headers: HeadersIn, name: string): string | null => {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

const matches = (digest: Buffer, signature: string): boolean => {
  if (!signature.startsWith('v1,')) return false;
  const given = Buffer.from(signature.slice(3), 'base64');
  return given.length === digest.length && timingSafeEqual(given, digest);
};

/** Most signatures that are looked at: two secrets while they rotate, and some room. */
const mostSignatures = 8;

/** Checks signatures and remembers ids, so that a call that was heard once is not obeyed twice. */
export function createVerifier(
  secrets: readonly string[],
  now: () => number = () => Date.now(),
): (headers: HeadersIn, text: string) => { id: string } | { fault: string } {
  const heard = new Map<string, number>();

  const forget = (seconds: number): void => {
    for (const [id, until] of heard) {
      if (until > seconds) break;
      heard.delete(id);
    }
  };

  return (headers, text) => {
    const id = header(headers, 'webhook-id');
    const timestamp = header(headers, 'webhook-timestamp');
    const signatures = header(headers, 'webhook-signature');
    if (!id || !timestamp || !signatures || id.length > 128) {
      return {
        fault: 'The headers webhook-id, webhook-timestamp and webhook-signature must come.',
      };
    }
    const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
    const current = now() / 1000;
    if (!(Math.abs(current - seconds) <= toleranceSeconds)) {
      return {
        fault: `The timestamp must be within ${toleranceSeconds} seconds of the clock here.`,
      };
    }
    const given = signatures.split(' ').slice(0, mostSignatures);
    const isOurs = secrets.some((secret) => {
      const digest = digestOf(secret, id, seconds, text);
      return given.some((signature) => matches(digest, signature));
    });
    if (!isOurs) return { fault: 'No signature is of a secret that is known here.' };
    forget(current);
    if (heard.has(id)) return { fault: 'A call with this webhook-id was heard before.' };
    heard.set(id, current + 2 * toleranceSeconds);
    return { id };
  };
}
