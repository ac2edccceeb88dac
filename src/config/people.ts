import type { ProviderSettings, SignInRules } from '../users/index.ts';
import { bareUrl, fault, flag, integer, ok, shaped, type Variable } from './variable.ts';

const visible = 'visible ASCII characters';

const issuer = bareUrl(
  'Issuer of the OpenID provider for sign-in to the portal, such as `https://login.example.com/realms/main`. Unset: people sign in with a password',
  ['https:', 'http:'],
);

/** A comma-separated list, unset by default. */
const list = (doc: string, shape: RegExp, wanted: string): Variable<string[], null> => ({
  doc,
  fallback: null,
  read(text) {
    const items = text.split(',').map((one) => one.trim());
    return items.every((one) => shape.test(one)) ? ok([...new Set(items)]) : fault(wanted);
  },
});

const providerVariables = {
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: shaped(
    'Client id of this service at the OpenID provider. Required with OIDC_ISSUER',
    null,
    /^[!-~]+$/,
    visible,
  ),
  OIDC_CLIENT_SECRET: shaped(
    'Secret of OIDC_CLIENT_ID. Required with OIDC_ISSUER',
    null,
    /^[!-~]+$/,
    visible,
  ),
  OIDC_NAME: shaped(
    'Name of the OpenID provider on the button of the sign-in page',
    'OpenID',
    /^[^\p{C}<>]{1,40}$/u,
    'a name of 1 to 40 characters',
  ),
  OIDC_EMAIL_DOMAINS: list(
    'E-mail domains that the OpenID provider vouches for, separated by commas. A first sign-in links only people with an address in them. Unset: all domains',
    /^[a-z0-9-]+(\.[a-z0-9-]+)+$/,
    'must be a list of domains in lower case such as coop.example, separated by commas',
  ),
  OIDC_FACTOR_VALUES: list(
    'Values of `amr` or `acr` in the ID token that prove a second factor, separated by commas, such as `mfa`. The portal then skips its own. Unset: the portal always asks people with a second factor for it',
    /^[!-+\--~]{1,200}$/,
    'must be a list of values of `amr` or `acr`, separated by commas',
  ),
  OIDC_ONLY: flag(
    '`true` disables passwords: people sign in with the OpenID provider only',
    'false',
  ),
};

/** Sign-in of people. Defaults follow PCI DSS 4.0, requirement 8. */
export const peopleVariables = {
  SIGN_IN_TRIES: integer(
    'Wrong passwords or codes of a person, from one network or known device, before the next attempt must wait',
    '10',
    3,
    10,
  ),
  SIGN_IN_LOCK_MINUTES: integer(
    'Minutes of that wait, counted from the first wrong attempt. A password reset or `users release` ends it',
    '30',
    1,
    1440,
  ),
  SESSION_IDLE_MINUTES: integer(
    'Minutes after which an idle session of the portal ends',
    '15',
    1,
    720,
  ),
  ...providerVariables,
} satisfies Record<string, Variable<unknown, string | null>>;

const ofTheProvider = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

export function providerFaultsIn(env: Record<string, string | undefined>): string[] {
  const { OIDC_ISSUER: address } = env;
  if (!address) {
    return Object.keys(providerVariables)
      .filter((name) => env[name] && !(name === 'OIDC_ONLY' && env[name] === 'false'))
      .map((name) => `${name} must not be set without OIDC_ISSUER`);
  }
  const missing = ofTheProvider
    .filter((name) => !env[name])
    .map((name) => `${name} must be set if OIDC_ISSUER is set`);
  const isOpen = env.ENVIRONMENT === 'production' && !address.startsWith('https://');
  return isOpen ? [...missing, 'OIDC_ISSUER must begin with https:// in production'] : missing;
}

interface PeopleConfig {
  SIGN_IN_TRIES: number;
  SIGN_IN_LOCK_MINUTES: number;
  SESSION_IDLE_MINUTES: number;
  OIDC_ONLY: boolean;
  OIDC_FACTOR_VALUES: string[] | null;
}

export const signInRulesOf = (config: PeopleConfig): SignInRules => ({
  tries: config.SIGN_IN_TRIES,
  lockMinutes: config.SIGN_IN_LOCK_MINUTES,
  idleMinutes: config.SESSION_IDLE_MINUTES,
  passwords: !config.OIDC_ONLY,
  providerFactors: config.OIDC_FACTOR_VALUES !== null,
});

interface ProviderConfig {
  OIDC_ISSUER: string | null;
  OIDC_CLIENT_ID: string | null;
  OIDC_CLIENT_SECRET: string | null;
  OIDC_NAME: string;
  OIDC_EMAIL_DOMAINS: string[] | null;
  OIDC_FACTOR_VALUES: string[] | null;
}

/** Returns the OpenID provider's settings, or null if none is configured. */
export const providerSettingsOf = (config: ProviderConfig): ProviderSettings | null =>
  config.OIDC_ISSUER === null
    ? null
    : {
        issuer: config.OIDC_ISSUER,
        clientId: config.OIDC_CLIENT_ID ?? '',
        clientSecret: config.OIDC_CLIENT_SECRET ?? '',
        name: config.OIDC_NAME,
        domains: config.OIDC_EMAIL_DOMAINS,
        factorValues: config.OIDC_FACTOR_VALUES ?? [],
      };
