import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { folderStore } from '../../src/platform/backup/store.ts';
import { streamLog } from '../../src/platform/backup/stream.ts';
import type { BackupParts } from '../../src/platform/backup/take.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import { type Embedded, openEmbedded } from '../../src/platform/embedded/embedded.ts';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { readVaultKeys } from '../../src/platform/vault.ts';
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

export const superuserOf = ({ superuserUrl }: Embedded): Sql => {
  const url = superuserUrl.replace(/\/postgres$/, '/recaudo');
  return connect(url, { max: 2, applicationName: 'test' });
};

/** Returns a folder's store with the keys of the tests. */
export function partsOf(store: string): BackupParts {
  const keys = readVaultKeys(backupKeys);
  if (keys === null) throw new Error('no keys');
  return { store: folderStore(store), keys, wall: wallClock };
}

/** Stores the log of a server up to everything committed before the call. */
export async function storeLog({ superuserUrl }: Embedded, sql: Sql, store: string): Promise<void> {
  const stop = new AbortController();
  const since = Temporal.Now.instant();
  const url = superuserUrl.replace(/\/postgres$/, '/recaudo');
  await streamLog(
    partsOf(store),
    { url, database: 'recaudo', production: false },
    {
      sql,
      signal: stop.signal,
      afresh: false,
      onReached: (at) => {
        if (Temporal.Instant.compare(Temporal.Instant.from(at), since) > 0) stop.abort();
      },
    },
  );
}

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
