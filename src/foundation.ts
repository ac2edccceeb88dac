import type { WriteAudit } from './accounts/index.ts';
import type { Config } from './config.ts';
import { appendEvents } from './events/index.ts';
import type { Base } from './platform/base.ts';
import { openClocks } from './platform/clocks.ts';
import type { Log } from './platform/log.ts';
import { idBlocks, type Sql } from './platform/postgres/connect.ts';
import { openVault, type Vault } from './platform/vault.ts';
import { drawnVaultKeys, vaultKeysIn } from './platform/vault-file.ts';

/** What every part and every command stands on; commands open no more of the service than that. */

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

/** The sandbox has a key of its own; production seals with what it was given. */
export async function openVaultOf({
  VAULT_KEYS,
  ENVIRONMENT,
  DATA_DIR,
}: Pick<Config, 'VAULT_KEYS' | 'ENVIRONMENT' | 'DATA_DIR'>): Promise<Vault> {
  if (ENVIRONMENT === 'production') {
    if (VAULT_KEYS === null) throw new Error('VAULT_KEYS must be set in production');
    return openVault(VAULT_KEYS);
  }
  if (VAULT_KEYS === null) return openVault(await drawnVaultKeys(DATA_DIR));
  return openVault([...VAULT_KEYS, ...((await vaultKeysIn(DATA_DIR)) ?? [])]);
}
