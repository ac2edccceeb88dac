import type { Clock } from './clocks.ts';
import type { Queryable, Sql } from './postgres/connect.ts';
import { recordset } from './postgres/recordset.ts';
import { databaseClock } from './postgres/server-clock.ts';

/** Outcome of a sweep, by the wall clock. Audits and backups use the server's clock. */
export interface SweepRun {
  name: string;
  ran_at: Temporal.Instant | null;
  took_ms: number | null;
  moved: number | null;
  failed_at: Temporal.Instant | null;
  error: string | null;
}

export const failedLast = ({ ran_at, failed_at }: SweepRun): boolean =>
  failed_at !== null && (ran_at === null || Temporal.Instant.compare(failed_at, ran_at) > 0);

/** Records the outcomes of sweeps, asynchronously and batched. */
export interface SweepRuns {
  ran(name: string, run: { beganMs: number; moved: number }): void;
  failed(name: string, error: unknown): void;
  flush(): Promise<void>;
}

const flushEveryMs = 5_000;
const longestError = 300;

const blank = (name: string): SweepRun => ({
  name,
  ran_at: null,
  took_ms: null,
  moved: null,
  failed_at: null,
  error: null,
});

const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    // PostgreSQL rejects NUL in text.
    .replaceAll(/[\s\0]+/g, ' ')
    .slice(0, longestError);

export function createSweepRuns(sql: Sql, wall: Clock): SweepRuns {
  const noted = new Map<string, SweepRun>();
  let flushedMs = 0;
  const change = (name: string, changed: Partial<SweepRun>): void =>
    void noted.set(name, { ...(noted.get(name) ?? blank(name)), ...changed });
  return {
    ran(name, { beganMs, moved }) {
      const took = Math.max(0, Math.round(wall.nowMs() - beganMs));
      change(name, { ran_at: wall.now(), took_ms: took, moved });
    },
    failed: (name, error) => change(name, { failed_at: wall.now(), error: textOf(error) }),
    async flush() {
      if (noted.size === 0 || wall.nowMs() - flushedMs < flushEveryMs) return;
      // Sorted by name, so that concurrent writers do not deadlock.
      const rows = [...noted.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
      flushedMs = wall.nowMs();
      await sql`
        insert into sweep_runs as kept (name, ran_at, took_ms, moved, failed_at, error)
        select * from ${recordset(
          sql,
          `run (name text, ran_at timestamptz, took_ms int, moved int, failed_at timestamptz,
            error text)`,
          rows,
        )}
        on conflict (name) do update set
          ran_at = coalesce(excluded.ran_at, kept.ran_at),
          took_ms = coalesce(excluded.took_ms, kept.took_ms),
          moved = coalesce(excluded.moved, kept.moved),
          failed_at = coalesce(excluded.failed_at, kept.failed_at),
          error = coalesce(excluded.error, kept.error)`;
      // The next flush writes outcomes that came in meanwhile, or that a failure left.
      for (const run of rows) if (noted.get(run.name) === run) noted.delete(run.name);
    },
  };
}

/** Name under which audits of all accounts are recorded. */
export const auditRun = 'audit';

/** Names of backups' records: a base backup, the stored log, the drill. */
export const backupRuns = { base: 'backup', log: 'backup log', drill: 'restore drill' } as const;

/**
 * Records the outcome of other work, for metrics: a fault, or a count. Uses the server's time,
 * because a fault recorded by a clock that is ahead would outlast the runs after it.
 */
export async function noteRun(
  sql: Sql,
  wall: Clock,
  name: string,
  ended: { beganMs: number; moved: number } | { fault: unknown },
): Promise<void> {
  const at = await databaseClock(sql);
  const runs = createSweepRuns(sql, { now: () => at, nowMs: wall.nowMs });
  if ('fault' in ended) runs.failed(name, ended.fault);
  else runs.ran(name, ended);
  await runs.flush();
}

export const noteAudit = (
  sql: Sql,
  wall: Clock,
  { beganMs, accounts, faults }: { beganMs: number; accounts: number; faults: number },
): Promise<void> =>
  noteRun(
    sql,
    wall,
    auditRun,
    faults === 0 ? { beganMs, moved: accounts } : { fault: new Error(`${faults} faults`) },
  );

export const readSweepRuns = (sql: Queryable): Promise<SweepRun[]> => sql<SweepRun[]>`
  select name, ran_at, took_ms, moved, failed_at, error from sweep_runs`;
