import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/index.ts';
import { mustAgree, removeOld } from '../../platform/backup/keep.ts';
import { removeLeftovers } from '../../platform/backup/leftovers.ts';
import { LogLost, streamLog } from '../../platform/backup/stream.ts';
import { type BackupParts, type Source, takeBase } from '../../platform/backup/take.ts';
import type { Log } from '../../platform/log.ts';
import { databaseAddress } from '../../platform/postgres/address.ts';
import { connect, type Sql } from '../../platform/postgres/connect.ts';
import { doing } from '../../platform/postgres/deadlines.ts';
import { backupRuns, noteRun, readSweepRuns } from '../../platform/sweep-runs.ts';
import { drill } from './drill.ts';
import { createSchedule, isUndrilled, type Schedule } from './schedule.ts';

const retryMs = 5_000;
const lookEveryMs = 60_000;
/** Minimum interval between records of the log's end, for metrics. */
const noteEveryMs = 60_000;

export interface Daemon {
  config: Config;
  parts: BackupParts;
  source: Source;
  /** The live database as the serving role. */
  live: Sql;
  log: Log;
  signal: AbortSignal;
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => {});

/** Takes a base backup, removes old ones, and records the outcome. */
export async function backUp(
  { config, parts, source }: Pick<Daemon, 'config' | 'parts' | 'source'>,
  live: Sql,
  onTaken: () => void = () => {},
) {
  const beganMs = parts.wall.nowMs();
  const note = (ended: Parameters<typeof noteRun>[3]) =>
    noteRun(live, parts.wall, backupRuns.base, ended);
  try {
    const manifest = await takeBase(parts, source);
    onTaken();
    mustAgree(parts.wall.now(), Temporal.Instant.from(manifest.endedAt));
    await note({ beganMs, moved: manifest.pieces.length });
    const removed = await removeOld(parts, config.BACKUP_KEEP_DAYS);
    const seconds = Math.round((parts.wall.nowMs() - beganMs) / 1000);
    return { manifest, removed, seconds };
  } catch (error) {
    await note({ fault: error });
    throw error;
  }
}

/**
 * Streams the log to the store until the signal aborts. If the server discarded some of it,
 * requests a base backup and continues with the oldest log that the server still has.
 */
async function keepLog(daemon: Daemon, schedule: Schedule): Promise<void> {
  const { parts, source, live, log, signal } = daemon;
  const { address, tls } = databaseAddress(source.url, source);
  const sql = connect(address, { max: 1, applicationName: 'recaudo backup', tls });
  const note = (ended: Parameters<typeof noteRun>[3]) =>
    noteRun(live, parts.wall, backupRuns.log, ended).catch(() => {});
  let afresh = false;
  let notedMs = Number.NEGATIVE_INFINITY;
  const onReached = (): void => {
    const nowMs = performance.now();
    if (nowMs - notedMs < noteEveryMs) return;
    notedMs = nowMs;
    void note({ beganMs: parts.wall.nowMs(), moved: 0 });
  };
  while (!signal.aborted) {
    try {
      await streamLog(parts, source, { sql, signal, afresh, onReached });
      afresh = false;
    } catch (error) {
      afresh = error instanceof LogLost;
      if (afresh) schedule.request();
      log.error({ err: error }, 'the log could not be stored; retrying');
      await note({ fault: error });
      await pause(retryMs, signal);
    }
  }
  await sql.end({ timeout: 1 });
}

async function drillIfDue({ config, parts, live, log }: Daemon, schedule: Schedule): Promise<void> {
  if (!schedule.isDrillDue()) return;
  try {
    const { faults, ...drilled } = await drill(config, parts, live);
    schedule.endDrill('done');
    if (faults.length === 0) log.info(drilled, 'the backup was restored and adds up');
    else log.error({ ...drilled, faults }, 'the restored backup does not add up');
  } catch (error) {
    schedule.endDrill('failed');
    throw error;
  }
}

/** Takes base backups when due, each followed by a drill. */
async function keepBases(daemon: Daemon, schedule: Schedule): Promise<void> {
  const { live, log, signal } = daemon;
  let isResumed = false;
  await removeLeftovers();
  while (!signal.aborted) {
    try {
      if (await schedule.isBaseDue()) {
        const { manifest, removed, seconds } = await backUp(daemon, live, schedule.beginBase());
        log.info({ backup: manifest.id, removed, seconds }, 'base backup taken');
      }
      if (signal.aborted) return;
      if (!isResumed && isUndrilled(await readSweepRuns(live))) schedule.resumeDrill();
      isResumed = true;
      await drillIfDue(daemon, schedule);
    } catch (error) {
      log.error({ err: error }, 'the backup or its drill failed; retrying');
    }
    await pause(lookEveryMs, signal);
  }
}

/** Streams the log, takes base backups and drills them until the signal aborts. */
export async function runBackups(daemon: Daemon): Promise<void> {
  const schedule = createSchedule(daemon.parts, daemon.config);
  await doing('command', async () => {
    await Promise.all([keepLog(daemon, schedule), keepBases(daemon, schedule)]);
  });
}
