import { createHmac } from 'node:crypto';
import type { KeyRing } from '../../platform/key-ring.ts';

/** Of which webhook, and which of its generations; the first is 1. */
export interface SecretName {
  accountId: string;
  webhookId: number;
  no: number;
  /** The service's key that it is derived from. */
  keyNo: number;
}

/** A webhook for one entity only has that entity's secret. */
export interface OnceSecretName {
  accountId: string;
  entity: string;
  entityId: string;
  keyNo: number;
}

/** Secrets as Standard Webhooks writes them, `whsec_…`: derived, so that none is stored. */
export interface Secrets {
  /** The key that new secrets are derived from. */
  keyNo(): number;
  /** Null if the key was retired: the secret is no longer trusted. */
  secretOf(name: SecretName): string | null;
  /** Known before anything of the entity is stored. */
  onceSecretOf(name: OnceSecretName): string | null;
}

/** The time for which the previous secret signs along with the new one. */
export const secretOverlap = { hours: 24 } as const;

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

/** The signing bytes of a secret's text. */
export const signingKey = (secret: string): Buffer =>
  Buffer.from(secret.slice(prefix.length), 'base64');

export interface SignedMessage {
  /** Equal at every attempt, so that receivers can drop duplicates. */
  id: string;
  /** Of the wall clock, at the attempt. */
  seconds: number;
  body: string;
}

/** The three headers of Standard Webhooks 1.0; one signature for each key, the newest first. */
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
