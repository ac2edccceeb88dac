import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Embedded, openEmbedded } from '../../src/platform/embedded/embedded.ts';
import { connect } from '../../src/platform/postgres/connect.ts';

/** The data ends with the test, so durability is off. */
const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

export interface TestServer {
  server: Embedded;
  dataDir: string;
  /** Runs statements as superuser in the service's database. Returns the last statement's rows. */
  run(statement: string): Promise<Record<string, unknown>[]>;
  /** Kills the main process, so that the server stops without a shutdown, as in a crash. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

const within = (superuserUrl: string): string => {
  const url = new URL(superuserUrl);
  url.pathname = '/recaudo';
  return url.href;
};

const serializationFailure = '40001';

/** Repeats work that a standby cancels because it conflicts with replay. */
async function unlessRecovering<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code !== serializationFailure) throw error;
    }
  }
}

async function open(dataDir: string, settings: Record<string, string>): Promise<TestServer> {
  const server = await openEmbedded({
    dataDir,
    log: () => {},
    extraSettings: { ...fast, autovacuum: 'off', ...settings },
  });
  return {
    server,
    dataDir,
    async run(statement) {
      const sql = connect(within(server.superuserUrl), { max: 1, applicationName: 'test' });
      try {
        return await unlessRecovering(() => sql.unsafe(statement));
      } finally {
        await sql.end();
      }
    },
    async kill() {
      const file = path.join(dataDir, 'postgres/postmaster.pid');
      const [pid] = (await readFile(file, 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
    },
    async close() {
      await server.close().catch(() => {});
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const newDirectory = (): Promise<string> => mkdtemp(path.join(tmpdir(), 'recaudo-standby-'));

/** Opens a separate server from which standbys can be created. */
export const openPrimary = async (): Promise<TestServer> =>
  open(await newDirectory(), { wal_keep_size: '256MB', max_connections: '60' });

/**
 * Opens a standby that streams from the server. Copies the server's files while it runs, like
 * pg_basebackup.
 */
export async function openStandby({ server, dataDir }: TestServer): Promise<TestServer> {
  const copy = await newDirectory();
  const from = path.join(dataDir, 'postgres');
  const to = path.join(copy, 'postgres');
  const sql = connect(server.superuserUrl, { max: 1, applicationName: 'standby_copy' });
  try {
    await sql`select pg_backup_start('standby', true)`;
    execFileSync('cp', ['-a', from, to]);
    const [backup] = await sql<
      { labelfile: string }[]
    >`select labelfile from pg_backup_stop(false)`;
    await writeFile(path.join(to, 'backup_label'), backup?.labelfile ?? '');
  } finally {
    await sql.end();
  }
  execFileSync('cp', [path.join(dataDir, 'postgres-passwords.json'), copy]);
  await rm(path.join(to, 'postmaster.pid'), { force: true });
  await rm(path.join(to, 'pg_wal'), { recursive: true });
  await mkdir(path.join(to, 'pg_wal/archive_status'), { recursive: true, mode: 0o700 });
  await writeFile(path.join(to, 'standby.signal'), '');
  const { username, password, port } = new URL(server.superuserUrl);
  await appendFile(
    path.join(to, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password}'\n`,
  );
  return await open(copy, {
    wal_keep_size: '256MB',
    max_connections: '60',
    max_standby_streaming_delay: '1s',
  });
}
