import { listAccounts, operatorBooks } from '../../accounts/index.ts';
import { auditSealKeys } from '../../composition/keys.ts';
import type { Config } from '../../config/index.ts';
import { refusal } from '../../platform/backup/codes.ts';
import { openStore } from '../../platform/backup/open-store.ts';
import type { BackupStore } from '../../platform/backup/store.ts';
import type { BackupParts, Source } from '../../platform/backup/take.ts';
import { createClocks, wallClock } from '../../platform/clocks.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import type { CommandContext } from '../command.ts';
import { auditAccounts } from '../money/audit.ts';

/** Returns the store of backups and its keys. Throws if none is configured. */
export function backupParts(config: Config): BackupParts {
  const { BACKUP_TO: to, BACKUP_KEYS: keys } = config;
  if (to === null || keys === null) {
    throw refusal('backup.not_configured', {});
  }
  return { store: storeOf(config, to), keys, wall: wallClock };
}

function storeOf(config: Config, to: string): BackupStore {
  const { BACKUP_ACCESS_KEY_ID: accessKeyId, BACKUP_SECRET_ACCESS_KEY: secretAccessKey } = config;
  const region = config.BACKUP_REGION;
  const access =
    accessKeyId === null || secretAccessKey === null
      ? null
      : { region, accessKeyId, secretAccessKey };
  return openStore(to, access);
}

/** Returns the database to back up, with the address of a role that may replicate. */
export function sourceOf({
  config,
  embedded,
}: Pick<CommandContext, 'config' | 'embedded'>): Source {
  const production = config.ENVIRONMENT === 'production';
  const served = embedded?.url ?? config.DATABASE_URL ?? '';
  const database = decodeURIComponent(new URL(served).pathname.slice(1));
  if (config.BACKUP_DATABASE_URL !== null) {
    return { url: config.BACKUP_DATABASE_URL, database, production };
  }
  if (embedded === null) return { url: served, database, production };
  const url = new URL(embedded.superuserUrl);
  url.pathname = `/${database}`;
  return { url: url.href, database, production };
}

export interface Audited {
  accounts: number;
  faults: string[];
}

export async function auditRestored(config: Config, sql: Sql): Promise<Audited> {
  const accounts = [operatorBooks, ...(await listAccounts(sql)).map(({ id }) => id)];
  const clocks = await createClocks(sql);
  const options = { keys: await auditSealKeys(config, sql), since: null };
  const today = clocks.business.today();
  const { faults } = await auditAccounts(sql, accounts, { today, options });
  const texts = faults.map(({ accountId, what }) => `${accountId}: ${what}`);
  return { accounts: accounts.length - 1, faults: texts };
}
