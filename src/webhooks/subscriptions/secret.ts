import { createHmac } from 'node:crypto';
import type { KeyRing } from '../../platform/key-ring.ts';
import type { WebhookRow } from '../store.ts';

/** A webhook, and the generation of its secret, from 1. */
export interface SecretName {
  accountId: string;
  webhookId: number;
  no: number;
  /** The service's key that derives it. */
  keyNo: number;
}

/** The webhook of a single entity. */
export interface OnceSecretName {
  accountId: string;
  entity: string;
  entityId: string;
  keyNo: number;
}

/**
 * Secrets in the format of Standard Webhooks, `whsec_…`. They are derived, so that none is stored.
 */
export interface Secrets {
  /** Returns the key for new secrets. */
  keyNo(): number;
  /** Returns null if the key was retired, because the secret is no longer trusted. */
  secretOf(name: SecretName): string | null;
  /**
   * Returns the secret of a single entity's webhook. The entity need not be stored yet. Returns
   * null if the key was retired.
   */
  onceSecretOf(name: OnceSecretName): string | null;
}

/** Overlap in which the former secret signs along with the new one. */
export const secretOverlap = { hours: 24 } as const;

/** Returns the generation and key of the former secret, or null if it no longer signs. */
export function formerSecret(
  {
    secret_no: newest,
    previous_key_no: keyNo,
    rotated_at,
  }: Pick<WebhookRow, 'secret_no' | 'previous_key_no' | 'rotated_at'>,
  now: Temporal.Instant,
): Pick<SecretName, 'no' | 'keyNo'> | null {
  if (keyNo === null || rotated_at === null) return null;
  const isOver = Temporal.Instant.compare(now, rotated_at.add(secretOverlap)) >= 0;
  return isOver ? null : { no: newest - 1, keyNo };
}

const prefix = 'whsec_';

export function createSecrets(ring: KeyRing): Secrets {
  const derive = (keyNo: number, ...names: (string | number)[]): string | null => {
    const key = ring.key(keyNo);
    return key && prefix + createHmac('sha256', key).update(names.join('|')).digest('base64');
  };
  return {
    keyNo: () => ring.current().no,
    secretOf: ({ accountId, webhookId, no, keyNo }) =>
      derive(keyNo, 'webhook', accountId, webhookId, no),
    onceSecretOf: ({ accountId, entity, entityId, keyNo }) =>
      derive(keyNo, 'once', accountId, entity, entityId),
  };
}

export const signingKey = (secret: string): Buffer =>
  Buffer.from(secret.slice(prefix.length), 'base64');

export interface SignedMessage {
  /** Equal at every attempt, so that receivers can drop duplicates. */
  id: string;
  /** Wall-clock time of the attempt. */
  seconds: number;
  body: string;
}

/** Returns the three headers of Standard Webhooks 1.0, with one signature per key, newest first. */
export function signatureHeaders(
  keys: readonly Buffer[],
  { id, seconds, body }: SignedMessage,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const signed = `${id}.${seconds}.${body}`;
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
