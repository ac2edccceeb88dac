import type { Config } from '../../config/index.ts';
import { findBases, type Manifest } from '../../platform/backup/manifest.ts';
import { goesOn } from '../../platform/backup/plan.ts';
import type { BackupParts } from '../../platform/backup/take.ts';
import { backupRuns, type SweepRun } from '../../platform/sweep-runs.ts';

const zone = 'America/Argentina/Buenos_Aires';
const hourMs = 60 * 60 * 1000;
/** When the last base backup is this old, the next is due even by day. */
const oldestMs = 26 * hourMs;
const leastMs = 20 * hourMs;
/**
 * Minimum interval between base backups, so that repeated gaps in the log do not fill the store.
 */
const pauseMs = 15 * 60 * 1000;
/**
 * A failed drill is retried after this interval, because it reads a whole base backup. Doubles with
 * each further failure.
 */
const drillPauseMs = 15 * 60 * 1000;
const longestDrillPauseMs = 4 * hourMs;

export interface Schedule {
  /** Requests a base backup, because the server discarded log that the store lacks. */
  request(): void;
  isBaseDue(): Promise<boolean>;
  /**
   * Call it before a base backup, and the returned function once the backup is stored. Requests
   * made before the first call are then fulfilled. Later ones, and all if the backup fails, stay
   * open.
   */
  beginBase(): () => void;
  /** Returns true after a base backup, and again some time after a drill that failed. */
  isDrillDue(): boolean;
  endDrill(outcome: 'done' | 'failed'): void;
  /**
   * Makes a drill due after a pause, for a base backup that an earlier process did not drill.
   * Without the pause, a drill that kills its process each time would leave no time to store the
   * log.
   */
  resumeDrill(): void;
}

/** Returns true if there is a base backup, and no drill has ended since the last one. */
export function isUndrilled(runs: readonly SweepRun[]): boolean {
  const ranAt = (wanted: string) => runs.find(({ name }) => name === wanted)?.ran_at ?? null;
  const [base, drill] = [ranAt(backupRuns.base), ranAt(backupRuns.drill)];
  return base !== null && (drill === null || Temporal.Instant.compare(base, drill) > 0);
}

/** A moment, by the wall clock and by a clock that nobody can set. */
interface Mark {
  wallMs: number;
  steadyMs: number;
}

type Parts = Pick<BackupParts, 'store' | 'keys' | 'wall'>;

export function createSchedule(
  parts: Parts,
  config: Pick<Config, 'BACKUP_HOUR'>,
  steadyMs: () => number = () => performance.now(),
): Schedule {
  const { store, keys, wall } = parts;
  let requests = 0;
  let served = 0;
  let taken: Mark | null = null;
  let drill: { since: Mark; pauseMs: number } | null = null;
  let drillsFailed = 0;

  const mark = (): Mark => ({ wallMs: wall.nowMs(), steadyMs: steadyMs() });
  /**
   * Takes the longer time, because someone may set the wall clock back, and the steady clock may
   * stop while the machine is suspended.
   */
  const since = (one: Mark): number =>
    Math.max(wall.nowMs() - one.wallMs, steadyMs() - one.steadyMs);

  /**
   * After this process has taken a backup, its own clocks count too, because the server's may
   * differ.
   */
  const ageOf = ({ endedAt }: Manifest): number => {
    const endedMs = Temporal.Instant.from(endedAt).epochMilliseconds;
    const age = wall.nowMs() - (endedMs > wall.nowMs() ? 0 : endedMs);
    return taken === null ? age : Math.min(age, since(taken));
  };

  return {
    request() {
      requests += 1;
    },
    async isBaseDue() {
      if (taken !== null && since(taken) < pauseMs) return false;
      if (requests > served) return true;
      const whole = (await findBases(store, keys)).findLast(({ state }) => state === 'whole');
      if (whole?.state !== 'whole') return true;
      // Without its log, a backup restores no later moment.
      if (!(await goesOn(parts, whole.manifest))) return true;
      const age = ageOf(whole.manifest);
      const isNight = wall.now().toZonedDateTimeISO(zone).hour === config.BACKUP_HOUR;
      return age > oldestMs || (isNight && age > leastMs);
    },
    beginBase() {
      const seen = requests;
      return () => {
        served = seen;
        taken = mark();
        drill = { since: taken, pauseMs: 0 };
        drillsFailed = 0;
      };
    },
    isDrillDue: () => drill !== null && since(drill.since) >= drill.pauseMs,
    endDrill(outcome) {
      if (outcome === 'done') {
        drill = null;
        return;
      }
      const pause = Math.min(drillPauseMs * 2 ** drillsFailed, longestDrillPauseMs);
      drillsFailed += 1;
      drill = { since: mark(), pauseMs: pause };
    },
    resumeDrill() {
      drill ??= { since: mark(), pauseMs: drillPauseMs };
    },
  };
}
