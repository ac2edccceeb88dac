import { spawnSync } from 'node:child_process';
import { cp, mkdir, truncate } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { backUp as backUpWith } from '../../src/cli/backup/daemon.ts';
import { readConfig } from '../../src/config/index.ts';
import { removeOld } from '../../src/platform/backup/keep.ts';
import { findBases, type Manifest, writeManifest } from '../../src/platform/backup/manifest.ts';
import { planRestore } from '../../src/platform/backup/plan.ts';
import { type BackupParts, takeBase } from '../../src/platform/backup/take.ts';
import { openEmbedded } from '../../src/platform/embedded/embedded.ts';
import { environmentOf, recaudo } from '../cli/run.ts';
import { bundledProgram } from '../harness/built.ts';
import { type BackupDesk, openBackupDesk, partsOf, storeLog, superuserOf } from './backups.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let desk: BackupDesk;
/** Base backups, oldest first, each with log after it. */
const ids: string[] = [];

async function backUp(): Promise<void> {
  const ran = await desk.run('backup', 'create', '--json');
  expect(ran).toMatchObject({ code: 0 });
  ids.push(JSON.parse(ran.stdout).id);
  await storeLog(desk.database, desk.sql, desk.store);
}

beforeAll(async () => {
  desk = await openBackupDesk();
  await desk.sql`create table one as select 1 as n`;
  await backUp();
  await desk.sql`create table two as select 1 as n`;
  await storeLog(desk.database, desk.sql, desk.store);
  await backUp();
});
afterAll(() => desk?.close());

let copies = 0;
async function copied(): Promise<string> {
  copies += 1;
  const store = path.join(desk.folder, `copy-${copies}`);
  await cp(desk.store, store, { recursive: true });
  return store;
}

const wholeOf = async ({ store, keys }: BackupParts) =>
  (await findBases(store, keys)).flatMap((one) => (one.state === 'whole' ? [one.manifest] : []));

/** Plans a restore of each whole backup to the end of the log, which throws if log is missing. */
async function mustRestore(parts: BackupParts): Promise<string[]> {
  const whole = await wholeOf(parts);
  for (const { id } of whole) await planRestore(parts.store, parts.keys, { at: null, id });
  return whole.map(({ id }) => id);
}

/** Returns the same parts with a clock that shows this moment. */
function asOf(parts: BackupParts, moment: Temporal.Instant): BackupParts {
  return { ...parts, wall: { now: () => moment, nowMs: () => moment.epochMilliseconds } };
}

test('keeps every backup, with its log, that a restore within the kept days needs', async () => {
  const parts = partsOf(await copied());
  const [, second] = await wholeOf(parts);
  const ended = Temporal.Instant.from(second?.endedAt ?? '');
  // A day before this moment, only the first backup had ended.
  const early = asOf(parts, ended.add({ hours: 24 }).subtract({ milliseconds: 1 }));
  expect(await removeOld(early, 1)).toBe(0);
  expect(await mustRestore(parts)).toEqual(ids);
  const before = await parts.store.list('log');
  expect(await removeOld(asOf(parts, ended.add({ hours: 25 })), 1)).toBe(1);
  expect(await mustRestore(parts)).toEqual(ids.slice(1));
  expect((await parts.store.list('log')).length).toBeLessThan(before.length);
});

test('leaves every remaining backup restorable, wherever a removal is cut short', async () => {
  let steps = 0;
  for (let isCut = true; isCut; steps += 1) {
    const parts = partsOf(await copied());
    const [, second] = await wholeOf(parts);
    let left = steps;
    const store: BackupParts['store'] = {
      ...parts.store,
      async remove(name) {
        if (left === 0) throw new Error('the process ended');
        left -= 1;
        await parts.store.remove(name);
      },
    };
    const late = Temporal.Instant.from(second?.endedAt ?? '').add({ hours: 25 });
    const cut = await removeOld(asOf({ ...parts, store }, late), 1).catch(() => null);
    isCut = cut === null;
    expect(await mustRestore(parts)).toContain(ids[1]);
    // The next run removes the rest.
    await removeOld(asOf(parts, late.add({ hours: 24 })), 1);
    expect(await mustRestore(parts)).toEqual(ids.slice(1));
  }
  expect(steps).toBeGreaterThan(3);
});

test('backs up a restored server on its new timeline, next to the older history', async () => {
  const store = await copied();
  const env = { ...desk.env, BACKUP_TO: `file://${store}` };
  const restored = path.join(desk.folder, 'restored');
  expect(await recaudo(['restore', '--to', restored], env)).toMatchObject({ code: 0 });
  const server = await openEmbedded({ dataDir: restored, log: () => {} });
  const sql = superuserOf(server);
  try {
    await sql`create table three as select 1 as n`;
    await storeLog(server, sql, store);
    const created = await recaudo(['backup', 'create'], { ...env, DATA_DIR: restored });
    expect(created).toMatchObject({ code: 0 });
    await sql`create table four as select 1 as n`;
    await storeLog(server, sql, store);
  } finally {
    await sql.end();
    await server.close();
  }
  const parts = partsOf(store);
  expect((await wholeOf(parts)).map(({ timeline }) => timeline)).toEqual([1, 1, 2]);
  expect(await mustRestore(parts)).toHaveLength(3);
  const tables = async (folder: string, ...args: string[]): Promise<string[]> => {
    const to = path.join(desk.folder, folder);
    const ran = await recaudo(['restore', '--to', to, ...args], env);
    expect(ran).toMatchObject({ code: 0 });
    return await desk.restored(to, async (own) => {
      const rows = await own<{ name: string }[]>`
        select relname::text as name from pg_class
        where relname = any('{one,two,three,four}'::text[]) order by 1`;
      return rows.map(({ name }) => name);
    });
  };
  // From a backup before the restore, through both timelines, to the end.
  expect(await tables('late', '--backup', ids[0] ?? '')).toEqual(['four', 'one', 'three', 'two']);
  const [first] = await wholeOf(parts);
  expect(await tables('early', '--at', first?.endedAt ?? '')).toEqual(['one']);
});

const canMount =
  spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0;
test.skipIf(!canMount)(
  'reports a full store, and does not list the cut-off backup as whole',
  async () => {
    const store = path.join(desk.folder, 'small');
    await mkdir(store);
    const script =
      'mount -t tmpfs -o size=1m tmpfs "$0" && { "$@" backup create --json; "$@" backup list --json; }';
    const program = [process.execPath, ...bundledProgram];
    const ran = spawnSync('unshare', ['-Urm', 'sh', '-c', script, store, ...program], {
      env: environmentOf({ ...desk.env, BACKUP_TO: `file://${store}` }),
      encoding: 'utf8',
    });
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: 'unavailable',
      error_code: 'backup.store_full',
      message: `The store ${store} has no space left: ENOSPC`,
    });
    const rows: { state: string }[] = JSON.parse(ran.stdout);
    expect(rows.filter(({ state }) => state === 'whole')).toEqual([]);
    const doctor: { what: string }[] = JSON.parse((await desk.run('doctor', '--json')).stdout);
    expect(doctor.find(({ what }) => what === 'backups')).toMatchObject({
      state: 'broken',
      found: `backup failed: The store ${store} has no space left: ENOSPC`,
    });
  },
);

test('prints an error code for each refusal with --json', async () => {
  const to = path.join(desk.folder, 'none');
  const ask = async (args: string[], changed: Record<string, string>) => {
    const ran = await recaudo([...args, '--json'], { ...desk.env, ...changed });
    expect(ran.code).toBe(1);
    return JSON.parse(ran.stderr).error_code;
  };
  expect(await ask(['backup', 'list'], { BACKUP_TO: '', BACKUP_KEYS: '' })).toBe(
    'backup.not_configured',
  );
  const empty = { BACKUP_TO: `file://${desk.folder}/empty` };
  expect(await ask(['restore', '--to', to], empty)).toBe('backup.none');
  expect(await ask(['restore', '--to', to, '--backup', 'x'], {})).toBe('backup.not_found');
  expect(await ask(['restore', '--to', desk.folder], {})).toBe('backup.folder_taken');
  const late = ['--at', '2100-01-01T00:00:00Z'];
  expect(await ask(['restore', '--to', to, ...late], {})).toBe('backup.too_late');
  const key = `b9:${Buffer.alloc(32, 3).toString('base64')}`;
  expect(await ask(['backup', 'list'], { BACKUP_KEYS: key })).toBe('backup.key_missing');
});

/** Replaces the first backup's manifest. Returns the store of the copy. */
async function withFirst(change: (manifest: Manifest, store: string) => Promise<void>) {
  const store = await copied();
  const parts = partsOf(store);
  const [first] = await wholeOf(parts);
  if (first === undefined) throw new Error('no backup');
  await change(first, store);
  return { store, parts, first };
}

const statesOf = async ({ store, keys }: BackupParts) =>
  (await findBases(store, keys)).map(({ state }) => state);

async function mustTakeAnother(store: string): Promise<void> {
  const env = { ...desk.env, BACKUP_TO: `file://${store}` };
  expect(await recaudo(['backup', 'create'], env)).toMatchObject({ code: 0 });
  expect(await recaudo(['backup', 'list'], env)).toMatchObject({ code: 0 });
}

test('lists, takes, restores and removes backups next to one with a damaged manifest', async () => {
  const { store, parts, first } = await withFirst(async ({ id }, folder) => {
    await truncate(path.join(folder, 'base', id, 'manifest'), 100);
  });
  expect(await statesOf(parts)).toEqual(['damaged', 'whole']);
  await mustTakeAnother(store);
  const plan = (id: string | null) => planRestore(parts.store, parts.keys, { at: null, id });
  expect((await plan(null)).base.id).not.toBe(first.id);
  await expect(plan(first.id)).rejects.toMatchObject({ errorCode: 'backup.not_whole' });
  const late = Temporal.Now.instant().add({ hours: 48 });
  expect(await removeOld(asOf(parts, late), 1)).toBe(2);
  expect(await statesOf(parts)).toEqual(['whole']);
});

test('reports the missing key of one backup, and still takes, restores and removes backups', async () => {
  const { store, parts, first } = await withFirst(async (manifest, folder) => {
    const other = [{ id: 'b7', key: Buffer.alloc(32, 7) }] as const;
    await writeManifest(partsOf(folder).store, [...other], manifest);
  });
  const [locked, second] = await findBases(parts.store, parts.keys);
  expect(locked).toMatchObject({
    state: 'locked',
    why: expect.stringContaining('needs the key "b7"'),
  });
  if (second?.state !== 'whole') throw new Error('the second backup is not whole');
  const plan = (at: string | null, id: string | null = null) =>
    planRestore(parts.store, parts.keys, {
      at: at === null ? null : Temporal.Instant.from(at),
      id,
    });
  const missing = { errorCode: 'backup.key_missing' };
  expect((await plan(null)).base.id).toBe(second.id);
  await expect(plan(null, first.id)).rejects.toMatchObject(missing);
  // Only the backup that cannot be read could restore an earlier moment.
  await expect(plan(first.endedAt)).rejects.toMatchObject(missing);
  const log = await parts.store.list('log');
  // It may be needed for a moment within the kept days.
  const ended = Temporal.Instant.from(second.manifest.endedAt);
  expect(await removeOld(asOf(parts, ended.add({ hours: 23 })), 1)).toBe(0);
  expect(await parts.store.list('log')).toEqual(log);
  await mustTakeAnother(store);
  expect(await removeOld(asOf(parts, ended.add({ hours: 24 })), 1)).toBe(1);
  expect(await statesOf(parts)).toEqual(['whole', 'whole']);
});

test('takes and removes nothing while the keys of all backups are missing', async () => {
  const store = await copied();
  const parts: BackupParts = {
    ...partsOf(store),
    keys: [{ id: 'b7', key: Buffer.alloc(32, 7) }],
  };
  const before = await parts.store.list('base');
  const source = { url: desk.database.superuserUrl, database: 'recaudo', production: false };
  await expect(takeBase(parts, source)).rejects.toMatchObject({ errorCode: 'backup.key_missing' });
  expect(await removeOld(asOf(parts, Temporal.Now.instant().add({ hours: 1000 })), 1)).toBe(0);
  expect(await parts.store.list('base')).toEqual(before);
});

test('stores a backup but removes none with a clock that differs from the server’s', async () => {
  const parts = partsOf(await copied());
  const ahead = asOf(parts, Temporal.Now.instant().add({ hours: 1000 }));
  const config = readConfig({ ...desk.env, BACKUP_KEEP_DAYS: '1' });
  const source = { url: desk.database.superuserUrl, database: 'recaudo', production: false };
  await expect(backUpWith({ config, parts: ahead, source }, desk.sql)).rejects.toMatchObject({
    errorCode: 'backup.clocks_differ',
  });
  const whole = await wholeOf(parts);
  expect(whole.map(({ id }) => id)).toEqual([...ids, expect.any(String)]);
});

test('closes its connections if the role may not replicate', async () => {
  await desk.sql.unsafe("create role bystander login password 'bystander'");
  const url = new URL(desk.database.superuserUrl);
  [url.username, url.password] = ['bystander', 'bystander'];
  const source = { url: url.href, database: 'recaudo', production: false };
  await expect(takeBase(partsOf(desk.store), source)).rejects.toThrow(/WAL sender/);
  const open = async () => {
    const [row] = await desk.sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity where usename = 'bystander'`;
    return row?.count;
  };
  await expect.poll(open, { timeout: 5_000 }).toBe(0);
});
