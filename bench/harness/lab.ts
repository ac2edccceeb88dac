import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { variables } from '../../src/config/index.ts';
import { packageRoot } from '../../src/package-root.ts';
import { openEmbedded } from '../../src/platform/embedded/embedded.ts';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { Void } from '../cases/case.ts';
import { accountId } from './rows.ts';

export const apiKey = 'rk_test_benchmark_only';

/** The service's default pool size; the reference gets the same. */
export const pool = Number(variables.DATABASE_POOL.fallback);

/**
 * Creates a directory on the disk of the service's default data directory. Removed after the case.
 */
export async function temporaryDirectory(cleanup: AsyncDisposableStack): Promise<string> {
  const parent = path.join(packageRoot(), 'data');
  await mkdir(parent, { recursive: true });
  const directory = await mkdtemp(path.join(parent, 'bench-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

export interface Lab {
  dataDir: string;
  cleanup: AsyncDisposableStack;
  /** URL of this data directory's database, as its owner. */
  url: string;
  sql: Sql;
  superuser: Sql;
  superuserUrl: string;
}

const settingsThatMakeDurable = ['fsync', 'synchronous_commit', 'full_page_writes'] as const;

/** Starts an embedded server with a new data directory, where the service will find it running. */
export async function openLab(cleanup: AsyncDisposableStack): Promise<Lab> {
  const dataDir = await temporaryDirectory(cleanup);
  const embedded = await openEmbedded({ dataDir, log: () => {} });
  cleanup.defer(() => embedded.close());
  const sql = openPool(embedded.ownerUrl, cleanup);
  const superuser = openPool(embedded.superuserUrl, cleanup);
  for (const name of settingsThatMakeDurable) {
    const [row] = await sql<{ value: string }[]>`select current_setting(${name}) as value`;
    if (row?.value !== 'on') throw new Void(`The database runs with ${name} = ${row?.value}.`);
  }
  return {
    dataDir,
    cleanup,
    url: embedded.ownerUrl,
    sql,
    superuser,
    superuserUrl: embedded.superuserUrl,
  };
}

export function openPool(url: string, cleanup: AsyncDisposableStack): Sql {
  const sql = connect(url, { max: 2, applicationName: 'recaudo bench' });
  cleanup.defer(() => sql.end({ timeout: 5 }));
  return sql;
}

export async function createDatabase(lab: Lab, name: string): Promise<{ url: string; sql: Sql }> {
  await lab.superuser.unsafe(`create database ${name} owner recaudo_owner`);
  const url = new URL(lab.url);
  url.pathname = `/${name}`;
  return { url: url.href, sql: openPool(url.href, lab.cleanup) };
}

export interface Service {
  origin: string;
  pid: number;
  /** Milliseconds from spawn to the line `ready`. */
  readyMs: number;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  dataDir: string;
  cleanup: AsyncDisposableStack;
  /** A database other than the data directory's. */
  databaseUrl?: string;
  /** The program to run. By default, the command of this checkout. */
  program?: string;
  /** Settings in addition to the defaults. */
  environment?: Record<string, string>;
}

const serviceProgram = path.join(packageRoot(), 'bin', 'recaudo.js');

const readySeconds = 180;
const stopSeconds = 60;

const readyLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = '';
    const late = new Error(`The service was not ready within ${readySeconds} s.`);
    setTimeout(reject, readySeconds * 1000, late).unref();
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const origin = /^ready (\S+)$/m.exec(said)?.[1];
      if (origin) resolve(origin);
    });
    child.once('exit', () => reject(new Error('The service ended before it was ready.')));
  });

let logs = 0;

/**
 * Starts the real service with default settings, except for ports, account, key and rate limits.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { dataDir, cleanup, databaseUrl = '', program = serviceProgram, environment } = options;
  logs += 1;
  const logFile = path.join(dataDir, `service-${logs}.log`);
  await mkdir(dataDir, { recursive: true });
  const log = await open(logFile, 'a');
  // The caller's own settings must not leak in; an empty variable counts as unset.
  const unset = Object.fromEntries(Object.keys(variables).map((name) => [name, '']));
  const begun = performance.now();
  const child = spawn(process.execPath, [program, 'serve'], {
    env: {
      ...process.env,
      ...unset,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PORT: '0',
      METRICS_PORT: '0',
      RATE_LIMIT: '0',
      // In the benchmark, all calls come from one address.
      STRANGER_RATE: '0',
      SANDBOX_ACCOUNT_ID: accountId,
      SANDBOX_API_KEY: apiKey,
      ...environment,
    },
    stdio: ['ignore', 'pipe', log.fd],
  });
  await log.close();
  let stopping = false;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      if (!stopping) process.stderr.write(`the service ended by itself: ${signal ?? code}\n`);
      resolve();
    });
  });
  const stop = async (): Promise<void> => {
    stopping = true;
    child.kill('SIGTERM');
    const impatient = setTimeout(() => child.kill('SIGKILL'), stopSeconds * 1000);
    await ended;
    clearTimeout(impatient);
  };
  cleanup.defer(stop);
  try {
    const origin = await readyLine(child);
    return { origin, pid: child.pid ?? 0, readyMs: performance.now() - begun, stop };
  } catch (error) {
    const tail = (await readFile(logFile, 'utf8')).slice(-2_000);
    throw new Error(`${String(error)}\n${tail}`);
  }
}

/** Returns an account's balance in centavos, read through the API. */
export async function balanceAt(origin: string, key = apiKey): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${origin}/account/balances`, { headers });
  if (!response.ok) throw new Void(`The balance: ${response.status} ${await response.text()}`);
  const { available_balance: available, unavailable_balance: unavailable } =
    (await response.json()) as Record<string, number>;
  return Math.round(((available ?? Number.NaN) + (unavailable ?? Number.NaN)) * 100);
}
