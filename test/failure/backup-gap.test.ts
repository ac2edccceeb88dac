import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BackupDesk, openBackupDesk, storeLog } from './backups.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let desk: BackupDesk;
beforeAll(async () => {
  desk = await openBackupDesk();
});
afterAll(() => desk?.close());

interface Row {
  id: string;
  state: string;
  ended: string;
  why: string | null;
}

const listed = async (): Promise<Row[]> =>
  JSON.parse((await desk.run('backup', 'list', '--json')).stdout);

async function storeRow(): Promise<{ state: string; found: string; todo: string }> {
  const { stdout } = await desk.run('doctor', '--json');
  return JSON.parse(stdout).find(({ what }: { what: string }) => what === 'backup store');
}

async function create(): Promise<string> {
  const ran = await desk.run('backup', 'create', '--json');
  expect(ran).toMatchObject({ code: 0 });
  return JSON.parse(ran.stdout).id;
}

test('reports a backup whose log the server discarded before it was stored, until another follows', async () => {
  const id = await create();
  expect(await listed()).toMatchObject([
    { id, state: 'whole', why: expect.stringContaining('no log after it is stored') },
  ]);
  // No slot keeps the log yet, so each checkpoint discards what precedes it.
  for (const name of ['one', 'two', 'three']) {
    await desk.sql.unsafe(`create table ${name} as select 1 as n`);
    await desk.sql`select pg_switch_wal()`;
    await desk.sql`checkpoint`;
  }
  await storeLog(desk.database, desk.sql, desk.store);
  const gap = 'The log of timeline 1 is missing from';
  const [row] = await listed();
  expect(row).toMatchObject({ id, state: 'whole', why: expect.stringContaining(gap) });
  expect(await storeRow()).toMatchObject({
    state: 'look',
    found: expect.stringContaining(gap),
    todo: expect.stringContaining('backup create'),
  });
  const to = path.join(desk.folder, 'restored');
  const late = await desk.run('restore', '--to', to, '--json');
  expect(late.code).toBe(1);
  expect(JSON.parse(late.stderr)).toMatchObject({ error_code: 'backup.log_missing' });
  expect(await desk.run('restore', '--to', to, '--at', row?.ended ?? '')).toMatchObject({
    code: 0,
  });

  const next = await create();
  await storeLog(desk.database, desk.sql, desk.store);
  expect((await listed()).map((one) => [one.id, one.why === null])).toEqual([
    [id, false],
    [next, true],
  ]);
  expect((await storeRow()).found).not.toContain(gap);
});
