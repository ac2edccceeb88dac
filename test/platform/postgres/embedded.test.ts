import { stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Embedded,
  type EmbeddedOptions,
  openEmbedded,
} from '../../../src/platform/embedded/embedded.ts';
import { connect, type Sql } from '../../../src/platform/postgres/connect.ts';
import { forgetful } from '../../../src/platform/postgres/durability.ts';
import {
  isAlive,
  killServer,
  serverPid,
  sessionOf,
  startChild,
  temporaryDirectory,
} from './embedded-tools.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let dataDir: string;
let messages: string[];

beforeEach(async () => {
  directory = await temporaryDirectory();
  dataDir = path.join(directory.path, 'data');
  messages = [];
});
afterEach(() => directory.remove());

const open = (options: Partial<EmbeddedOptions> = {}): Promise<Embedded> =>
  openEmbedded({ dataDir, log: (message) => messages.push(message), ...options });

async function using<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(url, { max: 1, applicationName: 'test' });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

const portOf = (url: string): string => new URL(url).port;

function runningPid(): number {
  const pid = serverPid(dataDir);
  if (pid === null) throw new Error('no server runs');
  return pid;
}

describe('an embedded database', () => {
  test('is a durable PostgreSQL 18 with an owner and a serving role, neither of them superuser', async () => {
    const embedded = await open();
    const [row] = await using(
      embedded.url,
      (sql) => sql`
        select current_user as role, current_database() as name,
          (select rolsuper or rolcreaterole or rolcreatedb or rolreplication from pg_roles
            where rolname = current_user) as powerful,
          (select datdba::regrole::text from pg_database where datname = current_database()) as owner,
          current_setting('server_version_num')::int / 10000 as major,
          current_setting('fsync') as fsync, current_setting('synchronous_commit') as sync,
          current_setting('full_page_writes') as pages, current_setting('server_encoding') as encoding,
          current_setting('listen_addresses') as listens, lower('ÑANDÚ') as lower`,
    );
    expect(row).toEqual({
      role: 'recaudo',
      name: 'recaudo',
      powerful: false,
      owner: 'recaudo_owner',
      major: 18,
      fsync: 'on',
      sync: 'on',
      pages: 'on',
      encoding: 'UTF8',
      listens: '127.0.0.1',
      lower: 'ñandú',
    });
    expect(await using(embedded.url, forgetful)).toBeNull();
    await embedded.close();
  });

  test('requires its password, which only its owner can read', async () => {
    const embedded = await open();
    const wrong = new URL(embedded.url);
    wrong.password = 'guess';
    await expect(using(wrong.href, (sql) => sql`select 1`)).rejects.toMatchObject({
      code: '28P01',
    });
    for (const file of ['postgres-passwords.json', 'postgres.log', 'lock.sqlite', 'users.sqlite']) {
      expect((await stat(path.join(dataDir, file))).mode & 0o077).toBe(0);
    }
    await embedded.close();
  });

  test('keeps its data when stopped, and stops only with its last user', async () => {
    const first = await open();
    await using(first.ownerUrl, (sql) => sql`create table kept as select 42 as n`);
    const second = await open();
    const pid = runningPid();
    expect(portOf(second.url)).toBe(portOf(first.url));
    await first.close();
    expect(isAlive(pid)).toBe(true);
    await using(second.url, (sql) => sql`select 1`);
    await second.close();
    await second.close();
    expect(serverPid(dataDir)).toBeNull();
    const third = await open();
    const [row] = await using(third.ownerUrl, (sql) => sql`select n from kept`);
    expect(row?.n).toBe(42);
    await third.close();
  });

  test('runs as long as any client is connected', async () => {
    const embedded = await open();
    await using(embedded.superuserUrl, async (sql) => {
      await sql`select 1`;
      await embedded.close();
      expect(await sql`select 1`).toHaveLength(1);
    });
    expect(serverPid(dataDir)).not.toBeNull();
    await (await open()).close();
    expect(serverPid(dataDir)).toBeNull();
  });

  test('runs in its own session, so that Ctrl-C on the terminal does not reach it', async () => {
    const embedded = await open();
    expect(sessionOf(runningPid())).toBe(runningPid());
    expect(sessionOf(runningPid())).not.toBe(sessionOf(process.pid));
    await embedded.close();
  });

  test('runs alongside another one', async () => {
    const other = path.join(directory.path, 'other');
    const [one, two] = await Promise.all([open(), open({ dataDir: other })]);
    expect(portOf(one.url)).not.toBe(portOf(two.url));
    await using(one.ownerUrl, (sql) => sql`create table mine (n int)`);
    const [row] = await using(two.url, (sql) => sql`select to_regclass('mine') as mine`);
    expect(row?.mine).toBeNull();
    await Promise.all([one.close(), two.close()]);
  });
});

describe('processes that share an embedded database', () => {
  test('lets processes start at once in an empty directory, and the last one stops the database', async () => {
    const children = await Promise.all(
      [1, 2, 3].map(() => startChild('opens-database.ts', dataDir)),
    );
    const said = children.map((child) => JSON.parse(child.said));
    expect(new Set(said.map(({ url }) => url)).size).toBe(1);
    expect(said.map(({ role }) => role)).toEqual(['recaudo', 'recaudo', 'recaudo']);
    const pid = runningPid();
    const [last, ...others] = children;
    expect(await Promise.all(others.map((child) => child.finish()))).toEqual([0, 0]);
    expect(isAlive(pid)).toBe(true);
    expect(await last?.finish()).toBe(0);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test('stops the database when all processes leave together', async () => {
    const children = await Promise.all([1, 2].map(() => startChild('opens-database.ts', dataDir)));
    await Promise.all(children.map((child) => child.finish()));
    expect(serverPid(dataDir)).toBeNull();
  });

  test('finds the database running after the process that started it was killed', async () => {
    const child = await startChild('opens-database.ts', dataDir);
    const pid = runningPid();
    await child.kill();
    const embedded = await open();
    expect(serverPid(dataDir)).toBe(pid);
    expect(embedded.url).toBe(JSON.parse(child.said).url);
    await using(embedded.url, (sql) => sql`select 1`);
    await embedded.close();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test('finds every committed write after all processes were killed at once', async () => {
    const child = await startChild('opens-database.ts', dataDir);
    const { ownerUrl: url } = JSON.parse(child.said);
    await using(url, async (sql) => {
      await sql`create table paid as select generate_series(1, 1000) as n`;
      killServer(runningPid());
      await child.kill();
    });
    const embedded = await open();
    const [row] = await using(embedded.ownerUrl, (sql) => sql`select count(*) as count from paid`);
    expect(row?.count).toBe(1000);
    await embedded.close();
  });
});
