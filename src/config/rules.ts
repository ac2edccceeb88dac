import { collectorVariable } from './rails.ts';
import type { Variable } from './variable.ts';
import { sandboxResolveToken, variables } from './variables.ts';

/**
 * Returns variables whose defaults are safe only on a developer's machine, so that production must
 * set them.
 */
const neededInProduction = (env: Record<string, string | undefined>): string[] => [
  'DATABASE_URL',
  'PUBLIC_URL',
  collectorVariable(env.BARCODE_FORMAT),
  // Otherwise signing emails stay in a folder and reach no holder.
  'SMTP_URL',
  // Otherwise the secrets of links and webhooks are stored next to what they protect.
  'VAULT_KEYS',
];

/** Returns a fault for each placeholder that production uses as a value. */
function placeholderFaults(env: Record<string, string | undefined>): string[] {
  return (Object.entries(variables) as [string, Variable<unknown, string | null>][])
    .filter(
      ([name, { placeholder, fallback }]) =>
        placeholder && env[name]?.toUpperCase() === fallback?.toUpperCase(),
    )
    .map(([name]) => `${name} must not be the placeholder ${env[name]} in production`);
}

const sandboxOnly = ['SANDBOX_API_KEY', 'SANDBOX_ACCOUNT_ID'] as const;

/** Either all or none of these must be set. */
const ofTheStore = [
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const;

export function storeFaults(env: Record<string, string | undefined>): string[] {
  if (ofTheStore.every((name) => !env[name])) return [];
  return ofTheStore
    .filter((name) => !env[name])
    .map((name) => `${name} must be set if any of ${ofTheStore.join(', ')} is set`);
}

/**
 * Addresses that the embedded server ignores, and the reason for each. Setting one suggests that
 * DATABASE_URL was forgotten.
 */
const withDatabase = {
  DATABASE_OWNER_URL: 'its owner by itself',
  DATABASE_DIRECT_URL: 'no pooler',
  DATABASE_READ_URL: 'no replica',
};

export function strayFaults(values: Record<string, unknown>): string[] {
  if (values.DATABASE_URL !== null) return [];
  return Object.entries(withDatabase)
    .filter(([name]) => values[name])
    .map(
      ([name, has]) =>
        `${name} must not be set without DATABASE_URL: the embedded server has ${has}`,
    );
}

/** Returns true if passwords and emails could cross a network unencrypted. */
function mailInTheClear(address: string | undefined): boolean {
  const url = address ? URL.parse(address) : null;
  if (url === null || url.protocol !== 'smtp:') return false;
  const isHere = /^(?:127(?:\.\d+){3}|\[::1\]|localhost)$/.test(url.hostname);
  return !isHere && url.searchParams.get('requireTLS') !== 'true';
}

export function productionFaults(env: Record<string, string | undefined>): string[] {
  const missing = neededInProduction(env)
    .filter((name) => !env[name])
    .map((name) => `${name} must be set in production`);
  const misplaced = sandboxOnly
    .filter((name) => env[name])
    .map((name) => `${name} must not be set in production`);
  const tokens = env.RESOLVE_TOKENS?.split(',').map((token) => token.trim());
  const wellKnown = tokens?.includes(sandboxResolveToken)
    ? ['RESOLVE_TOKENS must not contain the token of the sandbox in production']
    : [];
  const insecure =
    env.PUBLIC_URL && !env.PUBLIC_URL.startsWith('https://')
      ? ['PUBLIC_URL must begin with https:// in production']
      : [];
  const readable = mailInTheClear(env.SMTP_URL)
    ? ['SMTP_URL must begin with smtps:// or end with ?requireTLS=true in production']
    : [];
  const unsafe = [...wellKnown, ...insecure, ...readable];
  return [...missing, ...misplaced, ...placeholderFaults(env), ...unsafe];
}
