import { randomBytes } from 'node:crypto';
import type { ProviderFault } from './settings.ts';

/** Maximum time at the provider. */
export const flowMs = 10 * 60_000;

/** Tolerated difference between the clocks of two machines. */
export const toleratedSeconds = 60;

/**
 * A sign-in on its way to the provider and back. A cookie stores it in the browser that began it,
 * so that no other browser can end it and strangers write nothing to the database.
 */
export interface Flow {
  state: string;
  nonce: string;
  /** The PKCE code verifier (RFC 7636). */
  verifier: string;
  beganMs: number;
  /** `confirm` proves the identity of a signed-in person again. */
  purpose: 'sign-in' | 'confirm' | 'invitation';
  /** The invitation's token; empty for other purposes. */
  invitation: string;
  /** The page to continue at. */
  next: string;
}

export type Purpose = Pick<Flow, 'purpose' | 'invitation' | 'next'>;

const drawn = (): string => randomBytes(32).toString('base64url');

/** Longer addresses become `/portal`, because the browser sends the cookie with every call. */
const longestNext = 500;

export const drawFlow = ({ next, ...purpose }: Purpose, nowMs: number): Flow => ({
  ...purpose,
  next: next.length > longestNext ? '/portal' : next,
  state: drawn(),
  nonce: drawn(),
  verifier: drawn(),
  beganMs: nowMs,
});

const secrets = /^[\w-]{43}$/;
const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Writes a flow as the value of its cookie. Omits the state, which is part of the cookie's name.
 */
export const flowText = ({ state: _, ...flow }: Flow): string =>
  Buffer.from(JSON.stringify(flow)).toString('base64url');

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Reads a flow from its cookie. Returns null if it is malformed or too old. */
export function readFlow(state: string, text: string, nowMs: number): Flow | null {
  const { nonce, verifier, beganMs, purpose, invitation, next } = parsed(text) ?? {};
  const isPurpose = purpose === 'sign-in' || purpose === 'confirm' || purpose === 'invitation';
  if (!isPurpose || !isText(nonce) || !isText(verifier)) return null;
  if (![state, nonce, verifier].every((one) => secrets.test(one))) return null;
  if (!isText(invitation) || !isText(next) || typeof beganMs !== 'number') return null;
  const isCurrent = nowMs - beganMs < flowMs && beganMs <= nowMs + toleratedSeconds * 1000;
  return isCurrent ? { state, nonce, verifier, beganMs, purpose, invitation, next } : null;
}

/** A failed step at the provider, such as discovery or the exchange of a code. */
export class ProviderFailure extends Error {
  readonly fault: ProviderFault;

  constructor(fault: ProviderFault, cause?: unknown) {
    super(`sign-in by the provider: ${fault}`, { cause });
    this.fault = fault;
  }
}
