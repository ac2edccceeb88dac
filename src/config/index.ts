import type { PasswordCosts } from '../users/index.ts';
import { backupFaults } from './backup.ts';
import { providerFaultsIn } from './people.ts';
import { productionFaults, storeFaults, strayFaults } from './rules.ts';
import type { Variable } from './variable.ts';
import { sandboxResolveToken, variables } from './variables.ts';

export { type Environment, type Role, sandboxResolveToken, variables } from './variables.ts';

type Variables = typeof variables;
type ValueOf<V> = V extends Variable<infer T, string | null> ? T : never;
type Values = {
  [K in keyof Variables]: Variables[K]['fallback'] extends string
    ? ValueOf<Variables[K]>
    : ValueOf<Variables[K]> | null;
};

/** `passwordCosts` has no variable, so that only tests can hash passwords at a lower cost. */
export type Config = Values & { passwordCosts?: PasswordCosts };
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Returns the origin of payers' links: PUBLIC_URL, or this host with the process's port. */
export const originOf = ({ PUBLIC_URL, HOST }: Config, port: number): string =>
  PUBLIC_URL ?? `http://${hostInUrl(HOST)}:${port}`;

export const httpLimitsOf = (config: Config) => ({
  proxies: config.TRUST_PROXY,
  connections: { total: config.MAX_CONNECTIONS, perAddress: config.MAX_CONNECTIONS_PER_ADDRESS },
  pace: {
    graceMs: config.BODY_SECONDS * 1000,
    bytesPerSecond: config.BODY_MIN_RATE_KB * 1024,
  },
  tls: config.PUBLIC_URL?.startsWith('https://') ?? false,
});

/** Returns the tokens that may resolve QRs. The sandbox has a default one. */
export const resolveTokensOf = ({ RESOLVE_TOKENS, ENVIRONMENT }: Config): string[] =>
  RESOLVE_TOKENS ?? (ENVIRONMENT === 'sandbox' ? [sandboxResolveToken] : []);

/**
 * Reads the configuration. Throws a ConfigError that lists every fault. Ignores unknown variables.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  const isProduction = env.ENVIRONMENT === 'production';
  for (const [name, variable] of Object.entries(variables) as [
    string,
    Variable<unknown, string | null>,
  ][]) {
    const fallback = variable.placeholder && isProduction ? null : variable.fallback;
    const text = env[name] === undefined || env[name] === '' ? fallback : env[name];
    if (text === null || text === undefined) {
      values[name] = null;
      continue;
    }
    const result = variable.read(text);
    if ('fault' in result) faults.push(`${name} ${result.fault}`);
    else values[name] = result.value;
  }
  if (Number(values.DEBIT_LEAD_DAYS) <= Number(values.DEBIT_HANDOVER_DAYS)) {
    faults.push('DEBIT_LEAD_DAYS must be greater than DEBIT_HANDOVER_DAYS');
  }
  faults.push(...strayFaults(values));
  if (values.PROCESSES !== 1 && String(values.ROLES) === 'worker') {
    faults.push('PROCESSES must be 1 if ROLES is only `worker`, which runs in one process');
  }
  faults.push(...storeFaults(env), ...backupFaults(env), ...providerFaultsIn(env));
  if (isProduction) faults.push(...productionFaults(env));
  if (faults.length > 0) {
    throw new ConfigError(
      `The configuration is not valid:\n${faults.map((f) => `  - ${f}`).join('\n')}`,
    );
  }
  return values as unknown as Config;
}

export class ConfigError extends Error {}
