import type { AuthorizationServer } from 'oauth4webapi';
import { fetchBounded } from './http.ts';

// Loaded on demand, because commands never sign anybody in.
export const library = () => import('oauth4webapi');
export type Library = Awaited<ReturnType<typeof library>>;

/** Deadlines, each for all calls of its step together. Nobody should wait to sign out. */
export const providerDeadlines = {
  discoverMs: 5_000,
  exchangeMs: 10_000,
  signOutMs: 300,
} as const;
export type ProviderDeadlines = { [Step in keyof typeof providerDeadlines]: number };

const { discoverMs } = providerDeadlines;

/**
 * Returns options for the library's calls. All calls with the same options must end within `ms`.
 */
export const httpOf = (
  { allowInsecureRequests, customFetch }: Library,
  issuer: URL,
  ms: number,
) => ({
  [customFetch]: fetchBounded,
  // In production, the configuration refuses an http: issuer.
  [allowInsecureRequests]: issuer.protocol === 'http:',
  signal: AbortSignal.timeout(ms),
});

/** Reads the discovery document. Rejects unless it is the issuer's own and has what we need. */
export async function discover(
  issuer: string,
  withinMs: number = discoverMs,
): Promise<AuthorizationServer> {
  const oauth = await library();
  const url = new URL(issuer);
  const http = httpOf(oauth, url, withinMs);
  const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, http));
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const endpoint = URL.parse(server[name] ?? '');
    if (endpoint?.protocol !== 'https:' && endpoint?.protocol !== url.protocol) {
      throw new Error(`the discovery document must have a ${name} that begins with https://`);
    }
  }
  return server;
}

/** Returns the number of signing keys that the provider publishes. */
export async function readKeys({ issuer, jwks_uri: address = '' }: AuthorizationServer) {
  const oauth = await library();
  const { signal } = httpOf(oauth, new URL(issuer), discoverMs);
  const headers = { accept: 'application/json' };
  const answer = await fetchBounded(address, {
    method: 'GET',
    headers,
    redirect: 'manual',
    signal,
  });
  const { keys } = (await answer.json()) as { keys?: unknown };
  return Array.isArray(keys) ? keys.length : 0;
}
