import { listStretches } from './log-store.ts';
import { readLsn, segmentStart } from './lsn.ts';
import { findBases, removeBase } from './manifest.ts';
import type { BackupParts } from './take.ts';

const untouchedHours = 24;

/** Returns the moment in a base backup's id, or null if it has none. */
const momentOf = (id: string): Temporal.Instant | null => {
  const [, day, time] = /^(\d{8})T(\d{6})Z-/.exec(id) ?? [];
  return day === undefined ? null : Temporal.Instant.from(`${day}T${time}Z`);
};

/**
 * Removes backups that are not needed to restore any moment of the last `days`. Keeps the newest
 * base backup from before that period and the log since. Removes incomplete backups after a day.
 * Returns the number removed.
 */
export async function removeOld(parts: BackupParts, days: number): Promise<number> {
  const { store, keys, wall } = parts;
  const found = await findBases(store, keys);
  const since = wall.now().subtract({ hours: days * 24 });
  const isBefore = (text: string): boolean =>
    Temporal.Instant.compare(Temporal.Instant.from(text), since) <= 0;
  const whole = found.flatMap((one) => (one.state === 'whole' ? [one.manifest] : []));
  const first = whole.findLast(({ endedAt }) => isBefore(endedAt)) ?? whole[0];
  if (first === undefined) return 0;
  const staleBefore = wall.now().subtract({ hours: untouchedHours });
  const old = found.filter((one) => {
    if (one.state === 'whole') return one.id < first.id;
    const moment = momentOf(one.id);
    return moment === null || Temporal.Instant.compare(moment, staleBefore) < 0;
  });
  for (const { id } of old) await removeBase(store, id);
  const from = segmentStart(readLsn(first.start), first.segmentBytes);
  for (const { name, timeline, end } of await listStretches(store)) {
    if (timeline <= first.timeline && end <= from) await store.remove(name);
  }
  return old.length;
}
