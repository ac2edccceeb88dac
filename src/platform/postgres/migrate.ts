import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withAdvisoryLock } from './advisory-lock.ts';
import type { Queryable, Sql } from './connect.ts';
import { deadlines } from './deadlines.ts';
import { placeNewTables } from './distributed/place.ts';

/** Grants the serving role its rights, in the transaction of a migration. */
type Share = (transaction: Queryable) => Promise<void>;

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

/** Guards changes to the schema or its privileges. */
export const migrationsLock = 'recaudo migrations';

/**
 * Returns true for a migration that removes objects of earlier releases. Those releases cannot run
 * on the database afterwards.
 */
const contracts = (name: string): boolean => /^\d{8}T\d{4}_contract_/.test(name);

const wellNamed = /^\d{8}T\d{4}_[a-z0-9_]+\.sql$/;

async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (name) => {
      if (!wellNamed.test(name)) {
        throw new Error(`Migration ${name} must be named like 20261121T0900_what_it_does.sql.`);
      }
      // A checkout may change line endings without changing the migration.
      const text = (await readFile(path.join(directory, name), 'utf8')).replaceAll('\r\n', '\n');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Returns the checksums of applied migrations by name, or null if the database has none. */
async function readApplied(sql: Queryable): Promise<Map<string, string> | null> {
  const [table] = await sql<{ exists: boolean }[]>`
    select to_regclass('migrations') is not null as exists`;
  if (table?.exists !== true) return null;
  const rows = await sql<{ name: string; checksum: string }[]>`
    select name, checksum from migrations`;
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** A schema's location, for tools that replace it. */
export interface Place {
  kind: 'database' | 'data directory';
  name: string;
}

/** The schema was created by other files than this release's, so no migration leads here. */
export class EarlierSchema extends Error {
  constructor(place?: Place) {
    const { kind, name } = place ?? { kind: 'database', name: '' };
    super(
      `The ${kind}${name && ` ${name}`} holds the schema of an earlier release, which this one ` +
        `does not continue: start with an empty ${kind}.`,
    );
  }
}

/**
 * Returns the migrations to apply. Throws if the database does not descend from these files.
 * Accepts a newer release's additions, not its removals, because two releases run side by side.
 */
function missing(migrations: Migration[], applied: Map<string, string>): Migration[] {
  const [first] = migrations;
  if (first !== undefined && applied.size > 0 && !applied.has(first.name)) {
    throw new EarlierSchema();
  }
  const ours = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !ours.has(name) && contracts(name)).sort();
  if (unknown.length > 0) {
    throw new Error(
      `The database is newer than this release, which cannot work behind ${unknown.join(', ')}. ` +
        'Run the release that applied it, or a later one.',
    );
  }
  for (const { name, checksum } of migrations) {
    if ((applied.get(name) ?? checksum) !== checksum) {
      throw new Error(
        `Migration ${name} was changed after it was applied to this database. Restore the file ` +
          'and put the change into a new migration.',
      );
    }
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

/** Limits of waiting for locks. Calls queue behind a migration that waits for a table. */
export interface LockWaits {
  /** Maximum wait of a statement. The migration is then rolled back, and retried after a pause. */
  lockMs: number;
  pauseMs: number;
  /** Time after which it is not retried. */
  giveUpMs: number;
}

/** SQLSTATEs of a lock that another session holds: a timeout, and a deadlock. */
const lockFaults: readonly unknown[] = ['55P03', '40P01'];
const isLockFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && lockFaults.includes(error.code);

/** A migration was rolled back because another session's transaction holds a lock. */
class Locked extends Error {
  constructor(name: string, holders: string, cause: unknown) {
    super(
      `Migration ${name} was rolled back: ${holders} holds a lock that it needs. Wait for that ` +
        'transaction to end, or end it with pg_terminate_backend, then migrate again.',
      { cause },
    );
  }
}

/** Runs `run`. Passes `note` the sessions that block the transaction meanwhile. */
async function watchingHolders<T>(
  sql: Sql,
  transaction: Queryable,
  { everyMs, note }: { everyMs: number; note(holders: string): void },
  run: () => Promise<T>,
): Promise<T> {
  const [own] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const look = async (): Promise<void> => {
    const rows = await sql<{ holder: string }[]>`
      select format('session %s (%s)', pid, application_name) as holder
      from unnest(pg_blocking_pids(${own?.pid ?? 0})) as blocking (pid)
      join pg_stat_activity using (pid)`;
    if (rows.length > 0) note(rows.map(({ holder }) => holder).join(', '));
  };
  // A pool of one connection cannot look: the message then names no session.
  const looks = setInterval(() => void look().catch(() => {}), everyMs);
  try {
    return await run();
  } finally {
    clearInterval(looks);
  }
}

/**
 * Applies the first pending migration in one transaction with its row in `migrations`. Returns its
 * name, or null. Checks under the lock, so that any number of processes may migrate.
 */
function applyNext(
  sql: Sql,
  migrations: Migration[],
  {
    appliedAt,
    share,
    waits,
  }: { appliedAt: Temporal.Instant; share: Share | null; waits: LockWaits },
): Promise<string | null> {
  let holders = 'another session';
  return withAdvisoryLock(
    sql,
    migrationsLock,
    { mode: 'exclusive', wait: true },
    async (transaction) => {
      const applied = await readApplied(transaction);
      const [next] = missing(migrations, applied ?? new Map());
      if (next === undefined) return null;
      if (applied === null) {
        await transaction`
        create table migrations (
          name text primary key, checksum text not null, applied_at timestamptz not null)`;
      }
      await transaction`
      insert into migrations (name, checksum, applied_at)
      values (${next.name}, ${next.checksum}, ${appliedAt})`;
      const note = (seen: string): void => {
        holders = seen;
      };
      const watched = { everyMs: waits.lockMs / 2, note };
      try {
        // Set after the wait for the lock of migrations, which has no limit.
        await transaction`select set_config('lock_timeout', ${`${waits.lockMs}ms`}, true)`;
        await watchingHolders(sql, transaction, watched, () => transaction.unsafe(next.text));
        await placeNewTables(transaction);
        // Share in this transaction, because processes of the previous release write through
        // triggers into new tables as soon as it commits.
        await share?.(transaction);
      } catch (error) {
        if (isLockFault(error)) throw new Locked(next.name, holders, error);
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`Migration ${next.name} failed and was rolled back: ${reason}`, {
          cause: error,
        });
      }
      return next.name;
    },
  );
}

/**
 * Retries a migration that was rolled back because of a lock. Short attempts keep calls from
 * queueing behind it.
 */
async function untilUnlocked<T>(
  { pauseMs, giveUpMs }: LockWaits,
  attempt: () => Promise<T>,
): Promise<T> {
  const endMs = performance.now() + giveUpMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Locked) || performance.now() >= endMs) throw error;
      await pause(pauseMs);
    }
  }
}

/**
 * Applies every pending `*.sql` file of the directory, by name. Throws if an applied file was
 * changed, if the database has a contracting migration that the directory lacks, or if it began
 * with other files (`EarlierSchema`).
 */
export async function migrate(
  sql: Sql,
  directory: string,
  appliedAt: Temporal.Instant,
  share: Share | null = null,
  waits: LockWaits = deadlines.migration,
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(directory);
  const applied: string[] = [];
  for (;;) {
    const name = await untilUnlocked(waits, () =>
      applyNext(sql, migrations, { appliedAt, share, waits }),
    );
    if (name === null) return { applied };
    applied.push(name);
  }
}

/** Returns pending migrations, for readiness. Throws as `migrate` does. */
export async function pending(sql: Queryable, directory: string): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const applied = await readApplied(sql);
  return missing(migrations, applied ?? new Map()).map(({ name }) => name);
}
