import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Embedded, openEmbedded } from '../../src/platform/embedded/embedded.ts';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { recaudo } from '../cli/run.ts';
import { testVaultKeys } from '../harness/keys.ts';

export const backupKeys = `b1:${Buffer.alloc(32, 9).toString('base64')}`;

/** A separate embedded database with a backup store. */
export interface BackupDesk {
  folder: string;
  store: string;
  env: Record<string, string>;
  database: Embedded;
  /** Connects as the superuser. */
  sql: Sql;
  run(...args: string[]): ReturnType<typeof recaudo>;
  /** Reads rows of a table in a restored data directory. */
  restored<T>(dataDir: string, read: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const superuserOf = ({ superuserUrl }: Embedded): Sql => {
  const url = superuserUrl.replace(/\/postgres$/, '/recaudo');
  return connect(url, { max: 2, applicationName: 'test' });
};

export async function openBackupDesk(): Promise<BackupDesk> {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-backups-'));
  const dataDir = path.join(folder, 'data');
  const store = path.join(folder, 'store');
  const database = await openEmbedded({ dataDir, log: () => {} });
  const env = {
    DATA_DIR: dataDir,
    VAULT_KEYS: testVaultKeys,
    BACKUP_TO: `file://${store}`,
    BACKUP_KEYS: backupKeys,
  };
  const run = (...args: string[]) => recaudo(args, env);
  const migrated = await run('migrate');
  if (migrated.code !== 0) throw new Error(migrated.stderr);
  const sql = superuserOf(database);
  return {
    ...{ folder, store, env, database, sql, run },
    async restored(restoredDir, read) {
      const opened = await openEmbedded({ dataDir: restoredDir, log: () => {} });
      const restoredSql = superuserOf(opened);
      try {
        return await read(restoredSql);
      } finally {
        await restoredSql.end();
        await opened.close();
      }
    },
    async close() {
      await sql.end();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
