import { Refusal } from '../errors.ts';
import { readLsn } from './lsn.ts';
import { type BackupKeys, openObject, sealObject } from './sealing.ts';
import type { BackupStore } from './store.ts';

export interface Piece {
  bytes: number;
  sha256: string;
}

/** Written last. A base backup without it is incomplete. */
export interface Manifest {
  format: 1;
  id: string;
  /** The cluster's identifier, drawn by initdb. */
  systemId: string;
  timeline: number;
  /** Log positions in the server's format. */
  start: string;
  end: string;
  segmentBytes: number;
  /** Times by the server's clock. */
  beganAt: string;
  endedAt: string;
  /** As `server_version_num`. */
  version: number;
  database: string;
  superuser: string;
  /** Uncompressed bytes of the tar. */
  tarBytes: number;
  pieces: Piece[];
}

export const baseFolder = 'base';
const manifestName = (id: string): string => `${baseFolder}/${id}/manifest`;
export const pieceName = (id: string, index: number): string =>
  `${baseFolder}/${id}/${String(index + 1).padStart(5, '0')}`;

export type Found =
  | { id: string; bytes: number; state: 'whole'; manifest: Manifest }
  | { id: string; bytes: number; state: 'incomplete'; why: string }
  | { id: string; bytes: number; state: 'damaged'; why: string }
  /** Its key is missing or differs. `fault` names it. */
  | { id: string; bytes: number; state: 'locked'; why: string; fault: Refusal };

/** Creates an id from a moment, so that ids sort by time. */
export const idOf = (now: Temporal.Instant, suffix: string): string =>
  `${now.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}-${suffix}`;

/** Returns the moment in a base backup's id, or null if it has none. */
export const momentOf = (id: string): Temporal.Instant | null => {
  const [, day, time] = /^(\d{8})T(\d{6})Z-/.exec(id) ?? [];
  return day === undefined ? null : Temporal.Instant.from(`${day}T${time}Z`);
};

export async function writeManifest(
  store: BackupStore,
  keys: BackupKeys,
  manifest: Manifest,
): Promise<void> {
  const name = manifestName(manifest.id);
  await store.put(name, sealObject(keys, name, Buffer.from(JSON.stringify(manifest))));
}

/** Returns the refusal if the manifest is damaged, or if its key is missing or differs. */
function openManifest(keys: BackupKeys, name: string, sealed: Buffer): Manifest | Refusal {
  try {
    return JSON.parse(openObject(keys, name, sealed).toString()) as Manifest;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

type Whole = Extract<Found, { state: 'whole' }>;
const isWhole = (one: Found): one is Whole => one.state === 'whole';

/**
 * Sorts base backups by their positions in the log, which a wrong clock does not change. A backup
 * without a readable manifest is placed by the time in its id.
 */
function sorted(found: readonly Found[]): Found[] {
  const all: Found[] = found
    .filter(isWhole)
    .toSorted(
      ({ manifest: a }, { manifest: b }) =>
        a.timeline - b.timeline || Number(readLsn(a.end) - readLsn(b.end)),
    );
  for (const one of found.filter((other) => !isWhole(other))) {
    const at = momentOf(one.id);
    const next = all.findIndex(
      (other) =>
        at !== null &&
        isWhole(other) &&
        Temporal.Instant.compare(at, Temporal.Instant.from(other.manifest.beganAt)) < 0,
    );
    all.splice(next < 0 ? all.length : next, 0, one);
  }
  return all;
}

/** Returns the store's base backups, oldest first. */
export async function findBases(store: BackupStore, keys: BackupKeys): Promise<Found[]> {
  const byId = Map.groupBy(await store.list(baseFolder), ({ name }) => name.split('/')[1] ?? '');
  const found: Found[] = [];
  for (const [id, objects] of byId) {
    const bytes = objects.reduce((sum, object) => sum + object.bytes, 0);
    const name = manifestName(id);
    const sealed = objects.some((object) => object.name === name) ? await store.get(name) : null;
    if (sealed === null) {
      const why = 'it has no manifest: it was cut short, or is still under way';
      found.push({ id, bytes, state: 'incomplete', why });
      continue;
    }
    const manifest = openManifest(keys, name, sealed);
    if (manifest instanceof Refusal) {
      const fault = manifest;
      found.push(
        fault.errorCode === 'backup.object_damaged'
          ? { id, bytes, state: 'damaged', why: 'its manifest was truncated, changed or moved' }
          : { id, bytes, state: 'locked', why: fault.message, fault },
      );
      continue;
    }
    const sizes = new Map(objects.map((object) => [object.name, object.bytes]));
    const wrong = manifest.pieces.findIndex(
      (piece, index) => sizes.get(pieceName(id, index)) !== piece.bytes,
    );
    if (wrong < 0) found.push({ id, bytes, state: 'whole', manifest });
    else {
      const why = `its piece ${pieceName(id, wrong)} is missing or was cut`;
      found.push({ id, bytes, state: 'damaged', why });
    }
  }
  return sorted(found);
}

export async function removeBase(store: BackupStore, id: string): Promise<void> {
  // Remove the manifest first, so that a partly removed backup does not count.
  await store.remove(manifestName(id));
  for (const { name } of await store.list(`${baseFolder}/${id}`)) await store.remove(name);
}
