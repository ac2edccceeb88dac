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
  type Running,
  realDirectory,
  startCluster,
  stopCluster,
} from './cluster.ts';
import { holdFileLock } from './file-lock.ts';

export interface EmbeddedOptions {
  /** DATA_DIR. The database goes into `postgres` below it. */
  dataDir: string;
  log: (message: string) => void;
  /** Settings of postgresql.conf that replace ours; they apply when this call starts the server. */
  extraSettings?: Readonly<Record<string, string>>;
  /** For tests: which ways of running as root to try, and how to choose a port. */
  rootRunners?: readonly ('namespace' | 'nobody')[];
  choosePort?: () => Promise<number>;
}

export interface Embedded {
  /** The service's database, as the role that serves: it owns nothing. */
  url: string;
  /** The same as the role that owns it and migrates; no superuser either. */
  ownerUrl: string;
  /** The superuser, for setting up only. */
  superuserUrl: string;
  /**
   * Leaves the server, and stops it if nobody else uses it. Call it after closing every pool: own
   * connections that are still open count as another user.
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
const holderName = 'recaudo holder';

/** Kept in a file that only its owner can read, and written before anything depends on it. */
async function readPasswords(file: string, create: boolean): Promise<Passwords> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text !== null) {
    const passwords = JSON.parse(text) as Passwords;
    if (passwords.owner !== undefined) return passwords;
    throw embeddedProblem(
      `The database of ${path.dirname(file)} was made by an earlier release, where one role owned ` +
        'and served: start with an empty DATA_DIR.',
    );
  }
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

/** Server is starting, stopping or recovering; or not yet listening. */
function isTooEarly(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === '57P03' || code === 'ECONNREFUSED' || code === 'ECONNRESET';
}

/** One superuser connection for `work`. Null when the server is not ready to talk. */
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
  // No parameters in such statements; the password is hexadecimal.
  if (role === undefined) await sql.unsafe(`create role ${name} login password '${password}'`);
}

/** Roles and database, each made if a killed start left it out. */
async function setUp(sql: Sql, passwords: Passwords): Promise<true> {
  await makeRole(sql, ownerName, passwords.owner);
  await makeRole(sql, serviceName, passwords.service);
  const [database] = await sql`select from pg_database where datname = ${serviceName}`;
  if (database === undefined) {
    await sql.unsafe(`create database ${serviceName} owner ${ownerName}`);
  }
  return true;
}

/** The server of this cluster, found or started. */
async function findOrStart(cluster: Cluster, options: EmbeddedOptions): Promise<Running> {
  const found = await findRunning(cluster);
  if (found !== null) return found;
  const started = await startCluster(cluster, options.extraSettings ?? {}, options.choosePort);
  cluster.log(`PostgreSQL started on port ${started.port}`);
  return started;
}

/** The server of this cluster when it answers, with role and database in it. */
async function reachServer(
  cluster: Cluster,
  passwords: Passwords,
  options: EmbeddedOptions,
): Promise<Running> {
  const pause = 100;
  for (let waited = 0; waited < 300_000; waited += pause) {
    const running = await findOrStart(cluster, options);
    const url = urlOf('postgres', passwords.superuser, running.port, 'postgres');
    // A start or stop that somebody was killed in may still be going on.
    const ready = Number.isInteger(running.port)
      ? await asSuperuser(url, (sql) => setUp(sql, passwords))
      : null;
    if (ready === true) return running;
    await sleep(pause);
  }
  throw embeddedProblem(`The database in ${cluster.directory} runs but does not answer.`);
}

/**
 * One session for as long as this process uses the server. The others see it, and it ends with
 * the process. It listens, because such a connection is opened again when it is lost.
 */
async function holdOn(url: string, name: string): Promise<() => Promise<void>> {
  const holder = connect(url, { max: 1, applicationName: name });
  await holder.listen({ recaudo_holder: () => {} });
  return () => holder.end();
}

/** True if another process uses the server: one that holds on, or a session of anybody's. */
async function isUsed(sql: Sql, ownName: string): Promise<boolean> {
  for (let round = 0; round < 40; round += 1) {
    const sessions = await sql<{ name: string }[]>`
      select application_name as name from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()
        and application_name <> ${ownName}`;
    if (sessions.length === 0) return false;
    if (sessions.some(({ name }) => name.startsWith(holderName))) return true;
    // Sessions that this process has just closed take a moment to go.
    await sleep(25);
  }
  return true;
}

/**
 * The embedded PostgreSQL of a data directory: found running, or created and started. Any number
 * of processes may open the same directory at once; they share one server, and the last to close
 * stops it. A process that is killed leaves the server running for the next one.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log } = options;
  const dataDir = await realDirectory(path.resolve(options.dataDir));
  const lockFile = path.join(dataDir, 'lock.sqlite');
  const lock = (): Promise<() => void> =>
    holdFileLock(lockFile, () => log(`waiting for another process to start or stop ${dataDir}`));

  const letGo = await lock();
  try {
    await chmod(lockFile, 0o600);
    const cluster = await openCluster(dataDir, options);
    const isNew = (await clusterVersion(cluster.directory)) === null;
    const passwords = await readPasswords(path.join(dataDir, 'postgres-passwords.json'), isNew);
    if (isNew) {
      log(`creating the database in ${cluster.directory}`);
      await initCluster(cluster, passwords.superuser, options.extraSettings?.fsync !== 'off');
    }
    const { port } = await reachServer(cluster, passwords, options);
    const url = urlOf(serviceName, passwords.service, port, serviceName);
    const ownerUrl = urlOf(ownerName, passwords.owner, port, serviceName);
    const superuserUrl = urlOf('postgres', passwords.superuser, port, 'postgres');
    const name = `${holderName} ${process.pid} ${randomBytes(4).toString('hex')}`;
    const release = await holdOn(url, name);

    const leave = async (): Promise<void> => {
      const letGoAgain = await lock();
      try {
        await release();
        const used = await asSuperuser(superuserUrl, (sql) => isUsed(sql, name));
        if (used === true) log('PostgreSQL goes on: another process uses it');
        if (used === false) await stopCluster(cluster);
      } finally {
        letGoAgain();
      }
    };
    let left: Promise<void> | undefined;
    return {
      url,
      ownerUrl,
      superuserUrl,
      close: () => {
        left ??= leave();
        return left;
      },
    };
  } finally {
    letGo();
  }
}
