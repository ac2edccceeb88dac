import { existsSync } from 'node:fs';
import { chown, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, type Runner, run } from '../embedded/binaries.ts';
import { memorySettings } from '../embedded/memory.ts';
import { connect, type Sql } from '../postgres/connect.ts';
import { readBranches } from './branches.ts';
import { refusal } from './codes.ts';
import { makeTemporary } from './leftovers.ts';
import { writeLsn } from './lsn.ts';
import type { Plan } from './plan.ts';

export interface RecoverOptions {
  /** The server's unpacked data directory. */
  folder: string;
  binaries: Binaries;
  runner: Runner;
  plan: Plan;
  /** The last moment to include. Null is the end of the log. */
  at: Temporal.Instant | null;
}

/** A running restored server. Only the user that runs it can reach its socket. */
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
const pageBytes = 8192n;
/** PostgreSQL's message if a timeline has no commit after the target moment. */
const nothingLater = 'recovery ended before configured recovery target was reached';

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Formats a moment for a setting. Time zone names, even `Z`, are not loaded at that point. */
const settingTime = (at: Temporal.Instant): string => at.toString().replace('Z', '+00');

interface Target {
  at: Temporal.Instant | null;
  timeline: number;
}

/**
 * Returns the recovery settings for a separate file. The backup's own configuration stays
 * unchanged.
 */
function settingsOf(workshop: string, { at, timeline }: Target): string {
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
    recovery_target_timeline: String(timeline),
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
async function startOnce(
  { folder, binaries, runner }: RecoverOptions,
  { workshop, url }: { workshop: string; url: string },
  target: Target,
): Promise<void> {
  const configuration = path.join(workshop, 'postgresql.conf');
  const logFile = path.join(workshop, `log-${target.timeline}-${target.at ?? 'end'}`);
  await writeFile(configuration, settingsOf(workshop, target), { mode: 0o600 });
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

/**
 * Throws if recovery stopped before the end of the log, which PostgreSQL reports as success. Only
 * an end at a page boundary may cut a record, so only there it may stop a little earlier.
 */
async function mustHaveReplayed({ path: timelines, base }: Plan, url: string): Promise<void> {
  const last = timelines.at(-1)?.end ?? 0n;
  const sql = connect(url, { max: 1, applicationName: 'recaudo restore' });
  try {
    const [row] = await sql<{ history: string }[]>`
      select pg_read_file(format('pg_wal/%s.history',
        left(pg_walfile_name(pg_current_wal_lsn()), 8))) as history`;
    const end = readBranches(row?.history ?? '').at(-1)?.end ?? 0n;
    const slack = last % pageBytes === 0n ? BigInt(base.segmentBytes) : 0n;
    if (end >= last - slack) return;
    throw refusal('backup.log_unreadable', { end: writeLsn(end), last: writeLsn(last) });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Starts the server at the moment, on the timeline that contains it, so that the new timeline
 * branches off there. Without a moment, or if no commit follows it, starts it at the end of the
 * log.
 */
async function startAt(
  options: RecoverOptions,
  own: { workshop: string; url: string },
): Promise<void> {
  const { plan, at } = options;
  for (const { timeline } of at === null ? [] : plan.path) {
    try {
      return await startOnce(options, own, { at, timeline });
    } catch (error) {
      if (!(error instanceof Error && error.message.includes(nothingLater))) throw error;
    }
  }
  const timeline = plan.path.at(-1)?.timeline ?? plan.base.timeline;
  await startOnce(options, own, { at: null, timeline });
  await mustHaveReplayed(plan, own.url);
}

/** Recovers an unpacked backup to a moment, and leaves the server running. */
export async function recover(options: RecoverOptions): Promise<Recovered> {
  const { folder, runner, plan } = options;
  const { folder: workshop, remove } = await makeTemporary('start');
  const auto = path.join(folder, 'postgresql.auto.conf');
  const url = (database: string): string =>
    `postgres://${encodeURIComponent(plan.base.superuser)}@/${encodeURIComponent(database)}` +
    `?host=${encodeURIComponent(workshop)}&port=${port}`;
  const leave = async (): Promise<void> => {
    await stopServer(options);
    await rename(`${auto}.kept`, auto).catch(() => {});
    await remove();
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
    await startAt(options, { workshop, url: url('postgres') });
    return { url, stop: leave };
  } catch (error) {
    await leave().catch(() => {});
    throw error;
  }
}

export const connectTo = (recovered: Recovered, database: string): Sql =>
  connect(recovered.url(database), { max: 4, applicationName: 'recaudo restore' });
