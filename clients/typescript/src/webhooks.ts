import { WebhookError } from './errors.ts';
import type { Events } from './types.ts';

/** Body of a delivery, discriminated by `event_type`. */
export type WebhookEvent = Events[keyof Events];

type HeaderBag = Headers | Record<string, string | readonly string[] | undefined>;

export interface VerifyOptions {
  /** Maximum difference between the timestamp and the clock, in seconds; 300 by default. */
  tolerance?: number | undefined;
  /** Milliseconds since 1970; the system clock by default. */
  now?: number | undefined;
}

function headerOf(headers: HeaderBag, name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof found === 'string' ? found : found?.[0];
  if (!text) throw new WebhookError('header_missing', `The header ${name} is missing.`);
  return text;
}

/** Decodes base64. Returns null if it is malformed. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) {
    throw new WebhookError('secret_malformed', 'A secret is whsec_ and base64, as it was shown.');
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
}

function checkTime(timestamp: string, { tolerance = 300, now = Date.now() }: VerifyOptions): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookError('timestamp_malformed', 'webhook-timestamp is not a number of seconds.');
  }
  const age = now / 1000 - Number(timestamp);
  if (Math.abs(age) <= tolerance) return;
  const seconds = Math.round(Math.abs(age));
  if (age > 0) {
    throw new WebhookError('too_old', `The delivery is ${seconds} s old, or your clock is fast.`);
  }
  throw new WebhookError('too_new', `The delivery is ${seconds} s ahead: your clock is slow.`);
}

/** Joins id, timestamp and body as the signature covers them. */
function signedBytes(head: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const start = encoder.encode(head);
  const rest = typeof body === 'string' ? encoder.encode(body) : body;
  const whole = new Uint8Array(start.length + rest.length);
  whole.set(start);
  whole.set(rest, start.length);
  return whole;
}

/**
 * Returns the event of a correctly signed delivery; throws a `WebhookError` otherwise. Pass the raw
 * body, as bytes or text, never parsed JSON. While a secret rotates, pass both secrets.
 */
export async function verifyWebhook(
  headers: HeaderBag,
  rawBody: string | Uint8Array,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new WebhookError('body_not_raw', 'Pass the body as it came: bytes or text, not parsed.');
  }
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const head = `${headerOf(headers, 'webhook-id')}.${timestamp}.`;
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  checkTime(timestamp, options);
  const signed = signedBytes(head, rawBody);
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const key = await keyOf(one);
    for (const signature of signatures) {
      const bytes = signature.startsWith('v1,') ? bytesOf(signature.slice(3)) : null;
      // `verify` compares in constant time.
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) {
        return eventOf(rawBody);
      }
    }
  }
  throw new WebhookError('signature_wrong', 'No signature fits the body and the secret.');
}

function eventOf(rawBody: string | Uint8Array): WebhookEvent {
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
  try {
    return JSON.parse(text);
  } catch {
    throw new WebhookError('body_not_json', 'The body is signed, but is not JSON.');
  }
}
