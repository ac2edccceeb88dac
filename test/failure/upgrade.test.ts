import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { recaudoProcess, type Serving, startServing } from '../cli/run.ts';
import { program } from '../harness/built.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { testAccount } from '../harness/service.ts';
import { bodyOf, callAnewAt, replaceBoth, startLoad } from './callers.ts';

// This test starts and stops processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const root = path.join(import.meta.dirname, '../..');
const adding = '20991231T0000_next.sql';
const slow = '20991231T0001_slow.sql';
const contracting = '20991231T0100_contract_next.sql';

let database: TestDatabase;
/** A release installed in a separate folder, into which later releases are installed. */
let installed: string;
let serving: Serving;

const environment = () => ({
  DATABASE_URL: database.url,
  DATABASE_OWNER_URL: database.ownerUrl,
});

beforeAll(async () => {
  database = await createTestDatabase();
  installed = await mkdtemp(path.join(tmpdir(), 'recaudo-release-'));
  for (const name of ['package.json', 'bin', 'dist', 'migrations']) {
    await cp(path.join(root, name), path.join(installed, name), { recursive: true });
  }
  await symlink(path.join(root, 'node_modules'), path.join(installed, 'node_modules'));
  const copy = path.join(installed, path.relative(root, program));
  const command = [process.execPath, copy, 'serve'];
  serving = await startServing({ ...environment(), PROCESSES: '2' }, command);
});
afterAll(async () => {
  await serving?.end('SIGTERM');
  await database?.drop();
  await rm(installed, { recursive: true, force: true });
});

const install = (name: string, text: string): Promise<void> =>
  writeFile(path.join(installed, 'migrations', name), text);

const hasRun = async (name: string): Promise<boolean> => {
  const rows = await database.sql`select from migrations where name = ${name}`;
  return rows.length === 1;
};

test('replaces the previous release during payments without refusals, even with changes to hot tables', async () => {
  await install(
    adding,
    `alter table requests add column told text;
     alter table results add column told text;
     create index requests_told on requests (account_id, told) where told is not null;
     create table request_notes (account_id text not null, request_id bigint not null);
     create function note_request() returns trigger language plpgsql as $$ begin
       insert into request_notes values (new.account_id, new.id);
       return null;
     end $$;
     create trigger requests_note after insert on requests
       for each row execute function note_request();`,
  );
  // Processes of the previous release write into that table while the next migration still runs.
  await install(slow, 'select pg_sleep(3);');
  const load = startLoad(serving.origin);
  await replaceBoth(serving.pid);
  const { answered, odd } = await load.stop();
  expect(odd).toEqual([]);
  expect(answered).toBeGreaterThan(0);
  expect(await hasRun(adding)).toBe(true);
  const [counted] = await database.sql<{ paid: number; results: number }[]>`
    select count(*) filter (where state = 'paid')::int as paid,
      (select count(*)::int from results) as results
    from requests`;
  expect(counted?.results).toBeGreaterThan(0);
  expect(counted?.paid).toBe(counted?.results);
  const [noted] = await database.sql<{ any: boolean }[]>`
    select exists (select from request_notes) as any`;
  expect(noted?.any).toBe(true);
  expect(await auditAccount(database.sql, testAccount)).toEqual([]);
});

test('runs a process of the previous release next to the new one', async () => {
  const before = await startServing(environment());
  const load = startLoad(before.origin);
  const made = await callAnewAt(before.origin, 'POST', '/payment-request', {
    body: bodyOf('of the release before'),
  });
  const read = await callAnewAt(serving.origin, 'GET', `/payment-request/${made.body.id}`);
  expect([made.status, read.status]).toEqual([201, 200]);
  const { odd } = await load.stop();
  expect(odd).toEqual([]);
  await before.end('SIGTERM');
  expect(await auditAccount(database.sql, testAccount)).toEqual([]);
});

test('refuses to start a release older than a contracting migration, and explains why', async () => {
  await install(
    contracting,
    'alter table requests drop column told; drop trigger requests_note on requests;',
  );
  const load = startLoad(serving.origin);
  await replaceBoth(serving.pid);
  expect((await load.stop()).odd).toEqual([]);
  expect(await hasRun(contracting)).toBe(true);
  const { code, stderr } = await recaudoProcess(['serve'], { ...environment(), PORT: '0' });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`newer than this release, which cannot work behind ${contracting}`),
  ]);
});
