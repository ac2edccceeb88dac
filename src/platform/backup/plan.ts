import { Refusal } from '../errors.ts';
import { type Branch, historyWithin, readBranches } from './branches.ts';
import { refusal } from './codes.ts';
import {
  listHistories,
  listStretches,
  type Reached,
  readHistory,
  type Stretch,
} from './log-store.ts';
import { readLsn, segmentStart, writeLsn } from './lsn.ts';
import { type Found, findBases, type Manifest } from './manifest.ts';
import { findReached } from './reached.ts';
import type { BackupKeys } from './sealing.ts';
import type { BackupStore } from './store.ts';

/** A base backup to restore from, and the log after it. */
export interface Plan {
  base: Manifest;
  /** In order, without gaps on a timeline. They may overlap. */
  stretches: Stretch[];
  /** The timelines from the base's on, and where each ends. */
  path: Branch[];
  /** Files of every timeline since the first, empty where unknown. */
  histories: { timeline: number; text: string }[];
  /** Every commit up to this moment is included. */
  reaches: Temporal.Instant;
  /** Why `reaches` may be earlier than the end of the log. */
  damage: Refusal | null;
}

interface Stored {
  store: BackupStore;
  keys: BackupKeys;
}

/** Returns false if only a newer base backup can be restored to the end of the stored log. */
export async function goesOn({ store, keys }: Stored, base: Manifest): Promise<boolean> {
  const found = await findReached(store, keys).catch(orRefusal);
  if (found instanceof Refusal || found.reached === null) return true;
  const { reached } = found;
  if (reached.timeline < base.timeline) return true;
  const isLast = reached.timeline === base.timeline;
  // Log that is behind this base backup would be behind a newer one too.
  if (isLast && readLsn(reached.lsn) < readLsn(base.end)) return true;
  const log = await readLog(store, keys).catch(orRefusal);
  // Without the history, only a base backup on the new timeline can be restored to its end.
  if (log === null || log instanceof Refusal) return isLast;
  return gapAfter(base, log) === null;
}

function orRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
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

/** Throws if the log ends before `target`, and names the missing part. */
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
  damage: Refusal | null;
  branches: Branch[];
}

/**
 * Returns the stretches and the timelines from a base to the position `last`. Throws if a stretch
 * is missing, or if the log does not continue the base's timeline.
 */
function follow(
  base: Manifest,
  { stretches, reached, branches }: Log,
  last: bigint,
): Pick<Plan, 'stretches' | 'path'> {
  const start = (lsn: bigint): bigint => segmentStart(lsn, base.segmentBytes);
  const all = [...branches, { timeline: reached.timeline, end: last }];
  const path = all.slice(all.findIndex(({ timeline }) => timeline === base.timeline));
  const [first] = path;
  // A base backup that ended after the promotion contains log that the new timeline lacks.
  const isPast = path.length > 1 && first !== undefined && readLsn(base.end) > first.end;
  if (first?.timeline !== base.timeline || isPast) {
    throw refusal('backup.no_way', { timeline: base.timeline, id: base.id });
  }
  const taken: Stretch[] = [];
  // The base backup includes the log from its start to its end.
  let from = start(readLsn(base.end));
  for (const [index, { timeline, end }] of path.entries()) {
    const own = stretches.filter((one) => one.timeline === timeline);
    const isLast = index === path.length - 1;
    const joined = join(own, from);
    // The child timeline repeats the segment in which its parent ends.
    mustReach(joined.end, isLast ? end : start(end), { timeline, base });
    taken.push(...joined.taken.filter((one) => (isLast ? one.start < last : one.start < end)));
    from = start(end);
  }
  return { stretches: taken, path };
}

async function readLog(store: BackupStore, keys: BackupKeys): Promise<Log | null> {
  const { reached, damage } = await findReached(store, keys);
  if (reached === null) return null;
  const text = reached.timeline > 1 ? await readHistory(store, keys, reached.timeline) : '';
  if (text === null) throw refusal('backup.history_missing', { timeline: reached.timeline });
  return { stretches: await listStretches(store), reached, damage, branches: readBranches(text) };
}

/**
 * Returns a history file for each timeline up to the last stored one, empty where it is unknown.
 * PostgreSQL gives a restored server the first number without a file. A number used twice would mix
 * two servers' log in the store.
 */
async function readHistories({ store, keys }: Stored): Promise<Plan['histories']> {
  const histories: Plan['histories'] = [];
  const last = Math.max(0, ...(await listHistories(store)));
  for (let timeline = 2; timeline <= last; timeline += 1) {
    const text = await readHistory(store, keys, timeline).catch(orRefusal);
    histories.push({ timeline, text: typeof text === 'string' ? text : '' });
  }
  // A promotion while no process stored the log left no file of its own, but later files begin with
  // it.
  return histories.map(({ timeline, text }) => ({
    timeline,
    text: text || (histories.map((one) => historyWithin(one.text, timeline)).find(Boolean) ?? ''),
  }));
}

function gapAfter(base: Manifest, log: Log): string | null {
  try {
    follow(base, log, readLsn(log.reached.lsn));
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** Returns, for each base backup, why it cannot be restored to the end of the log, or null. */
export async function gapsAfter(
  { store, keys }: Stored,
  bases: readonly Manifest[],
): Promise<(string | null)[]> {
  const log = await readLog(store, keys).catch(orRefusal);
  return bases.map((base) => {
    if (log instanceof Refusal) return log.message;
    if (log === null) return `no log after it is stored, so it restores only ${base.endedAt}`;
    // The log up to a new backup's end may not be stored yet.
    return readLsn(log.reached.lsn) < readLsn(base.end) ? null : gapAfter(base, log);
  });
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

/** Returns the reason why no backup can restore a moment. */
function noneUsable(found: readonly Found[], place: string): Refusal {
  const first = found.find(({ state }) => state === 'whole' || state === 'locked');
  if (first?.state === 'locked') return first.fault;
  if (first?.state === 'whole') {
    return refusal('backup.nothing_before', { moment: first.manifest.endedAt, id: first.id });
  }
  const all = found.map((one) => `${one.id} (${one.state})`).join(', ');
  return refusal('backup.none_whole', { place, found: all });
}

/**
 * Returns the first base backup that began after the moment, or undefined. It ends after all
 * commits up to the moment, so the log is needed only up to there. A clock that was ahead makes an
 * early backup seem late, so all later backups must also have begun after the moment, and this one
 * before the log's end.
 */
function baseAfter(
  at: Temporal.Instant | null,
  whole: readonly Manifest[],
  { reached }: Log,
): Manifest | undefined {
  if (at === null) return undefined;
  const last = whole.findLastIndex(({ beganAt }) => !isAfter(instant(beganAt), at));
  const later = whole.slice(last + 1).find(({ timeline }) => timeline === reached.timeline);
  const isTrue = later && !isAfter(instant(later.beganAt), instant(reached.at));
  return isTrue ? later : undefined;
}

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
    const { state, why } = broken;
    throw state === 'locked' ? broken.fault : refusal('backup.not_whole', { id, state, why });
  }
  const whole = found.flatMap((one) => (one.state === 'whole' ? [one.manifest] : []));
  const usable = whole.filter(
    (one) => (id === null || one.id === id) && (at === null || !isAfter(instant(one.endedAt), at)),
  );
  const base = usable.at(-1);
  if (base === undefined) throw noneUsable(named, store.place);
  const log = await readLog(store, keys);
  const histories = await readHistories({ store, keys });
  const path = [{ timeline: base.timeline, end: readLsn(base.end) }];
  const alone = { base, stretches: [], path, histories, damage: null };
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
  const last = readLsn(baseAfter(at, whole, log)?.end ?? log.reached.lsn);
  return { base, ...follow(base, log, last), histories, reaches, damage: log.damage };
}
