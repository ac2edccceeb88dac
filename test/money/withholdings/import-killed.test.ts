import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connect, type Sql } from '../../../src/platform/postgres/connect.ts';
import { recaudo, startRecaudo } from '../../cli/run.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';

// Each command is a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const count = 60_000;

let database: TestDatabase;
/** Connects as the commands' role, because the owner cannot see their statements. */
let beside: Sql;
let folder: string;
let file: string;
beforeAll(async () => {
  database = await createTestDatabase({ max: 3 });
  beside = connect(database.url, { max: 1, applicationName: 'beside' });
  folder = await mkdtemp(path.join(tmpdir(), 'register-'));
  file = path.join(folder, 'register.csv');
  const lines = Array.from(
    { length: count },
    (_none, no) => `20-05536168-2,SIRTAC,Zona ${no},2.5,01-12-2026,`,
  );
  await writeFile(file, `cuit,regime,jurisdiction,rate,valid_from,valid_to\n${lines.join('\n')}\n`);
});
afterAll(async () => {
  await beside.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const kept = async (): Promise<number[]> => {
  const [row] = await database.sql<{ rates: number; files: number }[]>`
    select (select count(*) from withholding_rates) as rates,
      (select count(*) from registers) as files`;
  return [row?.rates ?? -1, row?.files ?? -1];
};

/** Counts the running statements of imports. */
const working = async (like: string): Promise<number> => {
  const rows = await beside`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name like 'recaudo register%'
      and state = 'active' and query ilike ${like}`;
  return rows.length;
};

test.each(['copy taxpayer_rate_lines%', '%insert into withholding_rates%'])(
  'leaves nothing of an import killed at "%s"',
  async (statement) => {
    const { child } = startRecaudo(['register', 'import', file], { DATABASE_URL: database.url });
    const ended = new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)));
    await vi.waitFor(async () => expect(await working(statement)).toBe(1), {
      timeout: 30_000,
      interval: 2,
    });
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    // The killed import's statement ends without a commit.
    await vi.waitFor(async () => expect(await working('%')).toBe(0), 30_000);
    expect(await kept()).toEqual([0, 0]);
  },
);

test('imports the file once afterwards', async () => {
  const run = () => recaudo(['register', 'import', file], { DATABASE_URL: database.url });
  expect((await run()).stdout).toContain(`${count} lines, imported`);
  expect((await run()).stdout).toContain('nothing changed');
  expect(await kept()).toEqual([count, 1]);
});
