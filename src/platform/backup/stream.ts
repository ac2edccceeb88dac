import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../errors.ts';
import type { Sql } from '../postgres/connect.ts';
import { type Branch, readBranches } from './branches.ts';
import { refusal } from './codes.ts';
import {
  listStretches,
  readHistory,
  type Stretch,
  writeHistory,
  writeReached,
  writeStretch,
} from './log-store.ts';
import { readLsn, segmentStart, writeLsn } from './lsn.ts';
import { findReached } from './reached.ts';
import { openReplication, type Replication } from './replication.ts';
import type { BackupParts, Source } from './take.ts';

/** The replication slot keeps the server from discarding log that is not stored yet. */
export const slotName = 'recaudo_backup';

/**
 * Interval between writes of the log. A crash loses at most this much, plus the time of writing.
 */
const storeEveryMs = 2_000;
/** Interval for recording an idle server's end of log. */
const sayEveryMs = 10_000;
/** Bytes in memory above which the server must pause. */
const mostWaiting = 64 * 1024 * 1024;

/** The server discarded log that the store lacks, so moments in between cannot be restored. */
export class LogLost extends Error {}

interface Standing {
  systemId: string;
  timeline: number;
  /** The server's end of the log. */
  lsn: bigint;
}

async function standingOf(replication: Replication): Promise<Standing> {
  const [[systemId, timeline, lsn] = []] = await replication.rows('IDENTIFY_SYSTEM');
  return { systemId: systemId ?? '', timeline: Number(timeline), lsn: readLsn(lsn ?? '') };
}

interface Slot {
  wal_status: string | null;
  restart_lsn: string | null;
}

/** Creates the slot if it is missing. Recreates it if the server invalidated it. */
export async function ensureSlot(replication: Replication, sql: Sql): Promise<'made' | 'there'> {
  const [slot] = await sql<Slot[]>`
    select wal_status, restart_lsn::text from pg_replication_slots where slot_name = ${slotName}`;
  if (slot !== undefined && slot.wal_status !== 'lost') return 'there';
  if (slot !== undefined) await replication.rows(`DROP_REPLICATION_SLOT ${slotName}`);
  await replication.rows(`CREATE_REPLICATION_SLOT ${slotName} PHYSICAL RESERVE_WAL`);
  return 'made';
}

/** Received log that is not stored yet, in order. */
class Waiting {
  readonly #segmentBytes: bigint;
  #chunks: Buffer[] = [];
  /** Position of its first byte. */
  #start: bigint;
  #end: bigint;

  constructor(start: bigint, segmentBytes: number) {
    this.#start = start;
    this.#end = start;
    this.#segmentBytes = BigInt(segmentBytes);
  }

  add(at: bigint, bytes: Buffer): void {
    if (at !== this.#end) throw new Error(`The server skipped the log before ${writeLsn(at)}.`);
    this.#chunks.push(Buffer.from(bytes));
    this.#end += BigInt(bytes.length);
  }

  get size(): number {
    return Number(this.#end - this.#start);
  }

  /** Takes the received part of the first segment. Returns null if there is none. */
  take(): { start: bigint; log: Buffer } | null {
    if (this.#end === this.#start) return null;
    const all = Buffer.concat(this.#chunks);
    const room = Number(this.#segmentBytes - (this.#start % this.#segmentBytes));
    const taken = { start: this.#start, log: all.subarray(0, room) };
    this.#chunks = all.length > room ? [all.subarray(room)] : [];
    this.#start += BigInt(taken.log.length);
    return taken;
  }
}

interface Follow {
  parts: BackupParts;
  sql: Sql;
  segmentBytes: number;
  standing: Standing;
  /** Called with the moment up to which every commit is stored. */
  onReached?: ((at: string) => void) | undefined;
}

/** Stores received log every `storeEveryMs`, until the signal aborts. */
async function storeAll(
  { parts, sql, segmentBytes, standing, onReached }: Follow,
  waiting: Waiting,
  place: { stored: bigint },
  signal: AbortSignal,
): Promise<void> {
  const { store, keys } = parts;
  const { systemId, timeline } = standing;
  let ofSegment: Stretch[] = [];
  let segment: Buffer[] = [];
  let saidMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    const isLast = signal.aborted;
    // Read the clock before the log, so that every commit up to that moment precedes the position.
    const [server] = await sql<{ at: Temporal.Instant; lsn: string }[]>`
      select clock_timestamp() as at, pg_current_wal_flush_lsn()::text as lsn`;
    let came = false;
    for (let piece = waiting.take(); piece !== null; piece = waiting.take()) {
      came = true;
      ofSegment.push(await writeStretch(store, keys, { timeline, ...piece }));
      segment.push(piece.log);
      place.stored = piece.start + BigInt(piece.log.length);
      if (place.stored % BigInt(segmentBytes) !== 0n) continue;
      // The segment is complete, so one object replaces its parts.
      if (ofSegment.length > 1) {
        const start = place.stored - BigInt(segmentBytes);
        await writeStretch(store, keys, { timeline, start, log: Buffer.concat(segment) });
        for (const { name } of ofSegment) await store.remove(name);
      }
      [ofSegment, segment] = [[], []];
    }
    const isCovered = server !== undefined && readLsn(server.lsn) <= place.stored;
    if (isCovered && (came || performance.now() - saidMs >= sayEveryMs)) {
      saidMs = performance.now();
      const at = String(server.at);
      await writeReached(store, keys, { systemId, timeline, lsn: writeLsn(place.stored), at });
      onReached?.(at);
    }
    if (isLast) return;
    await sleep(storeEveryMs, undefined, { signal }).catch(() => {});
  }
}

async function oldestOf(sql: Sql): Promise<bigint> {
  const [slot] = await sql<Slot[]>`
    select wal_status, restart_lsn::text from pg_replication_slots where slot_name = ${slotName}`;
  return readLsn(slot?.restart_lsn ?? '0/0');
}

const endOn = (stretches: readonly Stretch[], wantedTimeline: number): bigint | null =>
  stretches
    .filter(({ timeline }) => timeline === wantedTimeline)
    .reduce<bigint | null>((most, { end }) => (most === null || end > most ? end : most), null);

/**
 * Returns where to continue the stored log: a timeline and the start of a segment. Returns null if
 * no log is stored. Throws 409 if the log is another database's, or its owner cannot be read.
 */
async function placeToBegin(
  { store, keys }: BackupParts,
  { systemId, timeline }: Standing,
  history: readonly Branch[],
  start: (lsn: bigint) => bigint,
): Promise<{ timeline: number; from: bigint } | null> {
  const { reached, damage } = await findReached(store, keys);
  // If the log's owner is unknown, this server's log could be mixed with another database's.
  if (damage !== null && reached === null) throw damage;
  if (reached !== null && reached.systemId !== systemId) {
    throw refusal('backup.of_another_database', { place: store.place });
  }
  const stretches = await listStretches(store);
  const own = endOn(stretches, timeline);
  if (own !== null) return { timeline, from: start(own) };
  const parent = history.at(-1);
  if (parent === undefined || stretches.length === 0) return null;
  // A promoted standby may have received log from its primary that was never stored.
  const before = endOn(stretches, parent.timeline);
  return before !== null && start(before) < start(parent.end)
    ? { timeline: parent.timeline, from: start(before) }
    : { timeline, from: start(parent.end) };
}

/**
 * Stores a history file under the current key. Throws if the stored one differs, because it is
 * another server's.
 */
async function storeHistory(
  { store, keys }: BackupParts,
  history: { timeline: number; text: string },
): Promise<void> {
  const { timeline, text } = history;
  const stored = await readHistory(store, keys, timeline).catch((error: unknown) => {
    // Replace a damaged file, or one whose key was removed.
    if (error instanceof Refusal) return null;
    throw error;
  });
  if (stored !== null && stored !== text) {
    throw refusal('backup.timeline_differs', { timeline, place: store.place });
  }
  await writeHistory(store, keys, history);
}

interface StreamOptions {
  sql: Sql;
  signal: AbortSignal;
  /** Starts with the server's oldest log, even if the store lacks earlier log. */
  afresh: boolean;
  onReached?: (at: string) => void;
}

/**
 * Stores a server's log as it is written, until the signal aborts or the timeline ends. Throws
 * LogLost if the server discarded log that the store lacks; a new base backup is necessary then.
 */
export async function streamLog(
  parts: BackupParts,
  source: Source,
  { sql, signal, afresh, onReached }: StreamOptions,
): Promise<void> {
  const { wall } = parts;
  const replication = await openReplication(source.url, source);
  try {
    await ensureSlot(replication, sql);
    const standing = await standingOf(replication);
    const [row] = await sql<{ bytes: number }[]>`
      select pg_size_bytes(current_setting('wal_segment_size'))::int as bytes`;
    const segmentBytes = row?.bytes ?? 0;
    const start = (lsn: bigint): bigint => segmentStart(lsn, segmentBytes);
    let history: Branch[] = [];
    if (standing.timeline > 1) {
      const command = `TIMELINE_HISTORY ${standing.timeline}`;
      const [[, text] = []] = await replication.rows(command);
      await storeHistory(parts, { timeline: standing.timeline, text: text ?? '' });
      history = readBranches(text ?? '');
    }
    const known = await placeToBegin(parts, standing, history, start);
    const oldest = { timeline: standing.timeline, from: start(await oldestOf(sql)) };
    const { timeline, from } = (afresh ? null : known) ?? oldest;
    const place = { stored: from };
    const waiting = new Waiting(from, segmentBytes);
    const ending = new AbortController();
    const until = AbortSignal.any([signal, ending.signal]);
    const follow = { parts, sql, segmentBytes, standing: { ...standing, timeline }, onReached };
    const storing = storeAll(follow, waiting, place, until).finally(() => ending.abort());
    storing.catch(() => {});
    const terms = {
      ...{ slot: slotName, timeline, from, stored: () => place.stored },
      onData: (at: bigint, bytes: Buffer) => waiting.add(at, bytes),
      isFull: () => waiting.size > mostWaiting,
    };
    try {
      await replication.log({ ...terms, signal: until }, () => wall.nowMs());
    } catch (error) {
      if (!isForgotten(error)) throw error;
      const text = `The server no longer has its log from ${writeLsn(from)} on.`;
      throw new LogLost(text, { cause: error });
    } finally {
      ending.abort();
      await storing;
    }
  } finally {
    await replication.close().catch(() => {});
  }
}

/** Returns true for "requested WAL segment … has already been removed" (58P01). */
const isForgotten = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '58P01';
