import { refusal } from './codes.ts';
import { listStretches } from './log-store.ts';
import { readLsn, segmentStart } from './lsn.ts';
import { findBases, type Manifest, momentOf, removeBase } from './manifest.ts';
import type { BackupParts } from './take.ts';

const untouchedHours = 24;

const mostMinutesApart = 5;

/**
 * Throws if this machine's clock is over five minutes off the server's. A clock that is ahead would
 * delete backups that are still needed.
 */
export function mustAgree(own: Temporal.Instant, server: Temporal.Instant): void {
  if (Math.abs(own.until(server).total('minutes')) <= mostMinutesApart) return;
  throw refusal('backup.clocks_differ', { own: String(own), server: String(server) });
}

const { compare } = Temporal.Instant;

/**
 * Returns when each base backup ended. An end in the future comes from a wrong clock and would keep
 * every later backup until then, so the end of the next backup replaces it, or now after the last.
 */
function endsOf(whole: readonly Manifest[], now: Temporal.Instant): Temporal.Instant[] {
  let next = now;
  const ends = whole.toReversed().map(({ endedAt }) => {
    const end = Temporal.Instant.from(endedAt);
    next = compare(end, now) > 0 ? next : end;
    return next;
  });
  return ends.toReversed();
}

/**
 * Removes the backups that no restore to a moment of the last `days` needs. Keeps the newest base
 * backup from before that period and the log since. Removes incomplete backups after a day, and
 * nothing while no backup is complete. Keeps a damaged backup, or one without its key, as long as
 * it may be needed: perhaps only its manifest or this read is at fault. Returns the number removed.
 */
export async function removeOld(parts: BackupParts, days: number): Promise<number> {
  const { store, keys, wall } = parts;
  const found = await findBases(store, keys);
  const since = wall.now().subtract({ hours: days * 24 });
  const whole = found.flatMap((one) => (one.state === 'whole' ? [one.manifest] : []));
  // A backup after one within the period counts as within it, whatever the server's clock showed.
  const kept = endsOf(whole, wall.now()).findIndex((end) => compare(end, since) > 0);
  const last = whole[(kept < 0 ? whole.length : kept) - 1];
  const first = last ?? whole[0];
  if (first === undefined) return 0;
  const staleBefore = wall.now().subtract({ hours: untouchedHours });
  const place = found.findIndex(({ id }) => id === first.id);
  const old = found.filter((one, index) => {
    if (one.state === 'whole') return index < place;
    if (one.state !== 'incomplete') return last !== undefined && index < place;
    const moment = momentOf(one.id);
    return moment === null || compare(moment, staleBefore) < 0;
  });
  for (const { id } of old) await removeBase(store, id);
  const needsLog = found.some(({ state }, index) => state !== 'incomplete' && index < place);
  if (last === undefined && needsLog) return old.length;
  const from = segmentStart(readLsn(first.start), first.segmentBytes);
  for (const { name, timeline, end } of await listStretches(store)) {
    if (timeline <= first.timeline && end <= from) await store.remove(name);
  }
  return old.length;
}
