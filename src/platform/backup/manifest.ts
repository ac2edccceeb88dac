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
  /** Time of the server's clock. */
  beganAt: string;
  endedAt: string;
  /** As `server_version_num`. */
  version: number;
  database: string;
  superuser: string;
  /** Bytes of the tar. */
  tarBytes: number;
  pieces: Piece[];
}

export const baseFolder = 'base';
const manifestName = (id: string): string => `${baseFolder}/${id}/manifest`;
export const pieceName = (id: string, index: number): string =>
  `${baseFolder}/${id}/${String(index + 1).padStart(5, '0')}`;

/** A base backup in the store. */
export type Found =
  | { id: string; bytes: number; state: 'whole'; manifest: Manifest }
  | { id: string; bytes: number; state: 'incomplete' | 'damaged'; why: string };

/** Creates an id from a moment, so that ids sort by time. */
export const idOf = (now: Temporal.Instant, suffix: string): string =>
  `${now.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}-${suffix}`;

export async function writeManifest(
  store: BackupStore,
  keys: BackupKeys,
  manifest: Manifest,
): Promise<void> {
  const name = manifestName(manifest.id);
  await store.put(name, sealObject(keys, name, Buffer.from(JSON.stringify(manifest))));
}

/**
 * Returns the store's base backups, oldest first. Throws if they were encrypted with another key.
 */
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
    const manifest = JSON.parse(openObject(keys, name, sealed).toString()) as Manifest;
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
  return found;
}

export async function removeBase(store: BackupStore, id: string): Promise<void> {
  // Remove the manifest first, so that a partly removed backup does not count.
  await store.remove(manifestName(id));
  for (const { name } of await store.list(`${baseFolder}/${id}`)) await store.remove(name);
}
