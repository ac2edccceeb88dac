import { existsSync } from 'node:fs';
import { chown, mkdir, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { refusal } from './codes.ts';
import { readStretch, type Stretch } from './log-store.ts';
import { segmentName, segmentStart, timelineName } from './lsn.ts';
import { type Manifest, pieceName } from './manifest.ts';
import type { Plan } from './plan.ts';
import { type BackupKeys, openObject, sha256 } from './sealing.ts';
import type { BackupStore } from './store.ts';
import { untar } from './untar.ts';

interface Stored {
  store: BackupStore;
  keys: BackupKeys;
}

const downloadsAtOnce = 4;

/** Yields results of calls in order, while the next calls already run. */
async function* ahead<T, R>(
  items: readonly T[],
  call: (item: T, index: number) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for (const [index, item] of items.entries()) {
    const one = call(item, index);
    one.catch(() => {});
    running.push(one);
    const first = running.length >= downloadsAtOnce ? running.shift() : undefined;
    if (first !== undefined) yield await first;
  }
  for (const one of running) yield await one;
}

async function* piecesOf({ store, keys }: Stored, { id, pieces }: Manifest) {
  const read = async (piece: Manifest['pieces'][number], index: number): Promise<Buffer> => {
    const name = pieceName(id, index);
    const sealed = await store.get(name);
    if (sealed === null) throw refusal('backup.object_missing', { name });
    // Decrypt first, because a wrong key has a separate message.
    const opened = openObject(keys, name, sealed);
    if (sha256(sealed) !== piece.sha256) {
      throw refusal('backup.object_replaced', { name });
    }
    return opened;
  };
  yield* ahead(pieces, read);
}

async function unpackBase(stored: Stored, base: Manifest, folder: string): Promise<string[]> {
  const decompress = createZstdDecompress();
  let bytes = 0;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  let made: string[] = [];
  await pipeline(piecesOf(stored, base), decompress, async (chunks: AsyncIterable<Buffer>) => {
    const tar = counted(chunks);
    made = await untar(tar, folder);
    for await (const _ of tar) {
      // Also read the padding after the end, which verifies the end of the compression.
    }
  });
  if (bytes !== base.tarBytes) throw refusal('backup.object_damaged', { name: base.id });
  return made;
}

async function unpackLog(
  stored: Stored,
  { base, stretches, path: timelines }: Plan,
  folder: string,
) {
  const { segmentBytes } = base;
  const fileOf = ({ timeline, start }: Stretch): string => {
    const segment = segmentStart(start, segmentBytes);
    return path.join(folder, segmentName(timeline, segment, segmentBytes));
  };
  const made = new Set<string>();
  let index = 0;
  for await (const log of ahead(stretches, (one) => readStretch(stored.store, stored.keys, one))) {
    const stretch = stretches[index];
    index += 1;
    if (stretch === undefined) break;
    const file = fileOf(stretch);
    // Replace the base backup's copy of a segment, which may end earlier.
    const handle = await open(file, made.has(file) ? 'r+' : 'w', 0o600);
    try {
      if (!made.has(file)) await handle.truncate(segmentBytes);
      // Log after a timeline's end is not part of the next timeline, which continues from that end.
      const end = timelines.find(({ timeline }) => timeline === stretch.timeline)?.end ?? 0n;
      const length = Math.min(log.length, Number(end - stretch.start));
      await handle.write(log, 0, length, Number(stretch.start % BigInt(segmentBytes)));
    } finally {
      await handle.close();
    }
    made.add(file);
  }
  return made;
}

/**
 * Writes a plan's files into a new folder and checks each piece. Gives the files to `owner`, the
 * server's user.
 */
export async function unpack(
  stored: Stored,
  plan: Plan,
  { folder, owner }: { folder: string; owner: { uid: number; gid: number } | null },
): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  const made = await unpackBase(stored, plan.base, folder);
  const log = path.join(folder, 'pg_wal');
  const segments = await unpackLog(stored, plan, log);
  const histories: string[] = [];
  for (const { timeline, text } of plan.histories) {
    const file = path.join(log, `${timelineName(timeline)}.history`);
    // The base backup contains those of its own ancestors.
    if (existsSync(file)) continue;
    await writeFile(file, text, { mode: 0o600 });
    histories.push(file);
  }
  if (owner === null) return;
  for (const file of [folder, ...made, ...segments, ...histories]) {
    await chown(file, owner.uid, owner.gid);
  }
}
