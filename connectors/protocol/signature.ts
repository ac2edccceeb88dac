import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/**
 * Signatures of Standard Webhooks 1.0 (standardwebhooks.com) in both directions. What is signed is
 * the body; of a call without one, its method, path and query. So that a body is good for one call
 * alone, it says which: `"for":"PUT /charges/00A1B2C3-1"`.
 */

/** Largest difference between both sides' clocks, in seconds. */
export const toleranceSeconds = 300;

const prefix = 'whsec_';
const secretPattern = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

/** True if a text is a secret: `whsec_` and base64 of 24 to 64 bytes. */
export const isSecret = (text: string): boolean => {
  const bytes = Buffer.from(text.slice(prefix.length), 'base64').length;
  return secretPattern.test(text) && bytes >= 24 && bytes <= 64;
};

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64');

export type SignatureHeaders = Record<
  'webhook-id' | 'webhook-timestamp' | 'webhook-signature',
  string
>;

/** A call, by its address in the protocol: without what a configured address has before it. */
export interface Called {
  method: string;
  /** Path and query. */
  path: string;
  body: string;
}

const lineOf = ({ method, path }: Pick<Called, 'method' | 'path'>): string => `${method} ${path}`;

/** A sent body, which names its call. */
export const bodyFor = (method: string, path: string, members: object): string =>
  JSON.stringify({ ...members, for: lineOf({ method, path }) });

/** The text that is signed: the body, or the line of a call without one. */
export const signedText = (called: Called): string =>
  called.body === '' ? lineOf(called) : called.body;

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

/**
 * Remembers the id of a call until a moment, in seconds; false: it was heard before. It outlives
 * the process where a call has effects, so that nobody can repeat one after a restart.
 */
export type Hear = (id: string, until: number, now: number) => boolean | Promise<boolean>;

/** Remembers for the length of a run. */
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

/** Why a message is not for this call; null: it is, or it is none, which nobody obeys. */
function strayFault(message: unknown, called: Called): string | null {
  if (typeof message !== 'object' || message === null) return null;
  const line = lineOf(called);
  const meant = 'for' in message ? message.for : undefined;
  if (meant === line) return null;
  const told = meant === undefined ? 'nothing' : JSON.stringify(meant)?.slice(0, 150);
  return `\`for\` of the body must say what it is signed for, ${JSON.stringify(line)}; it says ${told}.`;
}

/** Why a signature is not right at this moment, in seconds; else the id of the call. */
function signatureIn(
  secrets: readonly string[],
  headers: HeadersIn,
  text: string,
  now: number,
): { id: string } | { fault: string } {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures || id.length > 128) {
    return {
      fault: 'The headers webhook-id, webhook-timestamp and webhook-signature must come.',
    };
  }
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now - seconds) <= toleranceSeconds)) {
    return {
      fault: `The timestamp must be within ${toleranceSeconds} seconds of the clock here.`,
    };
  }
  const given = signatures.split(' ').slice(0, mostSignatures);
  const isOurs = secrets.some((secret) => {
    const digest = digestOf(secret, id, seconds, text);
    return given.some((signature) => matches(digest, signature));
  });
  return isOurs ? { id } : { fault: 'No signature is of a secret that is known here.' };
}

interface VerifierOptions {
  now?: () => number;
  /**
   * True to accept a message again under its id with a later signature, as senders of Standard
   * Webhooks retry. An exact replay is refused in any case.
   */
  takesRetries?: boolean;
}

/** Checks signatures, what they are for, and that a call which was heard is not obeyed again. */
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
    return { fault: 'A call with this webhook-id was heard before.' };
  };
