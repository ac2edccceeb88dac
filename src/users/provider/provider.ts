import type { Base } from '../../platform/base.ts';
import { cached } from '../../platform/cached.ts';
import { createFairSlots } from '../../platform/slots.ts';
import {
  discover,
  type Library,
  library,
  type ProviderDeadlines,
  providerDeadlines,
} from './discovery.ts';
import { exchange } from './exchange.ts';
import { drawFlow, type Flow, ProviderFailure, type Purpose } from './flow.ts';
import type { Claims, ProviderSettings } from './settings.ts';

/** The provider's discovery document is read again after this time. */
const discoveredMs = 10 * 60_000;
/** Concurrent exchanges, and waiting ones per network. */
const atOnce = 16;
const queued = 20;
/** Maximum age of the sign-in at the provider (`max_age`): that of a session here. */
export const longestSeconds = 12 * 60 * 60;

/** Returns true if the provider or its configuration is at fault, not the callback. */
function isOutage(oauth: Library, error: unknown): boolean {
  if (error instanceof oauth.ResponseBodyError) return error.error !== 'invalid_grant';
  if (error instanceof oauth.UnsupportedOperationError) return false;
  if (!(error instanceof oauth.OperationProcessingError)) return true;
  const outages: readonly (string | undefined)[] = [
    oauth.RESPONSE_IS_NOT_CONFORM,
    oauth.RESPONSE_IS_NOT_JSON,
    oauth.PARSE_ERROR,
    oauth.MISSING_SERVER_METADATA,
    oauth.INVALID_SERVER_METADATA,
  ];
  return outages.includes(error.code);
}

function failureOf(oauth: Library, error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof oauth.AuthorizationResponseError) {
    const isDenied = /^(?:access_denied|(?:login|interaction|consent)_required)$/.test(error.error);
    return new ProviderFailure(isDenied ? 'denied' : 'unreachable', error);
  }
  return new ProviderFailure(isOutage(oauth, error) ? 'unreachable' : 'invalid', error);
}

/** Returns the error that a provider reports, for the log: a code, never a text or a token. */
const codeOf = (error: unknown): string => {
  const { code, error: reported } = error as { code?: unknown; error?: unknown };
  const text = [code, reported].filter((one) => typeof one === 'string').join(' ');
  return text.replace(/[^\w .:-]/g, '').slice(0, 100) || (error as Error).name;
};

/** Page to which the provider returns people who signed out there. */
export const signInPath = '/portal/sign-in';

/** The person in front of the browser: their language, and their address if they are signed in. */
export interface Reader {
  lang: 'es' | 'en';
  email: string | null;
}

/** Builds the relying party of the configured provider (OpenID Connect Core 1.0, code flow). */
export function createProvider(
  { clocks, log }: Pick<Base, 'clocks' | 'log'>,
  settings: ProviderSettings,
  redirectUri: string,
  { discoverMs, exchangeMs: withinMs, signOutMs }: ProviderDeadlines = providerDeadlines,
) {
  const { issuer, clientId } = settings;
  const discovered = cached(clocks.wall, discoveredMs, () => discover(issuer, discoverMs));
  const slots = createFairSlots({
    most: atOnce,
    queued,
    patienceMs: withinMs,
    refusal: () => new ProviderFailure('busy'),
  });

  /** Runs calls to the provider. Rejects with a `ProviderFailure`, and logs what went wrong. */
  async function reaching<T>(call: (oauth: Library) => Promise<T>): Promise<T> {
    const oauth = await library();
    try {
      return await call(oauth);
    } catch (error) {
      const failed = failureOf(oauth, error);
      log.warn({ provider: issuer, fault: failed.fault, code: codeOf(error) }, failed.message);
      throw failed;
    }
  }

  return {
    /**
     * Begins a flow. Returns the URL of the provider's sign-in page, and the flow for the browser's
     * cookie.
     */
    begin: (purpose: Purpose, { lang, email }: Reader) =>
      reaching(async (oauth) => {
        const server = await discovered();
        const flow = drawFlow(purpose, clocks.wall.nowMs());
        const again = flow.purpose === 'confirm';
        const to = new URL(server.authorization_endpoint ?? '');
        const parameters = {
          response_type: 'code',
          client_id: clientId,
          redirect_uri: redirectUri,
          scope: 'openid email',
          state: flow.state,
          nonce: flow.nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(flow.verifier),
          code_challenge_method: 'S256',
          ui_locales: lang,
          max_age: again ? '0' : String(longestSeconds),
          ...(again && { prompt: 'login' }),
          ...(email !== null && { login_hint: email }),
        };
        for (const [name, value] of Object.entries(parameters)) to.searchParams.set(name, value);
        return { to: to.href, flow };
      }),

    /**
     * Returns the address that ends the session there (OpenID Connect RP-Initiated Logout 1.0).
     * Null if the provider has none, is unreachable, or does not answer in a moment.
     */
    async signOutAt({ lang }: Pick<Reader, 'lang'>): Promise<string | null> {
      const late = Promise.withResolvers<null>();
      const timer = setTimeout(late.resolve, signOutMs, null);
      const found = reaching(discovered).catch(() => null);
      const server = await Promise.race([found, late.promise]);
      clearTimeout(timer);
      const to = URL.parse(server?.end_session_endpoint ?? '');
      if (to === null || (to.protocol !== 'https:' && to.protocol !== new URL(issuer).protocol)) {
        return null;
      }
      to.searchParams.set('client_id', clientId);
      to.searchParams.set('post_logout_redirect_uri', new URL(signInPath, redirectUri).href);
      to.searchParams.set('ui_locales', lang);
      return to.href;
    },

    /** Exchanges the code of a callback for verified claims. */
    claimsOf: (flow: Flow, query: URLSearchParams, network: string): Promise<Claims> =>
      reaching((oauth) =>
        slots.run(network, async () =>
          exchange(oauth, await discovered(), { ...settings, redirectUri, withinMs, flow, query }),
        ),
      ),
  };
}

export type Provider = ReturnType<typeof createProvider>;
