import type { Config } from '../config.ts';
import type { Base } from '../platform/base.ts';
import { createVault, type Vault, type VaultKey } from '../platform/vault.ts';
import { drawnVaultKeys, vaultKeysIn } from '../platform/vault-file.ts';
import { createSealKeys, type SealKeys } from '../seals/index.ts';
import { createKeyRing, type KeyPurpose, type LiveKeyRing } from '../secrets/index.ts';

type VaultTerms = Pick<Config, 'VAULT_KEYS' | 'ENVIRONMENT' | 'DATA_DIR'>;

/** The sandbox has a key of its own; production has what it was given. */
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

/** The keys of seals are derived from those of the vault. */
export const configuredSealKeys = async (config: VaultTerms): Promise<SealKeys> =>
  createSealKeys(await vaultKeysOf(config));

/** The keys that a purpose has in the database, opened with those of the vault. */
export const configuredKeyRing = async (
  config: VaultTerms,
  base: Pick<Base, 'sql' | 'clocks' | 'recordIds'>,
  purpose: KeyPurpose,
): Promise<LiveKeyRing> =>
  createKeyRing({ ...base, vault: await configuredVault(config) }, purpose);
