import { randomBytes } from 'node:crypto';
import { chmod, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Sql } from '../postgres/connect.ts';
import { chooseRunner, embeddedProblem, findBinaries } from './binaries.ts';
import {
  type Cluster,
  clusterVersion,
  findRunning,
  initCluster,
  lastPort,
  type Running,
  realDirectory,
  type StartOptions,
  startCluster,
  stopCluster,
} from './cluster.ts';
import { holdFileLock, isLocked, shareFileLock } from './file-lock.ts';
import { watchServer } from './watch.ts';

export interface EmbeddedOptions {
  /** DATA_DIR. The database is in its `postgres` folder. */
  dataDir: string;
  log: (message: string) => void;
  /** Settings of postgresql.conf that override ours if this call starts the server. */
  extraSettings?: Readonly<Record<string, string>>;
  /** For tests: ways to run as root, and how to choose a port. */
  rootRunners?: readonly ('namespace' | 'nobody')[];
  choosePort?: () => Promise<number>;
  /** Aborts the opening between two steps. */
  signal?: AbortSignal | undefined;
  /**
   * Set by long-lived processes. A server that ends is then restarted on the same port, where pools
   * find it. Called if that fails, with no further retry.
   */
  onLost?: ((error: Error) => void) | undefined;
}

export interface Embedded {
  /** URL of the serving role, which owns nothing. */
  url: string;
  /** URL of the owner, which migrates and is not a superuser. */
  ownerUrl: string;
  /** URL of the superuser, for setup only. */
  superuserUrl: string;
  /**
   * Stops the server unless another process has opened it or has a session. Close all pools first.
   */
  close(): Promise<void>;
}

interface Passwords {
  superuser: string;
  owner: string;
  service: string;
}

const serviceName = 'recaudo';
const ownerName = 'recaudo_owner';

/**
 * Reads or creates passwords. They are in a file readable by its owner only, written before
 * anything depends on them.
 */
async function readPasswords(file: string, create: boolean): Promise<Passwords> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text !== null) return JSON.parse(text) as Passwords;
  if (!create) {
    throw embeddedProblem(`The file ${file}, which holds the database's passwords, is missing.`);
  }
  const passwords: Passwords = {
    superuser: randomBytes(24).toString('hex'),
    owner: randomBytes(24).toString('hex'),
    service: randomBytes(24).toString('hex'),
  };
  const handle = await open(`${file}.new`, 'w', 0o600);
  await handle.writeFile(`${JSON.stringify(passwords)}\n`);
  await handle.sync();
  await handle.close();
  await rename(`${file}.new`, file);
  return passwords;
}

/**
 * Adopts a restored cluster into this data directory. Draws new passwords for its roles, because
 * the backup's were stored next to its server.
 */
export async function adoptRestored(dataDir: string, sql: Sql): Promise<void> {
  const file = path.join(dataDir, 'postgres-passwords.json');
  const passwords = await readPasswords(file, true);
  const roles = [
    ['postgres', passwords.superuser],
    [ownerName, passwords.owner],
    [serviceName, passwords.service],
  ];
  for (const [name, password] of roles) {
    await sql.unsafe(`alter role ${name} password '${password}'`);
  }
}

async function openCluster(dataDir: string, options: EmbeddedOptions): Promise<Cluster> {
  const directory = path.join(dataDir, 'postgres');
  const binaries = await findBinaries();
  const version = await clusterVersion(directory);
  if (version !== null && version !== binaries.major) {
    throw embeddedProblem(
      `The database in ${directory} was made by PostgreSQL ${version}, this release brings ` +
        `PostgreSQL ${binaries.major}. Move the data with PostgreSQL's pg_upgrade, or with pg_dump ` +
        'of the old version and psql of the new one.',
    );
  }
  const runner = await chooseRunner(binaries, dataDir, directory, options.rootRunners);
  const logFile = path.join(dataDir, 'postgres.log');
  return { directory, logFile, binaries, runner, log: options.log };
}

function urlOf(user: string, password: string, port: number, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}

/** Returns true while the server is starting, stopping, recovering, or not yet listening. */
function isTooEarly(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === '57P03' || code === 'ECONNREFUSED' || code === 'ECONNRESET';
}

/** Runs `work` on a superuser connection. Returns null while the server is not ready. */
async function asSuperuser<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T | null> {
  const sql = connect(url, { max: 1, applicationName: 'recaudo setup' });
  try {
    await sql`select 1`;
  } catch (error) {
    await sql.end({ timeout: 0 });
    if (isTooEarly(error)) return null;
    throw error;
  }
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function makeRole(sql: Sql, name: string, password: string): Promise<void> {
  const [role] = await sql`select from pg_roles where rolname = ${name}`;
  // These statements accept no parameters. The password is hexadecimal.
  if (role === undefined) await sql.unsafe(`create role ${name} login password '${password}'`);
}

/** Creates roles and database, unless they already exist. */
async function setUp(sql: Sql, passwords: Passwords): Promise<true> {
  await makeRole(sql, ownerName, passwords.owner);
  await makeRole(sql, serviceName, passwords.service);
  const [database] = await sql`select from pg_database where datname = ${serviceName}`;
  if (database === undefined) {
    await sql.unsafe(`create database ${serviceName} owner ${ownerName}`);
  }
  return true;
}

async function findOrStart(cluster: Cluster, options: StartOptions): Promise<Running> {
  const found = await findRunning(cluster);
  if (found !== null) return found;
  const started = await startCluster(cluster, options);
  cluster.log(`PostgreSQL started on port ${started.port}`);
  return started;
}

interface ReachOptions extends StartOptions {
  signal?: AbortSignal | undefined;
}

/** Waits for the cluster's server, and sets up its roles and database. */
async function reachServer(
  cluster: Cluster,
  passwords: Passwords,
  options: ReachOptions,
): Promise<Running> {
  const pause = 100;
  for (let waited = 0; waited < 300_000; waited += pause) {
    options.signal?.throwIfAborted();
    const running = await findOrStart(cluster, options);
    const url = urlOf('postgres', passwords.superuser, running.port, 'postgres');
    // A start or stop interrupted by a kill may still be in progress.
    const ready = Number.isInteger(running.port)
      ? await asSuperuser(url, (sql) => setUp(sql, passwords))
      : null;
    if (ready === true) return running;
    await sleep(pause);
  }
  throw embeddedProblem(`The database in ${cluster.directory} runs but does not answer.`);
}

/** Returns true if there are other sessions: psql, a dump, a process of an earlier release. */
async function hasSessions(sql: Sql): Promise<boolean> {
  for (let round = 0; round < 40; round += 1) {
    const [session] = await sql`
      select from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`;
    if (session === undefined) return false;
    // Sessions that this process just closed take a moment to end.
    await sleep(25);
  }
  return true;
}

/** Stops the server if it has no sessions. A server that does not answer yet has none. */
async function stopUnused(cluster: Cluster, { superuser }: Passwords): Promise<void> {
  const running = await findRunning(cluster);
  if (running === null) return;
  const url = urlOf('postgres', superuser, running.port, 'postgres');
  const used = await asSuperuser(url, hasSessions).catch(() => null);
  if (used === true) cluster.log('PostgreSQL keeps running: another process is connected');
  else await stopCluster(cluster);
}

/** Opens the cluster and its passwords. Creates them if missing. */
async function prepare(
  dataDir: string,
  options: EmbeddedOptions,
): Promise<{ cluster: Cluster; passwords: Passwords }> {
  const cluster = await openCluster(dataDir, options);
  const isNew = (await clusterVersion(cluster.directory)) === null;
  const passwords = await readPasswords(path.join(dataDir, 'postgres-passwords.json'), isNew);
  if (isNew) {
    options.log(`creating the database in ${cluster.directory}`);
    await initCluster(cluster, passwords.superuser, options.extraSettings?.fsync !== 'off');
  }
  return { cluster, passwords };
}

/**
 * Opens the embedded PostgreSQL of a data directory: finds it running, or creates and starts it.
 * Processes that open the same directory share one server, which the last one to close stops. Each
 * process holds a shared lock on a file, which also counts while the server is down and ends with
 * the process. A killed process leaves the server running for the next.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log, signal, onLost, extraSettings, choosePort } = options;
  const dataDir = await realDirectory(path.resolve(options.dataDir));
  const lockFile = path.join(dataDir, 'lock.sqlite');
  const usersFile = path.join(dataDir, 'users.sqlite');
  const lock = (until?: AbortSignal): Promise<() => void> =>
    holdFileLock(
      lockFile,
      () => log(`waiting for another process to start or stop ${dataDir}`),
      until,
    );

  const letGo = await lock(signal);
  try {
    await chmod(lockFile, 0o600);
    const { cluster, passwords } = await prepare(dataDir, options);
    // Other processes expect their server on its previous port.
    const knownPort = isLocked(usersFile) ? await lastPort(cluster) : null;
    await chmod(usersFile, 0o600);
    const start = { extraSettings, choosePort };
    const running = await reachServer(cluster, passwords, { ...start, knownPort, signal });
    const { port } = running;
    const leaveUsers = await shareFileLock(usersFile);

    const startAgain = async (until: AbortSignal): Promise<Running> => {
      const letGoAgain = await lock(until);
      try {
        return await reachServer(cluster, passwords, { ...start, knownPort: port, signal: until });
      } finally {
        letGoAgain();
      }
    };
    const watch = onLost && watchServer({ cluster, running, startAgain, onLost });

    const leave = async (): Promise<void> => {
      await watch?.stop();
      const letGoAgain = await lock();
      try {
        leaveUsers();
        if (isLocked(usersFile)) log('PostgreSQL goes on: another process uses it');
        else await stopUnused(cluster, passwords);
      } finally {
        letGoAgain();
      }
    };
    let left: Promise<void> | undefined;
    return {
      url: urlOf(serviceName, passwords.service, port, serviceName),
      ownerUrl: urlOf(ownerName, passwords.owner, port, serviceName),
      superuserUrl: urlOf('postgres', passwords.superuser, port, 'postgres'),
      close: () => {
        left ??= leave();
        return left;
      },
    };
  } finally {
    letGo();
  }
}
