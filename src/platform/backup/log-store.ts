import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { refusal } from './codes.ts';
import { lsnName, timelineName } from './lsn.ts';
import { type BackupKeys, openObject, sealObject } from './sealing.ts';
import type { BackupStore } from './store.ts';

/** A stretch of log within one segment. The end is exclusive. */
export interface Stretch {
  name: string;
  timeline: number;
  start: bigint;
  end: bigint;
  bytes: number;
}

/** The end of the stored log, which contains every commit up to `at`. */
export interface Reached {
  systemId: string;
  timeline: number;
  lsn: string;
  at: string;
}

const logFolder = 'log';
const reachedName = `${logFolder}/reached`;
const historyName = (timeline: number): string => `${logFolder}/${timelineName(timeline)}.history`;

export async function writeStretch(
  store: BackupStore,
  keys: BackupKeys,
  { timeline, start, log }: { timeline: number; start: bigint; log: Buffer },
): Promise<Stretch> {
  const end = start + BigInt(log.length);
  const name = `${logFolder}/${timelineName(timeline)}/${lsnName(start)}-${lsnName(end)}`;
  const sealed = sealObject(keys, name, zstdCompressSync(log));
  await store.put(name, sealed);
  return { name, timeline, start, end, bytes: sealed.length };
}

async function readNamed(
  store: BackupStore,
  keys: BackupKeys,
  { name, start, end }: Stretch,
): Promise<Buffer | null> {
  const sealed = await store.get(name);
  if (sealed === null) return null;
  const log = zstdDecompressSync(openObject(keys, name, sealed));
  if (BigInt(log.length) !== end - start) throw refusal('backup.object_damaged', { name });
  return log;
}

/**
 * Reads a stretch, or its part of the whole segment if that has replaced it since it was listed.
 * Throws if the store contains neither.
 */
export async function readStretch(
  store: BackupStore,
  keys: BackupKeys,
  stretch: Stretch,
): Promise<Buffer> {
  const { name, timeline, start, end } = stretch;
  const own = await readNamed(store, keys, stretch);
  if (own !== null) return own;
  const whole = (await listStretches(store)).findLast(
    (one) => one.timeline === timeline && one.start <= start && one.end >= end,
  );
  const log = whole === undefined ? null : await readNamed(store, keys, whole);
  if (whole === undefined || log === null) throw refusal('backup.object_missing', { name });
  return log.subarray(Number(start - whole.start), Number(end - whole.start));
}

/** Returns the stretches of all timelines, sorted by timeline and start. */
export async function listStretches(store: BackupStore): Promise<Stretch[]> {
  const found: Stretch[] = [];
  for (const { name, bytes } of await store.list(logFolder)) {
    const [, timeline, start, end] =
      /\/([0-9A-F]{8})\/([0-9A-F]{16})-([0-9A-F]{16})$/.exec(name) ?? [];
    if (timeline === undefined || start === undefined || end === undefined) continue;
    const places = { start: BigInt(`0x${start}`), end: BigInt(`0x${end}`) };
    found.push({ name, timeline: Number.parseInt(timeline, 16), ...places, bytes });
  }
  return found;
}

export async function listHistories(store: BackupStore): Promise<number[]> {
  return (await store.list(logFolder)).flatMap(({ name }) => {
    const [, timeline] = /\/([0-9A-F]{8})\.history$/.exec(name) ?? [];
    return timeline === undefined ? [] : [Number.parseInt(timeline, 16)];
  });
}

export async function writeReached(store: BackupStore, keys: BackupKeys, reached: Reached) {
  await store.put(reachedName, sealObject(keys, reachedName, Buffer.from(JSON.stringify(reached))));
}

/** Returns the end of the stored log, or null if none was ever stored. */
export async function readReached(store: BackupStore, keys: BackupKeys): Promise<Reached | null> {
  const sealed = await store.get(reachedName);
  if (sealed === null) return null;
  return JSON.parse(openObject(keys, reachedName, sealed).toString()) as Reached;
}

export async function writeHistory(
  store: BackupStore,
  keys: BackupKeys,
  { timeline, text }: { timeline: number; text: string },
): Promise<void> {
  const name = historyName(timeline);
  await store.put(name, sealObject(keys, name, Buffer.from(text, 'latin1')));
}

/** Returns a timeline's history file, or null if it is missing. The first timeline has none. */
export async function readHistory(
  store: BackupStore,
  keys: BackupKeys,
  timeline: number,
): Promise<string | null> {
  const name = historyName(timeline);
  const sealed = await store.get(name);
  return sealed && openObject(keys, name, sealed).toString('latin1');
}
