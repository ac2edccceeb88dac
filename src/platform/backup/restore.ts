import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Binaries, chooseRunner, findBinaries } from '../embedded/binaries.ts';
import { adoptRestored } from '../embedded/embedded.ts';
import type { Refusal } from '../errors.ts';
import type { Sql } from '../postgres/connect.ts';
import { refusal } from './codes.ts';
import type { Manifest } from './manifest.ts';
import { planRestore, type RestoreTarget } from './plan.ts';
import { connectTo, recover } from './recover.ts';
import type { BackupKeys } from './sealing.ts';
import type { BackupStore } from './store.ts';
import { unpack } from './unpack.ts';

export interface RestoreTerms extends RestoreTarget {
  store: BackupStore;
  keys: BackupKeys;
  /** An empty or missing folder, which becomes the data directory. */
  to: string;
  /** Folder of PostgreSQL's programs. Null for the embedded ones. */
  programs: string | null;
}

export interface Restored<T> {
  base: Manifest;
  /** Every commit up to this moment is restored, unless an earlier moment was requested. */
  reaches: Temporal.Instant;
  /** Why more than that may be restored, or null. */
  damage: Refusal | null;
  /** True if the embedded server can serve it. */
  embedded: boolean;
  looked: T;
}

/** Name of the folder while incomplete, so that it is never mistaken for a database. */
const unfinished = 'postgres.restoring';

async function mustBeEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries.length === 0) return;
  throw entries.includes(unfinished)
    ? refusal('backup.restore_cut', { folder })
    : refusal('backup.folder_taken', { folder });
}

/** Returns the major version of the programs that come with this release, or null without them. */
export const embeddedMajor = (): Promise<number | null> =>
  findBinaries().then(
    ({ major }) => major,
    () => null,
  );

async function programsIn(folder: string | null, { version, id }: Manifest): Promise<Binaries> {
  const major = Math.trunc(version / 10_000);
  const binaries: Binaries =
    folder === null
      ? await findBinaries()
      : { root: folder, major, program: (name) => path.join(folder, name) };
  if (folder === null && binaries.major !== major) {
    const brought = String(binaries.major);
    throw refusal('backup.programs_missing', { id, major: String(major), brought });
  }
  await stat(binaries.program('postgres'));
  return binaries;
}

/**
 * Restores a moment into a folder and runs `look` in the restored database. Throws if the folder is
 * not empty, or if the moment cannot be restored.
 */
export async function restore<T>(
  terms: RestoreTerms,
  look: (sql: Sql) => Promise<T>,
): Promise<Restored<T>> {
  const { store, keys, to, at, id } = terms;
  if (process.platform === 'win32') throw new Error('Restores need Linux or macOS.');
  await mustBeEmpty(to);
  const plan = await planRestore(store, keys, { at, id });
  const { base, reaches, damage } = plan;
  const binaries = await programsIn(terms.programs, base);
  await mkdir(to, { recursive: true, mode: 0o700 });
  const root = path.resolve(to);
  const folder = path.join(root, unfinished);
  const runner = await chooseRunner(binaries, root, folder);
  await unpack({ store, keys }, plan, { folder, owner: runner.owner });
  const settings = await readFile(path.join(folder, 'postgresql.conf'), 'utf8').catch(() => '');
  const embedded = settings.includes("include 'recaudo.conf'");
  const recovered = await recover({ folder, binaries, runner, plan, at });
  let looked: T;
  try {
    const sql = connectTo(recovered, base.database);
    try {
      looked = await look(sql);
      if (embedded) await adoptRestored(root, sql);
    } finally {
      await sql.end({ timeout: 5 });
    }
  } finally {
    await recovered.stop();
  }
  await rename(folder, path.join(root, 'postgres'));
  return { base, reaches, damage, embedded, looked };
}
