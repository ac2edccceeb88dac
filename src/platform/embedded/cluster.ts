import {
  chown,
  mkdir,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, embeddedProblem, type Runner, run } from './binaries.ts';
import { memorySettings } from './memory.ts';

/** A database cluster on disk, and how to run its programs. */
export interface Cluster {
  /** Absolute, without symbolic links. */
  directory: string;
  logFile: string;
  binaries: Binaries;
  runner: Runner;
  log: (message: string) => void;
}

export interface Running {
  pid: number;
  port: number;
}

const startSeconds = 300;
const largestLog = 16 * 1024 * 1024;

/** Returns the major version of a directory's cluster, or null if there is none. */
export async function clusterVersion(directory: string): Promise<number | null> {
  const text = await readFile(path.join(directory, 'PG_VERSION'), 'utf8').catch(() => null);
  return text === null ? null : Number.parseInt(text, 10);
}

async function giveTo(runner: Runner, file: string): Promise<void> {
  if (runner.owner !== null) await chown(file, runner.owner.uid, runner.owner.gid);
}

/**
 * Creates a cluster in a temporary directory and renames it at the end, so that a killed process
 * leaves nothing that looks like a database.
 */
export async function initCluster(
  cluster: Cluster,
  superuserPassword: string,
  durable: boolean,
): Promise<void> {
  const { directory, runner, binaries } = cluster;
  const workshop = `${directory}.new`;
  await rm(workshop, { recursive: true, force: true });
  await mkdir(workshop, { mode: 0o700 });
  await giveTo(runner, workshop);
  const passwordFile = path.join(workshop, 'password');
  await writeFile(passwordFile, superuserPassword, { mode: 0o600 });
  await giveTo(runner, passwordFile);
  const made = path.join(workshop, 'cluster');
  const result = await run(runner, binaries.program('initdb'), [
    `--pgdata=${made}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]);
  if (!result.ok) throw embeddedProblem(`The database could not be created: ${result.output}`);
  const configuration = await open(path.join(made, 'postgresql.conf'), 'a');
  await configuration.writeFile("\ninclude 'recaudo.conf'\n");
  await configuration.sync();
  await configuration.close();
  await rename(made, directory);
  await rm(workshop, { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Returns true if the process is this directory's server, and not another process that reused its
 * id.
 */
export async function isServer(
  pid: number,
  cluster: Pick<Cluster, 'directory' | 'runner'>,
): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  if (process.platform !== 'linux') {
    const { output } = await run(cluster.runner, 'ps', ['-p', String(pid), '-o', 'args=']);
    return output.includes('postgres') && output.includes(cluster.directory);
  }
  // The server's working directory is the data directory. A zombie has none.
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === cluster.directory;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.split('\0').includes(cluster.directory);
  }
}

/**
 * Returns the cluster's running server, or null. PostgreSQL handles a killed server's
 * postmaster.pid itself, after it looks for that server's surviving processes. But it would refuse
 * to start if the process id now belongs to another program, so this removes the file in that case.
 */
export async function findRunning(cluster: Cluster): Promise<Running | null> {
  const file = path.join(cluster.directory, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (Number.isInteger(pid) && (await isServer(pid, cluster))) {
    return { pid, port: Number.parseInt(lines[3] ?? '', 10) };
  }
  if (!Number.isInteger(pid) || isAlive(pid)) {
    cluster.log(`removing ${file}: process ${pid} is not the database server`);
    await rm(file, { force: true });
  }
  return null;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.on('error', ({ code }: NodeJS.ErrnoException) => {
    reject(embeddedProblem(`127.0.0.1 has no free TCP port for PostgreSQL (${code}).`));
  });
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await new Promise((closed) => server.close(closed));
  return port;
}

function quote(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

async function writeSettings(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${quote(value)}`);
  const file = path.join(cluster.directory, 'recaudo.conf');
  await writeFile(`${file}.new`, `# Written at each start.\n${lines.join('\n')}\n`, {
    mode: 0o600,
  });
  await giveTo(cluster.runner, `${file}.new`);
  await rename(`${file}.new`, file);
}

/**
 * Rotates the server's log file if it is too large, and gives it to the user that runs the server.
 * Returns the file's size, where this start's messages begin.
 */
async function prepareLog({ logFile, runner }: Cluster): Promise<number> {
  const size = (await stat(logFile).catch(() => null))?.size ?? 0;
  if (size > largestLog) await rename(logFile, `${logFile}.1`);
  await (await open(logFile, 'a', 0o600)).close();
  await giveTo(runner, logFile);
  return size > largestLog ? 0 : size;
}

async function readFrom(file: string, position: number): Promise<string> {
  const content = await readFile(file).catch(() => Buffer.alloc(0));
  return content.subarray(position).toString();
}

/** Returns the port of the server's last start, or null if it never started. */
export async function lastPort({ directory }: Cluster): Promise<number | null> {
  const settings = await readFile(path.join(directory, 'recaudo.conf'), 'utf8').catch(() => '');
  const port = /^port = '(\d+)'$/m.exec(settings)?.[1];
  return port === undefined ? null : Number(port);
}

const portTaken = /could not bind|address already in use/i;
/** Matches messages about a killed server whose processes take a moment to end. */
const stillThere = /pre-existing shared memory block|lock file "postmaster.pid" already exists/;

export interface StartOptions {
  extraSettings?: Readonly<Record<string, string>> | undefined;
  choosePort?: (() => Promise<number>) | undefined;
  /** The port to try first, where other processes expect the server. */
  knownPort?: number | null;
}

/**
 * Starts the server in a new session, on the known port or any free one, and waits until it is
 * ready.
 */
export async function startCluster(
  cluster: Cluster,
  { extraSettings = {}, choosePort = freePort, knownPort = null }: StartOptions,
): Promise<Running> {
  const { directory, logFile, binaries, runner } = cluster;
  let said = '';
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await writeSettings(cluster, {
      listen_addresses: '127.0.0.1',
      port: String((attempt === 0 ? knownPort : null) ?? (await choosePort())),
      unix_socket_directories: '',
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      // Maximum log to retain for a slow backup.
      max_slot_wal_keep_size: '4GB',
      jit: 'off',
      timezone: 'UTC',
      ...memorySettings(),
      ...extraSettings,
    });
    const logged = await prepareLog(cluster);
    const args = ['start', '-w', '-t', String(startSeconds), '-D', directory, '-l', logFile];
    const result = await run(runner, binaries.program('pg_ctl'), args);
    const running = result.ok ? await findRunning(cluster) : null;
    if (running !== null) return running;
    said = `${result.output}\n${await readFrom(logFile, logged)}`;
    if (!portTaken.test(said) && !stillThere.test(said)) break;
    if (stillThere.test(said)) await sleep(250);
  }
  throw embeddedProblem(
    `The database in ${directory} did not start (its log: ${logFile}). ${said.trim().slice(-2000)}`,
  );
}

/**
 * Stops the server cleanly. Throws if it still runs after a minute. Checks the process itself,
 * because pg_ctl mistakes a killed but unreaped server for a running one.
 */
export async function stopCluster(cluster: Cluster): Promise<void> {
  const { directory, binaries, runner } = cluster;
  const args = ['stop', '-W', '-m', 'fast', '-D', directory];
  const { output } = await run(runner, binaries.program('pg_ctl'), args);
  const pause = 50;
  for (let waited = 0; waited < 60_000; waited += pause) {
    if ((await findRunning(cluster)) === null) return;
    await sleep(pause);
  }
  throw new Error(`The database did not stop: ${output}`);
}

/** Returns the directory without symbolic links, as the server sees it. */
export async function realDirectory(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return realpath(directory);
}
