import type { Config } from '../config/index.ts';
import type { Acting, Base } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { createVault, type Vault, type VaultKey } from '../platform/vault.ts';
import { drawnVaultKeys, vaultKeysIn } from '../platform/vault-file.ts';
import { createSealKeys, endKeyIds, keyless, type SealKeys } from '../seals/index.ts';
import {
  createKeyRing,
  type KeyPurpose,
  keepSealKeys,
  type LiveKeyRing,
  readSealKeys,
  storedSealKeyIds,
} from '../secrets/index.ts';

type VaultTerms = Pick<Config, 'VAULT_KEYS' | 'ENVIRONMENT' | 'DATA_DIR'>;

/**
 * Returns the vault's keys. Production uses the configured ones. The sandbox generates a key if
 * none is configured, and can still decrypt with it once others are.
 */
async function vaultKeysOf({
  VAULT_KEYS,
  ENVIRONMENT,
  DATA_DIR,
}: VaultTerms): Promise<readonly [VaultKey, ...VaultKey[]]> {
  if (ENVIRONMENT === 'production') {
    if (VAULT_KEYS === null) throw new Error('VAULT_KEYS must be set in production');
    return VAULT_KEYS;
  }
  if (VAULT_KEYS === null) return await drawnVaultKeys(DATA_DIR);
  return [...VAULT_KEYS, ...((await vaultKeysIn(DATA_DIR)) ?? [])];
}

export const configuredVault = async (config: VaultTerms): Promise<Vault> =>
  createVault(await vaultKeysOf(config));

/** Returns the sealing keys, derived from the vault's keys. */
export const configuredSealKeys = async (config: VaultTerms): Promise<SealKeys> =>
  createSealKeys(await vaultKeysOf(config));

/** Returns the sealing keys, and those that only verify because their vault keys were dropped. */
export async function auditSealKeys(config: VaultTerms, sql: Queryable): Promise<SealKeys> {
  const keys = await vaultKeysOf(config);
  return createSealKeys(keys, await readSealKeys(sql, createVault(keys), keys));
}

/**
 * Stores seal keys before vault keys are removed, so that their seals stay verifiable. Returns the
 * number of rows written.
 */
export async function keepConfiguredSealKeys(
  config: VaultTerms,
  acting: Acting,
  vault: Vault,
): Promise<number> {
  return await keepSealKeys(acting, vault, await vaultKeysOf(config));
}

/**
 * Returns the ids of vault keys that made seals: `missing` ones must be stored before they leave
 * the configuration, `lost` ones are neither configured nor stored.
 */
export async function keysStillNeeded(
  config: VaultTerms,
  sql: Queryable,
): Promise<{ missing: string[]; lost: string[] }> {
  const [current, ...others] = await vaultKeysOf(config);
  const storedIds = await storedSealKeyIds(sql);
  const configured = new Set([current, ...others].map(({ id }) => id));
  const used = (await endKeyIds(sql)).filter((id) => id !== keyless);
  return {
    missing: others
      .map(({ id }) => id)
      .filter((id) => used.includes(id) && storedIds.get(id) !== current.id),
    lost: used.filter((id) => !configured.has(id) && !storedIds.has(id)),
  };
}

/** Returns a purpose's keys from the database, decrypted with the vault's keys. */
export const configuredKeyRing = async (
  config: VaultTerms,
  base: Pick<Base, 'sql' | 'clocks' | 'recordIds'>,
  purpose: KeyPurpose,
): Promise<LiveKeyRing> =>
  createKeyRing({ ...base, vault: await configuredVault(config) }, purpose);
