import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/index.ts';
import { removeOld } from '../../platform/backup/keep.ts';
import { findBases } from '../../platform/backup/manifest.ts';
import { goesOn } from '../../platform/backup/plan.ts';
import { LogLost, streamLog } from '../../platform/backup/stream.ts';
import { type BackupParts, type Source, takeBase } from '../../platform/backup/take.ts';
import type { Log } from '../../platform/log.ts';
import { databaseAddress } from '../../platform/postgres/address.ts';
import { connect, type Sql } from '../../platform/postgres/connect.ts';
import { doing } from '../../platform/postgres/deadlines.ts';
import { backupRuns, noteRun } from '../../platform/sweep-runs.ts';
import { drill } from './drill.ts';

const zone = 'America/Argentina/Buenos_Aires';
const retryMs = 5_000;
const lookEveryMs = 60_000;
/** Minimum interval of recording the log's end for metrics. */
const noteEveryMs = 60_000;
/** When the last base backup is this old, in hours, the next is due even by day. */
const oldestHours = 26;
const leastHours = 20;

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
) {
  const beganMs = parts.wall.nowMs();
  const note = (ended: Parameters<typeof noteRun>[3]) =>
    noteRun(live, parts.wall, backupRuns.base, ended);
  try {
    const manifest = await takeBase(parts, source);
    await note({ beganMs, moved: manifest.pieces.length });
    const removed = await removeOld(parts, config.BACKUP_KEEP_DAYS);
    const seconds = Math.round((parts.wall.nowMs() - beganMs) / 1000);
    return { manifest, removed, seconds };
  } catch (error) {
    await note({ fault: error });
    throw error;
  }
}

/** Returns true if a base backup is due: there is none, it is night, or the last one is old. */
async function isDue({ config, parts }: Daemon): Promise<boolean> {
  const whole = (await findBases(parts.store, parts.keys)).findLast(
    ({ state }) => state === 'whole',
  );
  if (whole?.state !== 'whole') return true;
  const { manifest } = whole;
  const now = parts.wall.now();
  const hours = Temporal.Instant.from(manifest.endedAt).until(now).total('hours');
  const isNight = now.toZonedDateTimeISO(zone).hour === config.BACKUP_HOUR;
  // Without its log, a backup restores no later moment.
  if (!(await goesOn(parts.store, manifest))) return true;
  return hours > oldestHours || (isNight && hours > leastHours);
}

/**
 * Stores the log until the signal aborts. Starts over, with a message, if the server discarded
 * some.
 */
async function keepLog(daemon: Daemon, base: () => void): Promise<void> {
  const { parts, source, live, log, signal } = daemon;
  const { address, tls } = databaseAddress(source.url, source);
  const sql = connect(address, { max: 1, applicationName: 'recaudo backup', tls });
  const note = (ended: Parameters<typeof noteRun>[3]) =>
    noteRun(live, parts.wall, backupRuns.log, ended).catch(() => {});
  let afresh = false;
  let notedMs = 0;
  const onReached = (at: string): void => {
    const nowMs = parts.wall.nowMs();
    if (nowMs - notedMs < noteEveryMs) return;
    notedMs = nowMs;
    void note({ beganMs: Temporal.Instant.from(at).epochMilliseconds, moved: 0 });
  };
  while (!signal.aborted) {
    try {
      await streamLog(parts, source, { sql, signal, afresh, onReached });
      afresh = false;
    } catch (error) {
      afresh = error instanceof LogLost;
      if (afresh) base();
      log.error({ err: error }, 'the log could not be stored; retrying');
      await note({ fault: error });
      await pause(retryMs, signal);
    }
  }
  await sql.end({ timeout: 1 });
}

/** Takes base backups when due, each followed by a drill. */
async function keepBases(daemon: Daemon, isRequested: () => boolean): Promise<void> {
  const { config, parts, live, log, signal } = daemon;
  while (!signal.aborted) {
    try {
      if (isRequested() || (await isDue(daemon))) {
        const { manifest, removed, seconds } = await backUp(daemon, live);
        log.info({ backup: manifest.id, removed, seconds }, 'base backup taken');
        if (signal.aborted) return;
        const { faults, ...drilled } = await drill(config, parts, live);
        if (faults.length === 0) log.info(drilled, 'the backup was restored and adds up');
        else log.error({ ...drilled, faults }, 'the restored backup does not add up');
      }
    } catch (error) {
      log.error({ err: error }, 'the backup or its drill failed; retrying');
    }
    await pause(lookEveryMs, signal);
  }
}

/** Streams the log, takes base backups and drills them until the signal aborts. */
export async function runBackups(daemon: Daemon): Promise<void> {
  let isRequested = false;
  const want = (): void => {
    isRequested = true;
  };
  const taken = (): boolean => {
    const was = isRequested;
    isRequested = false;
    return was;
  };
  await doing('command', async () => {
    await Promise.all([keepLog(daemon, want), keepBases(daemon, taken)]);
  });
}
