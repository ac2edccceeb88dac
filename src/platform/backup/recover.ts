import { existsSync } from 'node:fs';
import { chown, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, type Runner, run } from '../embedded/binaries.ts';
import { memorySettings } from '../embedded/memory.ts';
import { connect, type Sql } from '../postgres/connect.ts';
import { refusal } from './codes.ts';
import type { Manifest } from './manifest.ts';

export interface RecoverOptions {
  /** The server's unpacked data directory. */
  folder: string;
  binaries: Binaries;
  runner: Runner;
  base: Manifest;
  /** The last moment to include. Null is the end of the log. */
  at: Temporal.Instant | null;
}

/** A running restored server. Only this user can reach its socket. */
export interface Recovered {
  /** Returns a database's address as the superuser. */
  url(database: string): string;
  stop(): Promise<void>;
}

const port = 5432;
const longestMs = 24 * 60 * 60 * 1000;
const pauseMs = 100;
/**
 * Number of checks without a postmaster.pid before a server counts as ended, because it takes a
 * moment to write one.
 */
const mostGone = 50;
/**
 * PostgreSQL's message if the log has no commit after the target moment. The database is then in
 * its state at that moment.
 */
const nothingLater = 'recovery ended before configured recovery target was reached';

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Formats a moment for a setting. Time zone names, even `Z`, are not loaded at that point. */
const settingTime = (at: Temporal.Instant): string => at.toString().replace('Z', '+00');

/** Writes recovery settings to a separate file and leaves the backup's own unchanged. */
function settingsOf(workshop: string, { at }: RecoverOptions): string {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: String(port),
    unix_socket_directories: workshop,
    unix_socket_permissions: '0777',
    hba_file: path.join(workshop, 'hba'),
    ident_file: path.join(workshop, 'ident'),
    // A hot standby would need the primary's sizes, such as max_connections.
    hot_standby: 'off',
    // The log is already in pg_wal.
    restore_command: 'false',
    archive_mode: 'off',
    shared_preload_libraries: '',
    timezone: 'UTC',
    jit: 'off',
    ...memorySettings(),
    recovery_target_timeline: 'latest',
    recovery_target_action: 'promote',
    ...(at && { recovery_target_time: settingTime(at), recovery_target_inclusive: 'on' }),
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${quote(value)}\n`)
    .join('');
}

async function answers(url: string): Promise<boolean> {
  const sql = connect(url, { max: 1, applicationName: 'recaudo restore' });
  try {
    const [row] = await sql<{ ready: boolean }[]>`select not pg_is_in_recovery() as ready`;
    return row?.ready === true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** Starts the server and waits until it accepts writes. Throws with its log if it ends. */
async function startOnce(options: RecoverOptions, workshop: string, url: string): Promise<void> {
  const { folder, binaries, runner } = options;
  const configuration = path.join(workshop, 'postgresql.conf');
  const logFile = path.join(workshop, `log-${options.at === null ? 'end' : 'moment'}`);
  await writeFile(configuration, settingsOf(workshop, options), { mode: 0o600 });
  await writeFile(path.join(folder, 'recovery.signal'), '', { mode: 0o600 });
  await writeFile(logFile, '', { mode: 0o600 });
  if (runner.owner !== null) {
    for (const file of [configuration, logFile, path.join(folder, 'recovery.signal')]) {
      await chown(file, runner.owner.uid, runner.owner.gid);
    }
  }
  const start = [
    'start',
    '-W',
    '-D',
    folder,
    '-l',
    logFile,
    '-o',
    `-c config_file=${configuration}`,
  ];
  const started = await run(runner, binaries.program('pg_ctl'), start);
  if (!started.ok) throw new Error(`The restored server did not start: ${started.output}`);
  let gone = 0;
  for (let waited = 0; waited < longestMs; waited += pauseMs) {
    if (await answers(url)) return;
    gone = existsSync(path.join(folder, 'postmaster.pid')) ? 0 : gone + 1;
    const said = await readFile(logFile, 'utf8');
    if (gone > mostGone || /database system is shut down|aborting startup/.test(said)) {
      throw refusal('backup.recovery_failed', { said: said.trim().slice(-1500) });
    }
    await sleep(pauseMs);
  }
  throw new Error('The restored server did not recover in a day.');
}

async function stopServer({ folder, binaries, runner }: RecoverOptions): Promise<void> {
  const args = ['stop', '-w', '-t', '600', '-m', 'fast', '-D', folder];
  const { ok, output } = await run(runner, binaries.program('pg_ctl'), args);
  if (!ok && !output.includes('does not exist')) {
    throw new Error(`The restored server did not stop: ${output}`);
  }
}

/** Recovers an unpacked backup to a moment, and leaves the server running. */
export async function recover(options: RecoverOptions): Promise<Recovered> {
  const { folder, runner, base, at } = options;
  const workshop = await mkdtemp(path.join(tmpdir(), 'recaudo-recover-'));
  const auto = path.join(folder, 'postgresql.auto.conf');
  const url = (database: string): string =>
    `postgres://${encodeURIComponent(base.superuser)}@/${encodeURIComponent(database)}` +
    `?host=${encodeURIComponent(workshop)}&port=${port}`;
  const leave = async (): Promise<void> => {
    await stopServer(options);
    await rename(`${auto}.kept`, auto).catch(() => {});
    await rm(workshop, { recursive: true, force: true });
  };
  try {
    // Only users who can enter the folder reach the socket, so it needs no password.
    await writeFile(path.join(workshop, 'hba'), 'local all all trust\n', { mode: 0o600 });
    await writeFile(path.join(workshop, 'ident'), '', { mode: 0o600 });
    if (runner.owner !== null) {
      const { uid, gid } = runner.owner;
      for (const file of ['', 'hba', 'ident']) await chown(path.join(workshop, file), uid, gid);
    }
    await rename(auto, `${auto}.kept`).catch(() => {});
    try {
      await startOnce(options, workshop, url('postgres'));
    } catch (error) {
      const isWhole = error instanceof Error && error.message.includes(nothingLater);
      if (at === null || !isWhole) throw error;
      await startOnce({ ...options, at: null }, workshop, url('postgres'));
    }
    return { url, stop: leave };
  } catch (error) {
    await leave().catch(() => {});
    throw error;
  }
}

/** Opens a pool to a restored database. */
export const connectTo = (recovered: Recovered, database: string): Sql =>
  connect(recovered.url(database), { max: 4, applicationName: 'recaudo restore' });
