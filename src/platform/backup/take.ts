import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { constants, createZstdCompress } from 'node:zlib';
import type { Clock } from '../clocks.ts';
import { databaseAddress } from '../postgres/address.ts';
import { connect, type Sql } from '../postgres/connect.ts';
import { refusal } from './codes.ts';
import {
  findBases,
  idOf,
  type Manifest,
  type Piece,
  pieceName,
  writeManifest,
} from './manifest.ts';
import { openReplication, type Replication } from './replication.ts';
import { type BackupKeys, sealObject, sha256 } from './sealing.ts';
import type { BackupStore } from './store.ts';

/** The database to back up. */
export interface Source {
  /** Address with a role that may replicate. */
  url: string;
  /** Name of the service's database. */
  database: string;
  production: boolean;
}

export interface BackupParts {
  store: BackupStore;
  keys: BackupKeys;
  wall: Clock;
}

const pieceBytes = 16 * 1024 * 1024;
const uploadsAtOnce = 3;

/** Re-chunks bytes to one size. The last piece may be shorter. */
async function* piecesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    gathered.push(chunk);
    size += chunk.length;
    if (size < pieceBytes) continue;
    const joined = Buffer.concat(gathered);
    yield joined.subarray(0, pieceBytes);
    gathered = [joined.subarray(pieceBytes)];
    size -= pieceBytes;
  }
  if (size > 0) yield Buffer.concat(gathered);
}

/** Compresses, encrypts and stores a tar in pieces, some concurrently. */
async function storePieces(
  { store, keys }: BackupParts,
  id: string,
  tar: Readable,
): Promise<{ pieces: Piece[]; tarBytes: number }> {
  let tarBytes = 0;
  tar.on('data', (chunk: Buffer) => {
    tarBytes += chunk.length;
  });
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  tar.on('error', (error) => compress.destroy(error));
  const pieces: Piece[] = [];
  const uploads = new Set<Promise<void>>();
  for await (const piece of piecesOf(tar.pipe(compress))) {
    const name = pieceName(id, pieces.length);
    const sealed = sealObject(keys, name, piece);
    pieces.push({ bytes: sealed.length, sha256: sha256(sealed) });
    const upload = store.put(name, sealed).then(() => void uploads.delete(upload));
    upload.catch(() => {});
    uploads.add(upload);
    if (uploads.size >= uploadsAtOnce) await Promise.race(uploads);
  }
  await Promise.all(uploads);
  return { pieces, tarBytes };
}

interface About {
  version: number;
  superuser: string;
  segment_bytes: number;
}

/** Reads facts about the server that the replication protocol does not report. */
async function aboutServer(sql: Sql): Promise<About> {
  const [about] = await sql<About[]>`
    select current_setting('server_version_num')::int as version,
      pg_size_bytes(current_setting('wal_segment_size'))::int as segment_bytes,
      (select rolname::text from pg_roles where oid = 10) as superuser`;
  if (about === undefined) throw new Error('The server returned no settings.');
  return about;
}

async function timeOf(sql: Sql): Promise<Temporal.Instant> {
  const [row] = await sql<{ now: Temporal.Instant }[]>`select clock_timestamp() as now`;
  if (row === undefined) throw new Error('The server returned no time.');
  return row.now;
}

/**
 * Throws if the store contains another server's backups, because a restore could bring back the
 * wrong one. Throws if it contains only backups whose key is missing, because they may be another
 * server's.
 */
async function mustBeOf({ store, keys }: BackupParts, systemId: string): Promise<void> {
  const found = await findBases(store, keys);
  const whole = found.filter((one) => one.state === 'whole');
  const locked = found.find((one) => one.state === 'locked');
  if (whole.length === 0 && locked !== undefined) throw locked.fault;
  if (whole.every(({ manifest }) => manifest.systemId === systemId)) return;
  throw refusal('backup.of_another_database', { place: store.place });
}

async function takeWith(
  replication: Replication,
  { parts, source, sql }: { parts: BackupParts; source: Source; sql: Sql },
): Promise<Manifest> {
  const { store, keys } = parts;
  const { version, superuser, segment_bytes: segmentBytes } = await aboutServer(sql);
  const [[systemId = ''] = []] = await replication.rows('IDENTIFY_SYSTEM');
  await mustBeOf(parts, systemId ?? '');
  const began = await timeOf(sql);
  const id = idOf(began, randomBytes(2).toString('hex'));
  const { tar, ended } = replication.base(`recaudo ${id}`);
  const { pieces, tarBytes } = await storePieces(parts, id, tar);
  const { start, end, timeline } = await ended;
  const manifest: Manifest = {
    format: 1,
    id,
    systemId: systemId ?? '',
    ...{ timeline, start, end, segmentBytes, beganAt: String(began) },
    endedAt: String(await timeOf(sql)),
    ...{ version, superuser, database: source.database, tarBytes, pieces },
  };
  await writeManifest(store, keys, manifest);
  return manifest;
}

/** Takes a base backup, which can be restored alone or with the log to any later moment. */
export async function takeBase(parts: BackupParts, source: Source): Promise<Manifest> {
  const { address, tls } = databaseAddress(source.url, source);
  const sql = connect(address, { max: 1, applicationName: 'recaudo backup', tls });
  try {
    const replication = await openReplication(source.url, source);
    try {
      return await takeWith(replication, { parts, source, sql });
    } finally {
      await replication.close().catch(() => {});
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
}
