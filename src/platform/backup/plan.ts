import { type Branch, readBranches } from './branches.ts';
import { refusal } from './codes.ts';
import {
  listStretches,
  type Reached,
  readHistory,
  readReached,
  type Stretch,
} from './log-store.ts';
import { readLsn, segmentStart, writeLsn } from './lsn.ts';
import { findBases, type Manifest } from './manifest.ts';
import type { BackupKeys } from './sealing.ts';
import type { BackupStore } from './store.ts';

/** A base backup to restore from, and the log after it. */
export interface Plan {
  base: Manifest;
  /** In order. Each starts where the previous one on its timeline ends. */
  stretches: Stretch[];
  /** The last timeline, and the history files leading to it. */
  timeline: number;
  histories: { timeline: number; text: string }[];
  /** Every commit up to this moment is included. */
  reaches: Temporal.Instant;
}

/** Returns true if the stored log continues from the base backup, or is empty. */
export async function goesOn(store: BackupStore, base: Manifest): Promise<boolean> {
  const from = segmentStart(readLsn(base.end), base.segmentBytes);
  const all = await listStretches(store);
  const own = all.filter(({ timeline }) => timeline === base.timeline);
  return all.length === 0 || join(own, from).end >= readLsn(base.end);
}

/** Joins stretches from a position on, preferring the longest. Stops at a gap. */
function join(stretches: readonly Stretch[], from: bigint): { taken: Stretch[]; end: bigint } {
  const sorted = stretches.toSorted((a, b) => Number(a.start - b.start) || Number(b.end - a.end));
  const taken: Stretch[] = [];
  let end = from;
  for (const one of sorted) {
    if (one.end <= end) continue;
    if (one.start > end) break;
    taken.push(one);
    end = one.end;
  }
  return { taken, end };
}

/** Throws a refusal that names the missing part of the log. */
function mustReach(
  end: bigint,
  target: bigint,
  { timeline, base }: { timeline: number; base: Manifest },
) {
  if (end >= target) return;
  const [from, to] = [writeLsn(end), writeLsn(target)];
  const { id, endedAt: moment } = base;
  throw refusal('backup.log_missing', { timeline, from, to, id, moment });
}

interface Log {
  stretches: Stretch[];
  reached: Reached;
  branches: Branch[];
  histories: Plan['histories'];
}

/** Returns the stretches from a base to the position `last`, along the log's timelines. */
function follow(base: Manifest, { stretches, reached, branches }: Log, last: bigint): Stretch[] {
  const start = (lsn: bigint): bigint => segmentStart(lsn, base.segmentBytes);
  const path = [...branches, { timeline: reached.timeline, end: last }];
  const first = path.findIndex(({ timeline }) => timeline === base.timeline);
  if (first < 0) {
    throw refusal('backup.no_way', { timeline: base.timeline, id: base.id });
  }
  const taken: Stretch[] = [];
  // The base backup includes the log from its start to its end.
  let from = start(readLsn(base.end));
  for (const [index, { timeline, end }] of path.slice(first).entries()) {
    const own = stretches.filter((one) => one.timeline === timeline);
    const isLast = index === path.length - first - 1;
    const joined = join(own, from);
    // The child timeline repeats the segment in which its parent ends.
    mustReach(joined.end, isLast ? end : start(end), { timeline, base });
    taken.push(...joined.taken.filter((one) => (isLast ? one.start < last : one.start < end)));
    from = start(end);
  }
  return taken;
}

async function readLog(store: BackupStore, keys: BackupKeys): Promise<Log | null> {
  const reached = await readReached(store, keys);
  if (reached === null) return null;
  const text = reached.timeline > 1 ? await readHistory(store, keys, reached.timeline) : '';
  if (text === null) throw refusal('backup.history_missing', { timeline: reached.timeline });
  const branches = readBranches(text);
  const histories = text === '' ? [] : [{ timeline: reached.timeline, text }];
  return { stretches: await listStretches(store), reached, branches, histories };
}

export interface RestoreTarget {
  /** The moment to restore. Null restores to the end of the log. */
  at: Temporal.Instant | null;
  /** The base backup to restore. Null selects the newest suitable one. */
  id: string | null;
}

const instant = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const isAfter = (one: Temporal.Instant, other: Temporal.Instant): boolean =>
  Temporal.Instant.compare(one, other) > 0;

/** Plans the restore of a moment. Throws with the reason if it is impossible. */
export async function planRestore(
  store: BackupStore,
  keys: BackupKeys,
  { at, id }: RestoreTarget,
): Promise<Plan> {
  const found = await findBases(store, keys);
  if (found.length === 0) throw refusal('backup.none', { place: store.place });
  const named = found.filter((one) => id === null || one.id === id);
  if (named.length === 0) throw refusal('backup.not_found', { id: String(id), place: store.place });
  const [broken] = named;
  if (id !== null && broken !== undefined && broken.state !== 'whole') {
    throw refusal('backup.not_whole', { id, state: broken.state, why: broken.why });
  }
  const whole = found.flatMap((one) => (one.state === 'whole' ? [one.manifest] : []));
  const usable = whole.filter(
    (one) => (id === null || one.id === id) && (at === null || !isAfter(instant(one.endedAt), at)),
  );
  const base = usable.at(-1);
  if (base === undefined) {
    const first = whole[0];
    const all = found.map((one) => `${one.id} (${one.state})`).join(', ');
    throw first === undefined
      ? refusal('backup.none_whole', { place: store.place, found: all })
      : refusal('backup.nothing_before', { moment: first.endedAt, id: first.id });
  }
  const log = await readLog(store, keys);
  const alone = { base, stretches: [], timeline: base.timeline, histories: [] };
  const baseEnds = instant(base.endedAt);
  if (at?.equals(baseEnds)) return { ...alone, reaches: baseEnds };
  if (log === null || readLsn(log.reached.lsn) < readLsn(base.end)) {
    if (at === null) return { ...alone, reaches: baseEnds };
    throw refusal('backup.too_late', { moment: base.endedAt });
  }
  const reaches = instant(log.reached.at);
  if (at !== null && isAfter(at, reaches)) {
    throw refusal('backup.too_late', { moment: log.reached.at });
  }
  // A base backup that began later ends after every commit of that moment.
  const later = whole.find(
    (one) =>
      at !== null && one.timeline === log.reached.timeline && isAfter(instant(one.beganAt), at),
  );
  const last = readLsn(later?.end ?? log.reached.lsn);
  const { reached, histories } = log;
  return {
    base,
    stretches: follow(base, log, last),
    timeline: reached.timeline,
    histories,
    reaches,
  };
}
