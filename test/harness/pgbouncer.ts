import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../src/platform/http/free-port.ts';

const candidates = [process.env.PGBOUNCER ?? '', '/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'];

interface Installed {
  program: string;
  /** True from version 1.21 on, which keeps prepared statements in transaction mode. */
  keepsStatements: boolean;
}

/** Finds this machine's PgBouncer. Returns null if there is none. */
export function findPgbouncer(): Installed | null {
  for (const program of candidates) {
    if (program === '') continue;
    const { stdout, status } = spawnSync(program, ['--version'], { encoding: 'utf8' });
    const version = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '');
    if (status !== 0 || !version) continue;
    return { program, keepsStatements: Number(version[1]) > 1 || Number(version[2]) >= 21 };
  }
  return null;
}

interface Pooler {
  url: string;
  close(): Promise<void>;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

/** Opens PgBouncer in transaction mode with this many connections to a database. */
export async function openPooler(
  { program, keepsStatements }: Installed,
  databaseUrl: string,
  connections: number,
): Promise<Pooler> {
  const target = new URL(databaseUrl);
  const name = target.pathname.slice(1);
  const directory = await mkdtemp(path.join(tmpdir(), 'recaudo-pgbouncer-'));
  await chmod(directory, 0o755);
  const port = await freePort('127.0.0.1');
  const file = path.join(directory, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
${name} = host=127.0.0.1 port=${target.port} dbname=${name} user=${target.username} password=${target.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
${keepsStatements ? 'max_prepared_statements = 100' : ''}
`,
    { mode: 0o644 },
  );
  // PgBouncer refuses to run as root.
  const asNobody = process.geteuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const child = spawn(program, [file], { stdio: ['ignore', 'ignore', 'pipe'], ...asNobody });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => {
    said += bytes.toString();
    if (/process up/.test(said)) resolve();
  });
  child.once('error', reject);
  child.once('close', () => reject(new Error(said)));
  await promise;
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    async close() {
      await stop(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
