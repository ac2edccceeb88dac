import type { Config } from '../config.ts';
import { wallClock } from '../platform/clocks.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { backupRuns, readSweepRuns, type SweepRun } from '../platform/sweep-runs.ts';
import { broken, type Finding, look, ok } from './finding.ts';

const staleHours = 36;
const lateMinutes = 5;

const minutesSince = (at: Temporal.Instant): number => at.until(wallClock.now()).total('minutes');

/** Returns true if it failed after its last success. */
const failedLast = ({ ran_at, failed_at }: SweepRun): boolean =>
  failed_at !== null && (ran_at === null || Temporal.Instant.compare(failed_at, ran_at) > 0);

/** Checks that backups are taken, that the log is stored, and that a restore was tried recently. */
export async function lookAtBackups(config: Config, sql: Queryable): Promise<Finding> {
  const none = 'no backups are configured';
  if (config.BACKUP_TO === null) {
    return config.ENVIRONMENT === 'sandbox'
      ? ok(none)
      : look(none, 'Set BACKUP_TO and BACKUP_KEYS (docs/how-to/restore.md).');
  }
  const runs = new Map((await readSweepRuns(sql)).map((run) => [run.name, run]));
  const todo = 'See what `recaudo backup run` logs, and `recaudo backup list`.';
  for (const name of Object.values(backupRuns)) {
    const run = runs.get(name);
    if (run !== undefined && failedLast(run)) return broken(`${name} failed: ${run.error}`, todo);
  }
  const last = (name: string): Temporal.Instant | null => runs.get(name)?.ran_at ?? null;
  const [base, log, drill] = [backupRuns.base, backupRuns.log, backupRuns.drill].map(last);
  if (!base) return broken('no base backup was taken', 'Start `recaudo backup run`.');
  if (minutesSince(base) > staleHours * 60) return broken(`no base backup since ${base}`, todo);
  if (!log || minutesSince(log) > lateMinutes) {
    const since = log ? `since ${log}` : 'at all';
    return broken(`the log is not stored ${since}`, 'Start `recaudo backup run`.');
  }
  if (!drill || minutesSince(drill) > staleHours * 60) {
    const since = drill ? `since ${drill}` : 'yet';
    return look(`no backup was restored as a drill ${since}`, 'Run `recaudo backup drill`.');
  }
  return ok(`base backup ${base}, log ${log}, restored and audited ${drill}`);
}
