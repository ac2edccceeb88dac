import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';

export interface Site {
  origin: string;
  /** The relying party's id: our origin's host. */
  id: string;
}

/**
 * Returns the site whose passkeys an origin uses. Null for IP addresses, and for http origins other
 * than localhost.
 */
export function siteOf(origin: string): Site | null {
  const { protocol, hostname } = new URL(origin);
  const isNamed = /[a-z]$/i.test(hostname);
  const isSafe = protocol === 'https:' || hostname === 'localhost';
  return isSafe && isNamed ? { origin, id: hostname } : null;
}

/** Parses an authenticator's answer, as our script sends it. Returns null if malformed. */
export function answerIn(text: string): { id: string; response: object } | null {
  try {
    const answer = JSON.parse(text) as { id?: unknown; response?: unknown } | null;
    if (typeof answer?.id !== 'string' || typeof answer.response !== 'object') return null;
    return answer.response === null
      ? null
      : { ...answer, id: answer.id, response: answer.response };
  } catch {
    return null;
  }
}

export interface NewCredential {
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  transports: string[];
}

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

// Loaded on demand, because commands never verify a factor.
const library = () => import('@simplewebauthn/server');

/** Verifies a passkey's registration. Returns null if it is malformed or invalid. */
export async function checkAdded(
  site: Site,
  challenge: Buffer,
  text: string,
): Promise<NewCredential | null> {
  const answer = answerIn(text);
  if (answer === null) return null;
  const { verifyRegistrationResponse } = await library();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
    });
    if (!verified) return null;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return {
      credentialId: Buffer.from(id, 'base64url'),
      publicKey: Buffer.from(publicKey),
      counter,
      transports: transports.filter((one) => knownTransports.includes(one)),
    };
  } catch {
    // The library throws on every fault.
    return null;
  }
}

/**
 * Verifies a passkey's signature and returns its counter, or null if it is malformed or invalid.
 */
export async function verifyPasskey(
  site: Site,
  challenge: Buffer,
  { publicKey, text }: { publicKey: Buffer; text: string },
): Promise<{ counter: number } | null> {
  const answer = answerIn(text);
  if (answer === null) return null;
  const { verifyAuthenticationResponse: verify } = await library();
  const expected: Parameters<typeof verifyAuthenticationResponse>[0] = {
    response: answer as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    // The database compares the counter, so that only one of two concurrent answers is accepted.
    credential: { id: answer.id, publicKey: Uint8Array.from(publicKey), counter: 0 },
  };
  try {
    const { verified, authenticationInfo } = await verify(expected);
    return verified ? { counter: authenticationInfo.newCounter } : null;
  } catch {
    return null;
  }
}
