import path from 'node:path';
import type { Config } from './config/index.ts';
import { packageRoot } from './package-root.ts';
import { wallClock } from './platform/clocks.ts';
import type { Log } from './platform/log.ts';
import { databaseAddress, databaseName } from './platform/postgres/address.ts';
import {
  type ConnectOptions,
  connect,
  type Queryable,
  type Sql,
} from './platform/postgres/connect.ts';
import { deadlines, doing } from './platform/postgres/deadlines.ts';
import { refusal } from './platform/postgres/distributed/codes.ts';
import type { Distributed } from './platform/postgres/distributed/distribute.ts';
import { lookAtLayout } from './platform/postgres/distributed/look.ts';
import { mustBeSame } from './platform/postgres/identity.ts';
import { EarlierSchema, migrate, type Place, pending } from './platform/postgres/migrate.ts';
import {
  refuseOlderSchema,
  shareTables,
  shareWith,
  standingOf,
} from './platform/postgres/roles.ts';
import { mustTakeWrites } from './platform/postgres/writable.ts';

export interface Migrated {
  applied: string[];
  /** The serving role if it owns the tables, and so could rewrite history, or null. */
  ownsHistory: string | null;
}

/** The startup warning about this role. */
export const ownsItsHistory =
  'the serving role owns the tables, so it could change journals, seals and events: set ' +
  'DATABASE_OWNER_URL to a role of its own (docs/how-to/use-your-own-postgresql.md)';

export interface Database {
  /** The embedded database's addresses, for child processes. Null if another is configured. */
  embedded: { url: string; ownerUrl: string; superuserUrl: string } | null;
  sql: Sql;
  /** Bypasses a pooler, for notifications. */
  direct: Sql;
  /** A replica if configured: one connection for reads, and one for health checks. */
  replica: { sql: Sql; looks: Sql } | null;
  /**
   * Migrates the schema as its owner, and grants the serving role its rights. Throws if the
   * database accepts no writes, or if the schema is older and no owner is known.
   */
  migrate(): Promise<Migrated>;
  /** Returns the names of this release's pending migrations. */
  pending(): Promise<string[]>;
  /** Throws if the owner's address is unreachable or leads to another database. */
  lookAtOwner(): Promise<void>;
  /** Distributes a migrated database over its cluster's nodes by account, as its owner. */
  distribute(shards: number): Promise<Distributed>;
  close(): Promise<void>;
}

export const migrationsDirectory = (): string => path.join(packageRoot(), 'migrations');

/** Awaits work on a database, and names the database in its EarlierSchema error. */
async function naming<T>(place: Place, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof EarlierSchema ? new EarlierSchema(place) : error;
  }
}

/** Options of a long-lived process. */
export interface Staying {
  /** Aborts a start in progress. */
  stopping?: AbortSignal;
  /** Called when the embedded database ended and could not be restarted. */
  onLost?: (error: Error) => void;
}

/** Starts the embedded database. Its code loads only without a configured address. */
async function startEmbedded(config: Config, log: Log, { stopping, onLost }: Staying) {
  const { openEmbedded } = await import('./platform/embedded/embedded.ts');
  return await openEmbedded({
    dataDir: config.DATA_DIR,
    log: (message) => log.info(message),
    signal: stopping,
    onLost,
  });
}

/** Opens the configured database, or the embedded one, starting it if necessary. */
export async function openDatabase(
  config: Config,
  log: Log,
  purpose: string,
  staying: Staying = {},
): Promise<Database> {
  const embedded = config.DATABASE_URL === null ? await startEmbedded(config, log, staying) : null;
  const url = embedded?.url ?? config.DATABASE_URL;
  if (url === null) throw new Error('no database');
  const applicationName = `recaudo ${purpose}`;
  const prepare = config.DATABASE_PREPARED_STATEMENTS;
  const open = (to: string, max: number, how: Partial<ConnectOptions> = {}): Sql => {
    const { address, tls } = databaseAddress(to, {
      production: config.ENVIRONMENT === 'production',
    });
    return connect(address, { max, applicationName, tls, prepare, ...how });
  };
  const sql = open(url, config.DATABASE_POOL);
  const direct = open(config.DATABASE_DIRECT_URL ?? url, 1);
  const readOnly = { readOnly: true, waitMs: deadlines.replicaPoolMs };
  const replica =
    config.DATABASE_READ_URL === null
      ? null
      : {
          sql: open(config.DATABASE_READ_URL, config.DATABASE_POOL, readOnly),
          looks: open(config.DATABASE_READ_URL, 1, { readOnly: true }),
        };
  const ownerUrl = embedded?.ownerUrl ?? config.DATABASE_OWNER_URL;
  const place: Place =
    embedded === null
      ? { kind: 'database', name: databaseName(url) }
      : { kind: 'data directory', name: config.DATA_DIR };
  const asOwner = async <T>(address: string, act: (owner: Sql) => Promise<T>): Promise<T> => {
    const owner = open(address, 2);
    try {
      await mustBeSame(sql, owner, 'DATABASE_OWNER_URL');
      return await act(owner);
    } finally {
      await owner.end({ timeout: 5 });
    }
  };
  const spread = async (shards: number): Promise<Distributed> => {
    const { role, owns } = await standingOf(sql);
    const { distribute } = await import('./platform/postgres/distributed/distribute.ts');
    const act = (owner: Sql) => distribute(owner, { shards, share: () => shareWith(owner, role) });
    if (ownerUrl !== null) return await asOwner(ownerUrl, act);
    if (owns) return await act(sql);
    throw refusal('distribution.not_owner', { role });
  };
  const bringUp = async (): Promise<Migrated> => {
    await mustTakeWrites(sql);
    const { role, owns } = await standingOf(sql);
    const ownsHistory = owns ? role : null;
    if (ownerUrl !== null) {
      return await asOwner(ownerUrl, async (owner) => {
        const { applied } = await migrateDatabase(owner, role);
        await shareWith(owner, role);
        return { applied, ownsHistory };
      });
    }
    if (owns) return { ...(await migrateDatabase(sql)), ownsHistory };
    await refuseOlderSchema(sql, migrationsDirectory(), role);
    return { applied: [], ownsHistory };
  };
  return {
    embedded,
    sql,
    direct,
    replica,
    migrate: () => naming(place, bringUp()),
    pending: () => naming(place, pending(sql, migrationsDirectory())),
    lookAtOwner: async () => {
      if (ownerUrl !== null) await asOwner(ownerUrl, async () => {});
    },
    async distribute(shards) {
      const distributed = await spread(shards);
      await lookAtLayout(sql);
      return distributed;
    },
    async close() {
      const pools = [sql, direct, ...(replica ? [replica.sql, replica.looks] : [])];
      await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })));
      await embedded?.close();
    },
  };
}

/**
 * Migrates the database. If another role serves, each migration grants it its rights in the same
 * transaction.
 */
export const migrateDatabase = (sql: Sql, serving?: string): Promise<{ applied: string[] }> => {
  const share = serving === undefined ? null : (owner: Queryable) => shareTables(owner, serving);
  return doing('command', () => migrate(sql, migrationsDirectory(), wallClock.now(), share));
};
