import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, readlink, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  listStretches,
  readHistory,
  readReached,
  readStretch,
  writeHistory,
  writeStretch,
} from '../../src/platform/backup/log-store.ts';
import { readLsn } from '../../src/platform/backup/lsn.ts';
import { findBases, type Manifest } from '../../src/platform/backup/manifest.ts';
import { openEmbedded } from '../../src/platform/embedded/embedded.ts';
import { recaudo, startRecaudo } from '../cli/run.ts';
import { type BackupDesk, openBackupDesk, partsOf, storeLog, superuserOf } from './backups.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

let desk: BackupDesk;
/** The only base backup, on timeline 1. */
let base: Manifest;
/** After the base backup, before table two. */
let moment: Temporal.Instant;
beforeAll(async () => {
  desk = await openBackupDesk();
  await desk.sql`create table one as select 1 as n`;
  expect(await desk.run('backup', 'create')).toMatchObject({ code: 0 });
  moment = Temporal.Now.instant();
  await desk.sql`create table two as select 1 as n`;
  await storeLog(desk.database, desk.sql, desk.store);
  const { store, keys } = partsOf(desk.store);
  const [found] = await findBases(store, keys);
  if (found?.state !== 'whole') throw new Error('no whole backup');
  base = found.manifest;
});
afterAll(() => desk?.close());

interface Opened {
  timeline: number;
  tables: string[];
}

let copies = 0;
/** Copies the store, so that a test may promote servers on it. */
async function copied() {
  copies += 1;
  const store = path.join(desk.folder, `copy-${copies}`);
  await cp(desk.store, store, { recursive: true });
  let restores = 0;
  return {
    store,
    /** Restores and starts a server. Creates the table there and stores its log. */
    async restored(args: string[], table: string | null = null, to = store): Promise<Opened> {
      restores += 1;
      const folder = `${store}-${restores}`;
      const env = { ...desk.env, BACKUP_TO: `file://${store}` };
      expect(await recaudo(['restore', '--to', folder, ...args], env)).toMatchObject({ code: 0 });
      const server = await openEmbedded({ dataDir: folder, log: () => {} });
      const sql = superuserOf(server);
      try {
        if (table !== null) {
          await sql.unsafe(`create table ${table} as select 1 as n`);
          await storeLog(server, sql, to);
        }
        const rows = await sql<{ name: string; file: string }[]>`
          select relname::text as name, pg_walfile_name(pg_current_wal_lsn()) as file from pg_class
          where relname = any('{one,two,three,four}'::text[]) order by oid`;
        const timeline = Number.parseInt(rows[0]?.file.slice(0, 8) ?? '', 16);
        return { timeline, tables: rows.map(({ name }) => name) };
      } finally {
        await sql.end();
        await server.close();
      }
    },
  };
}

test('restores a base backup from before two promotions to moments on each timeline and to the log’s end', async () => {
  const { store, restored } = await copied();
  expect(await restored([], 'three')).toEqual({ timeline: 2, tables: ['one', 'two', 'three'] });
  const all = ['one', 'two', 'three', 'four'];
  expect(await restored([], 'four')).toEqual({ timeline: 3, tables: all });
  expect((await restored([])).tables).toEqual(all);
  const parts = partsOf(store);
  const reached = await readReached(parts.store, parts.keys);
  // A promotion is not stored if the next one follows before `backup run` connects again.
  await rm(path.join(store, 'log/00000002.history'));
  // No commit is later, so PostgreSQL itself does not report that moment as reached.
  expect((await restored(['--at', reached?.at ?? ''])).tables).toEqual(all);
  // A second timeline 2 would overwrite the stored one.
  expect(await restored(['--at', base.endedAt])).toEqual({ timeline: 4, tables: ['one'] });
});

test('continues from a moment on an earlier timeline, without later writes', async () => {
  const { restored } = await copied();
  await restored([], 'three');
  expect(await restored(['--at', String(moment)], 'four')).toEqual({
    timeline: 3,
    tables: ['one', 'four'],
  });
  expect((await restored([])).tables).toEqual(['one', 'four']);
});

test('stores no log of a second server on the same timeline', async () => {
  const { store, restored } = await copied();
  const other = await copied();
  const text = '1\t0/1000000\tno recovery target specified\n';
  const parts = partsOf(other.store);
  await writeHistory(parts.store, parts.keys, { timeline: 2, text });
  const refused = { errorCode: 'backup.timeline_differs' };
  await expect(restored([], 'three', other.store)).rejects.toMatchObject(refused);
  expect(await readHistory(parts.store, parts.keys, 2)).toBe(text);
  expect(await readHistory(partsOf(store).store, parts.keys, 2)).toBeNull();
});

test('reports log that PostgreSQL cannot read to its end', async () => {
  const { store } = await copied();
  const parts = partsOf(store);
  for (const stretch of await listStretches(parts.store)) {
    const { timeline, start, end } = stretch;
    const log = await readStretch(parts.store, parts.keys, stretch);
    const from = Number(readLsn(base.end) - start);
    if (from < log.length && end > readLsn(base.end)) log.fill(0, Math.max(0, from));
    await writeStretch(parts.store, parts.keys, { timeline, start, log });
  }
  const env = { ...desk.env, BACKUP_TO: `file://${store}` };
  const ran = await recaudo(['restore', '--to', `${store}-cut`, '--json'], env);
  expect(ran.code).toBe(1);
  expect(JSON.parse(ran.stderr)).toMatchObject({ error_code: 'backup.log_unreadable' });
});

test.skipIf(process.platform !== 'linux')(
  'removes the copy and stops the server that a killed drill left',
  async () => {
    const temporary = path.join(desk.folder, 't');
    await mkdir(temporary);
    const start = () => startRecaudo(['backup', 'drill'], { ...desk.env, TMPDIR: temporary });
    const { child } = start();
    const closed = once(child, 'close');
    const pids = async (): Promise<number[]> => {
      const names = await readdir(temporary);
      const folders = names.filter((name) => /^recaudo-drill-\w+$/.test(name));
      const files = folders.map((name) => path.join(temporary, name, 'postgres.restoring'));
      const texts = files.map((file) => readFile(path.join(file, 'postmaster.pid'), 'utf8'));
      return (await Promise.all(texts)).map((text) => Number.parseInt(text, 10));
    };
    await vi.waitFor(async () => expect((await pids())[0]).toBeGreaterThan(0), {
      ...{ timeout: 120_000, interval: 10 },
    });
    child.kill('SIGKILL');
    await closed;
    const [server = 0] = await pids();
    expect(existsSync(`/proc/${server}/cwd`)).toBe(true);
    const next = start();
    const [code] = await once(next.child, 'close');
    expect([code, next.ran.stdout]).toEqual([0, expect.stringContaining('add up')]);
    expect((await readdir(temporary)).filter((name) => name.startsWith('recaudo-'))).toEqual([]);
    expect(await readlink(`/proc/${server}/cwd`).catch(() => null)).toBeNull();
  },
);

test('keeps the restored database if its audit cannot run, and reports why', async () => {
  // The audit cannot read a retired key without the vault key that encrypted it.
  await desk.sql`
    insert into seal_keys (id, vault_key_id, ciphertext, retired_at)
    values ('old', 'gone', '\\x00', now())`;
  await storeLog(desk.database, desk.sql, desk.store);
  const to = path.join(desk.folder, 'unaudited');
  const ran = await desk.run('restore', '--to', to, '--json');
  expect(ran.code).toBe(1);
  expect(JSON.parse(ran.stdout).faults).toEqual([expect.stringContaining('The audit stopped')]);
  expect(await desk.restored(to, (sql) => sql`select n from one`)).toEqual([{ n: 1 }]);
});
