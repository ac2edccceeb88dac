import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

// Signatures of Standard Webhooks 1.0 (standardwebhooks.com) in both directions. They cover the
// body; for calls without one, the method, path and query. Bodies name their call, so each is valid
// for one call only: `"for":"PUT /charges/00A1B2C3-1"`.

/** Maximum clock skew between both sides, in seconds. */
export const toleranceSeconds = 300;

const prefix = 'whsec_';
const secretPattern = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

/** True if a text is a valid secret: `whsec_` and base64 of 24 to 64 bytes. */
export const isSecret = (text: string): boolean => {
  const bytes = Buffer.from(text.slice(prefix.length), 'base64').length;
  return secretPattern.test(text) && bytes >= 24 && bytes <= 64;
};

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64');

export type SignatureHeaders = Record<
  'webhook-id' | 'webhook-timestamp' | 'webhook-signature',
  string
>;

/** A call, by its address in the protocol, without the prefix of a configured URL. */
export interface Called {
  method: string;
  /** Path and query. */
  path: string;
  body: string;
}

const lineOf = ({ method, path }: Pick<Called, 'method' | 'path'>): string => `${method} ${path}`;

/** Builds a body that names its call. */
export const bodyFor = (method: string, path: string, members: object): string =>
  JSON.stringify({ ...members, for: lineOf({ method, path }) });

/** Returns the signed text: the body, or the request line of a call without one. */
export const signedText = (called: Called): string =>
  called.body === '' ? lineOf(called) : called.body;

const digestOf = (secret: string, id: string, seconds: number, text: string): Buffer =>
  createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${text}`).digest();

/** Signs with each secret, newest first: during a rotation the other side may know either. */
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

/** Maximum number of signatures to verify: two secrets during a rotation, and some room. */
const mostSignatures = 8;

/**
 * Remembers a call's id until a moment, in seconds. Returns false if it was received before.
 * Persistent where calls have effects, so that nobody can replay one after a restart.
 */
export type Hear = (id: string, until: number, now: number) => boolean | Promise<boolean>;

/** Remembers ids in memory only. */
export function hearHere(): Hear {
  const heard = new Set<string>();
  return (id) => heard.size < heard.add(id).size;
}

export type Verdict = { id: string; message: unknown } | { fault: string };

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Returns the reason why a message does not belong to this call. Null if it does, or if it is not
 * an object: then there is no body, or the caller refuses it.
 */
function strayFault(message: unknown, called: Called): string | null {
  if (typeof message !== 'object' || message === null) return null;
  const line = lineOf(called);
  const meant = 'for' in message ? message.for : undefined;
  if (meant === line) return null;
  const value = meant === undefined ? 'missing' : JSON.stringify(meant)?.slice(0, 150);
  return `\`for\` in the body must be ${JSON.stringify(line)}, but is ${value}.`;
}

const longestId = 128;

/** Verifies a call's signature at a moment, in seconds. Returns the call's id, or the fault. */
function signatureIn(
  secrets: readonly string[],
  headers: HeadersIn,
  text: string,
  now: number,
): { id: string } | { fault: string } {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures || id.length > longestId) {
    return {
      fault: `The headers webhook-id (at most ${longestId} characters), webhook-timestamp and webhook-signature are required.`,
    };
  }
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now - seconds) <= toleranceSeconds)) {
    return {
      fault: `The timestamp must be within ${toleranceSeconds} seconds of this server's clock.`,
    };
  }
  const given = signatures.split(' ').slice(0, mostSignatures);
  const isOurs = secrets.some((secret) => {
    const digest = digestOf(secret, id, seconds, text);
    return given.some((signature) => matches(digest, signature));
  });
  return isOurs ? { id } : { fault: 'No signature matches a configured secret.' };
}

interface VerifierOptions {
  now?: () => number;
  /**
   * True to accept a message again under its id with a later signature, as Standard Webhooks
   * senders retry. Exact replays are always refused.
   */
  takesRetries?: boolean;
}

/** Verifies signatures and their subject, and refuses replays. */
export const createVerifier =
  (
    secrets: readonly string[],
    hear: Hear,
    { now = () => Date.now(), takesRetries = false }: VerifierOptions = {},
  ) =>
  async (headers: HeadersIn, called: Called): Promise<Verdict> => {
    const current = now() / 1000;
    const signed = signatureIn(secrets, headers, signedText(called), current);
    if ('fault' in signed) return signed;
    const message = jsonIn(called.body);
    const stray = strayFault(message, called);
    if (stray !== null) return { fault: stray };
    const until = Math.ceil(current) + 2 * toleranceSeconds;
    const call = takesRetries ? `${signed.id} ${header(headers, 'webhook-timestamp')}` : signed.id;
    if (await hear(call, until, Math.floor(current))) return { id: signed.id, message };
    return {
      fault: takesRetries
        ? 'This call was already received. To retry it, sign it again with a new timestamp.'
        : 'A call with this webhook-id was already received. Send a new id.',
    };
  };
