import type { Config } from '../config/index.ts';
import type { Database } from '../database.ts';
import { lastDelivered } from '../events/index.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { createReplica, type WatchedReplica } from '../platform/replica/replica.ts';

/**
 * Opens the replica that serves reports, exports, lists and the feed. Returns null if none is
 * configured.
 */
export const configuredReplica = (
  config: Pick<Config, 'DATABASE_READ_LAG_SECONDS'>,
  { database, log, metrics }: { database: Database; log: Log; metrics: Metrics },
): WatchedReplica | null =>
  database.replica &&
  createReplica({
    primary: database.sql,
    replica: database.replica.sql,
    looks: database.replica.looks,
    boundMs: config.DATABASE_READ_LAG_SECONDS * 1_000,
    lastDelivered,
    log,
    metrics,
  });
