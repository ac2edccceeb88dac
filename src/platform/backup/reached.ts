import { Refusal } from '../errors.ts';
import { listStretches, type Reached, readReached } from './log-store.ts';
import { readLsn, writeLsn } from './lsn.ts';
import { findBases } from './manifest.ts';
import type { BackupKeys } from './sealing.ts';
import type { BackupStore } from './store.ts';

export interface LogEnd {
  /** Null if no log is stored, or if its end cannot be derived. */
  reached: Reached | null;
  /**
   * Why the end was derived, or null if it was read. After damage, the log may reach further than
   * `at`.
   */
  damage: Refusal | null;
}

/**
 * Derives the end of the log from its stretches and from the last base backup before it, which
 * proves that the log contains every commit up to the backup's end. Returns null without such a
 * backup.
 */
async function derive(store: BackupStore, keys: BackupKeys): Promise<Reached | null> {
  const stretches = await listStretches(store);
  const timeline = stretches.at(-1)?.timeline ?? 0;
  const ends = stretches.filter((one) => one.timeline === timeline).map(({ end }) => end);
  const last = ends.reduce((most, end) => (end > most ? end : most), 0n);
  const whole = (await findBases(store, keys)).flatMap((one) =>
    one.state === 'whole' ? [one.manifest] : [],
  );
  const base = whole.findLast((one) => one.timeline <= timeline && readLsn(one.end) <= last);
  if (base === undefined) return null;
  return { systemId: base.systemId, timeline, lsn: writeLsn(last), at: base.endedAt };
}

/** Finds the end of the stored log, even if the object that records it is damaged. */
export async function findReached(store: BackupStore, keys: BackupKeys): Promise<LogEnd> {
  try {
    return { reached: await readReached(store, keys), damage: null };
  } catch (error) {
    if (!(error instanceof Refusal) || error.errorCode !== 'backup.object_damaged') throw error;
    return { reached: await derive(store, keys), damage: error };
  }
}
