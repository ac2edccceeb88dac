export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Its name on buttons. */
  name: string;
  /** Domains of addresses that it vouches for. Null accepts all. */
  domains: readonly string[] | null;
  /** Values of `amr` or `acr` that count as a second factor. */
  factorValues: readonly string[];
}

/** A person, as described by the provider's verified claims. */
export interface Claims {
  issuer: string;
  subject: string;
  /** The address, if the provider verified it. */
  email: string | null;
  /** When the person last authenticated there. Null if the provider does not say. */
  authenticatedAt: Temporal.Instant | null;
  /** True if the provider asked for a second factor that counts as ours. */
  hasFactor: boolean;
}

/** Reasons why a sign-in through the provider ends without a session. */
export const providerFaults = [
  // The flow is no longer open, or the exchange with the provider failed.
  'lapsed',
  'unreachable',
  'denied',
  'invalid',
  'busy',
  // The provider answered, but this person may not sign in.
  'unknown',
  'unverified',
  'reassigned',
  'suspended',
  'invited',
  'another',
  'stale',
] as const;
export type ProviderFault = (typeof providerFaults)[number];
