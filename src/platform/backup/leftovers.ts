import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nobody } from '../embedded/binaries.ts';

/** Copy of a drill, or folder of a restored server's socket. */
export type Temporary = 'drill' | 'start';

/** A path of a socket has at most 107 bytes, so names are short. */
const nameOf = (kind: Temporary): string => `recaudo-${kind}-${randomBytes(4).toString('hex')}`;
const temporaryName = /^(recaudo-(?:drill|start)-[0-9a-f]{8})(?:\.s)?$/;

/**
 * Returns the path of a socket on which a process listens while it uses the folder. Unlike a pid,
 * it also works between containers that share the temporary folder.
 */
const lockOf = (folder: string): string => `${folder}.s`;

const removeTree = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

async function lock(folder: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.on('error', reject).listen(lockOf(folder), resolve).unref();
  await promise;
  return server;
}

/** Creates a temporary folder that belongs to this process until it is removed. */
export async function makeTemporary(
  kind: Temporary,
): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = path.join(tmpdir(), nameOf(kind));
  // Lock first, because another process removes a folder without a lock.
  const server = await lock(folder);
  const remove = async (): Promise<void> => {
    await removeTree(folder).finally(() => new Promise((resolve) => server.close(resolve)));
  };
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder, remove };
}

/** Returns true unless the process that used the folder ended. */
function isUsed(folder: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(lockOf(folder));
  socket.once('connect', () => resolve(true));
  socket.once('error', ({ code }: NodeJS.ErrnoException) =>
    resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
  );
  return promise.finally(() => socket.destroy());
}

/**
 * Returns true for a folder of this process's user, or of the user that runs root's servers. Anyone
 * can create a link or a folder with such a name in the temporary folder.
 */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder);
  const own = process.geteuid?.() ?? found.uid;
  const isOwn = found.uid === own || (own === 0 && found.uid === (await nobody()).uid);
  return found.isDirectory() && isOwn;
}

/**
 * Stops a server in a folder. Where /proc is missing it stops by itself, within a minute of the
 * folder's removal.
 */
async function stopServer(folder: string): Promise<void> {
  if (!(await isOurs(folder))) return;
  const [line = ''] = (await readFile(path.join(folder, 'postmaster.pid'), 'utf8')).split('\n');
  const pid = Number(line);
  // The pid may be another process's by now.
  if ((await readlink(`/proc/${pid}/cwd`)) !== (await realpath(folder))) return;
  process.kill(pid, 'SIGQUIT');
}

/**
 * Stops the servers and removes the folders that killed restores and drills left. Never throws,
 * because leftovers must not prevent a backup. A drill that finds no temporary folder reports the
 * reason itself.
 */
export async function removeLeftovers(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const left = names.flatMap((name) => temporaryName.exec(name)?.[1] ?? []);
  for (const name of new Set(left)) {
    const folder = path.join(tmpdir(), name);
    if (await isUsed(folder)) continue;
    // Another user's folder stays. It does not affect drills, whose names are random.
    if (!(await isOurs(folder).catch(() => true))) continue;
    await stopServer(path.join(folder, 'postgres.restoring')).catch(() => {});
    await removeTree(folder).catch(() => {});
    await rm(lockOf(folder), { force: true }).catch(() => {});
  }
}
