import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import { recaudo, startRecaudo } from '../cli/run.ts';
import { type BackupDesk, openBackupDesk, storeLog } from './backups.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

const soon = { timeout: 120_000, interval: 10 };

let desk: BackupDesk;
/** A complete backup, followed by log. */
let whole: string;

beforeAll(async () => {
  desk = await openBackupDesk();
  // Incompressible bytes, so that a backup has several pieces.
  await doing('command', async () => {
    await desk.sql`create table filler as
      select gen_random_uuid() as a, gen_random_uuid() as b, gen_random_uuid() as c
      from generate_series(1, 500000)`;
  });
  const ran = await desk.run('backup', 'create', '--json');
  expect(ran).toMatchObject({ code: 0 });
  whole = JSON.parse(ran.stdout).id;
  await storeLog(desk.database, desk.sql, desk.store);
  await desk.sql`create table later as select 1 as n`;
  await storeLog(desk.database, desk.sql, desk.store);
});
afterAll(() => desk?.close());

const filesOf = async (store: string): Promise<string[]> =>
  (await readdir(store, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();

let copies = 0;
/** Copies the store, so that a test may damage the copy. */
async function copied(): Promise<{ store: string; to: string; run: BackupDesk['run'] }> {
  copies += 1;
  const store = path.join(desk.folder, `copy-${copies}`);
  await cp(desk.store, store, { recursive: true });
  const env = { ...desk.env, BACKUP_TO: `file://${store}` };
  return {
    store,
    to: path.join(desk.folder, `to-${copies}`),
    run: (...args) => recaudo(args, env),
  };
}

async function changeByte(file: string): Promise<void> {
  const bytes = await readFile(file);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9);
  await writeFile(file, bytes);
}

const isPiece = (file: string): boolean => file.endsWith(path.join(whole, '00002'));
const isLog = (file: string): boolean => /log\/\d{8}\/[0-9A-F]{16}-/.test(file);

const damages: [string, (files: string[]) => Promise<unknown>, string][] = [
  [
    'a changed piece',
    (files) => changeByte(files.find(isPiece) ?? ''),
    '00002 of the backup is damaged',
  ],
  ['a cut piece', (files) => truncate(files.find(isPiece) ?? '', 1000), 'No backup'],
  ['a missing piece', (files) => rm(files.find(isPiece) ?? ''), 'No backup'],
  [
    'exchanged pieces',
    async (files) => {
      const second = files.find(isPiece) ?? '';
      await cp(second.replace(/2$/, '1'), second);
    },
    '(damaged)',
  ],
  [
    'a missing manifest',
    (files) => rm(files.find((file) => file.endsWith('manifest')) ?? ''),
    'No backup',
  ],
  ['changed log', (files) => changeByte(files.findLast(isLog) ?? ''), 'of the backup is damaged'],
  ['missing log', (files) => rm(files.findLast(isLog) ?? ''), 'is missing from'],
];

test.each(damages)('reports %s, and leaves no restored database', async (_name, damage, text) => {
  const { store, to, run } = await copied();
  await damage(await filesOf(store));
  const ran = await run('restore', '--to', to);
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(text) });
  expect(existsSync(path.join(to, 'postgres'))).toBe(false);
});

test('replays the log after restoring the base backup, to its end or to a given moment', async () => {
  const { to, run } = await copied();
  expect(await run('restore', '--to', to)).toMatchObject({ code: 0 });
  const read = (folder: string) =>
    desk.restored(folder, async (sql) => {
      const [row] = await sql<
        { there: boolean }[]
      >`select to_regclass('later') is not null as there`;
      return row?.there;
    });
  expect(await read(to)).toBe(true);
  const listed = JSON.parse((await run('backup', 'list', '--json')).stdout);
  const { ended } = listed[0];
  expect(await run('restore', '--to', `${to}-base`, '--at', ended)).toMatchObject({ code: 0 });
  expect(await read(`${to}-base`)).toBe(false);
});

test('continues the log after the record of its end is damaged, and replaces the record', async () => {
  const { store, run } = await copied();
  await changeByte(path.join(store, 'log/reached'));
  const damaged = await run('backup', 'list');
  expect(damaged).toMatchObject({ code: 0, stdout: expect.stringContaining(whole) });
  expect(damaged.stdout).toMatch(/log\/reached of the backup is damaged.*\n.*reaches \S+ or later/);
  await desk.sql`create table after_damage as select 1 as n`;
  await storeLog(desk.database, desk.sql, store);
  expect((await run('backup', 'list')).stdout).not.toContain('damaged');
});

test('reports a key with wrong bytes or a wrong id in a restore', async () => {
  const key = Buffer.alloc(32, 3).toString('base64');
  const ask = (keys: string) =>
    recaudo(['restore', '--to', path.join(desk.folder, 'x')], { ...desk.env, BACKUP_KEYS: keys });
  expect((await ask(`b1:${key}`)).stderr).toContain('different key than "b1" in BACKUP_KEYS');
  expect((await ask(`b2:${key}`)).stderr).toContain('needs the key "b1"');
});

test('treats a killed backup as incomplete, and restores the previous one', async () => {
  const { store, to, run } = await copied();
  const env = { ...desk.env, BACKUP_TO: `file://${store}` };
  const { child } = startRecaudo(['backup', 'create'], env);
  const closed = once(child, 'close');
  const base = path.join(store, 'base');
  const begun = async () =>
    (await readdir(base, { recursive: true }))
      .map((name) => name.split(path.sep))
      .find(([id, piece = '']) => id !== whole && /^\d+$/.test(piece))?.[0];
  await vi.waitFor(async () => expect(await begun()).toBeDefined(), soon);
  child.kill('SIGKILL');
  await closed;
  const id = (await begun()) ?? '';
  const rows: { id: string; state: string }[] = JSON.parse(
    (await run('backup', 'list', '--json')).stdout,
  );
  expect(rows.map((row) => [row.id, row.state])).toEqual([
    [whole, 'whole'],
    [id, 'incomplete'],
  ]);
  const named = await run('restore', '--to', to, '--backup', id);
  expect(named).toMatchObject({ code: 1, stderr: expect.stringContaining('is incomplete') });
  expect(await run('restore', '--to', to)).toMatchObject({ code: 0 });
});

test('leaves no database after a killed restore, which the next restore reports', async () => {
  const { to, run } = await copied();
  const { child } = startRecaudo(['restore', '--to', to], desk.env);
  const closed = once(child, 'close');
  const unfinished = path.join(to, 'postgres.restoring', 'base');
  await vi.waitFor(() => expect(existsSync(unfinished)).toBe(true), soon);
  child.kill('SIGKILL');
  await closed;
  expect(existsSync(path.join(to, 'postgres'))).toBe(false);
  const again = await run('restore', '--to', to);
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('contains an interrupted restore'),
  });
});

test('accepts backups of a single database per store', async () => {
  const { store } = await copied();
  const other = await openBackupDesk();
  try {
    const ran = await recaudo(['backup', 'create'], { ...other.env, BACKUP_TO: `file://${store}` });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('of another database') });
  } finally {
    await other.close();
  }
});

test('completes both of two concurrent backups', async () => {
  const { run } = await copied();
  const both = await Promise.all([run('backup', 'create'), run('backup', 'create')]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const rows = JSON.parse((await run('backup', 'list', '--json')).stdout);
  expect(rows.map(({ state }: { state: string }) => state)).toEqual(['whole', 'whole', 'whole']);
});

test('stores backups in a bucket, where an outage midway leaves none that looks complete', async () => {
  const directory = path.join(desk.folder, 'bucket');
  await mkdir(directory);
  const open = async (port: number) => {
    const server = new S3rver({
      ...{ address: '127.0.0.1', port, silent: true, directory, vhostBuckets: false },
      configureBuckets: [{ name: 'backups' }],
    });
    return { server, port: (await server.run()).port };
  };
  const { server, port } = await open(0);
  const env = {
    ...desk.env,
    BACKUP_TO: `http://127.0.0.1:${port}/backups/recaudo`,
    BACKUP_ACCESS_KEY_ID: 'S3RVER',
    BACKUP_SECRET_ACCESS_KEY: 'S3RVER',
  };
  const run = (...args: string[]) => recaudo(args, env);
  expect(await run('backup', 'create')).toMatchObject({ code: 0 });
  const drilled = await run('backup', 'drill');
  expect(drilled).toMatchObject({ code: 0, stdout: expect.stringContaining('add up') });

  const { child, ran } = startRecaudo(['backup', 'create'], env);
  const closed = once(child, 'close');
  const base = path.join(directory, 'backups', 'recaudo', 'base');
  const [first = ''] = await readdir(base);
  const begun = async () => (await readdir(base)).some((name) => name !== first);
  await vi.waitFor(async () => expect(await begun()).toBe(true), soon);
  server.httpServer.closeAllConnections();
  await server.close();
  const [code] = await closed;
  expect([code, ran.stderr]).toEqual([1, expect.stringContaining('The store http')]);
  const doctor: { what: string; state: string; found: string }[] = JSON.parse(
    (await run('doctor', '--json')).stdout,
  );
  expect(doctor.find(({ what }) => what === 'backups')).toMatchObject({
    state: 'broken',
    found: expect.stringContaining('backup failed: The store http'),
  });

  const back = await open(port);
  const rows = JSON.parse((await run('backup', 'list', '--json')).stdout);
  expect(rows.filter(({ state }: { state: string }) => state === 'whole')).toHaveLength(1);
  expect(await run('backup', 'create')).toMatchObject({ code: 0 });
  await back.server.close();
});
