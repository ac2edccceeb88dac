import type { WriteAudit } from './accounts/index.ts';
import type { Config } from './config.ts';
import type { DebitTerms } from './debit-requests/index.ts';
import { appendEvents } from './events/index.ts';
import type { Base } from './platform/base.ts';
import { openClocks } from './platform/clocks.ts';
import type { Log } from './platform/log.ts';
import { idBlocks, type Sql } from './platform/postgres/connect.ts';
import { openVault, type Vault, type VaultKey } from './platform/vault.ts';
import { drawnVaultKeys, vaultKeysIn } from './platform/vault-file.ts';
import { openSealKeys, type SealKeys } from './seals/index.ts';

/** What every part and every command stands on; commands open no more of the service than that. */

/** How long a process may go on with an operator's data before it sees a change. */
export const seenWithinMs = 5_000;

export const debitTermsOf = (config: Config): DebitTerms => ({
  bankLead: config.DEBIT_LEAD_DAYS,
  handover: config.DEBIT_HANDOVER_DAYS,
  cardCutDay: config.CARD_CUT_DAY,
});

/** Events of writes below the floor of events, by operator or system. */
export const auditWriter =
  (base: Pick<Base, 'recordIds'>, actor: string): WriteAudit =>
  async (sql, { accountId, entity, entityId, version, type, at, data = {} }) => {
    const id = await base.recordIds.next();
    await appendEvents(sql, [{ accountId, entity, entityId, version, id, type, at, actor, data }]);
  };

/** Builds the base that every part stands on. */
export async function openBase(sql: Sql, log: Log) {
  const clocks = await openClocks(sql);
  const base: Base = {
    sql,
    clocks,
    log,
    requestIds: idBlocks(sql, 'request_ids'),
    recordIds: idBlocks(sql, 'record_ids'),
  };
  return { base, clocks };
}

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

export const openVaultOf = async (config: VaultTerms): Promise<Vault> =>
  openVault(await vaultKeysOf(config));

/** The keys of seals are derived from those of the vault. */
export const sealKeysOf = async (config: VaultTerms): Promise<SealKeys> =>
  openSealKeys(await vaultKeysOf(config));
