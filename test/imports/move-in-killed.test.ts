import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recaudo, startRecaudo } from '../cli/run.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import '../harness/built.ts';

// This test kills processes and checks a hundred thousand rows.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

let database: TestDatabase;
let folder: string;
let account: string;
beforeAll(async () => {
  database = await createTestDatabase({ max: 4 });
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-moved-'));
  const made = await recaudo(
    ['accounts', 'create', '--name', 'Club', '--cuit', '30-99999999-5'],
    env(),
  );
  account = made.stdout.trim();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const request = (no: number) => ({
  ...{ id: no, type: 'payment_request', state: 'pending', payer_name: `Socio ${no}` },
  ...{ description: 'Cuota', first_due_date: '2098-12-31T00:00:00-03:00', first_total: 10 + no },
});

async function write(name: string, count: number): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, JSON.stringify(Array.from({ length: count }, (_, no) => request(no + 1))));
  return file;
}

const env = () => ({ DATABASE_URL: database.url });
const words = (file: string) => ['migrate-in', file, '--account', account, '--json'];

const counts = async () => {
  const [row] = await database.sql`
    select (select count(*)::int from requests) as requests,
      (select count(distinct reference)::int from requests) as names,
      (select count(*)::int from moved_in) as moved`;
  return row;
};

const until = (least: number): Promise<unknown> =>
  vi.waitFor(async () => expect((await counts())?.moved).toBeGreaterThanOrEqual(least), {
    timeout: 90_000,
    interval: 5,
  });

test('moves the remaining rows after repeated kills, each row once', async () => {
  const count = 6_000;
  const file = await write('killed.json', count);
  for (const least of [500, 3_000]) {
    const { child } = startRecaudo([...words(file), '--confirm'], env());
    await until(least);
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await gone;
    const { requests, names, moved } = (await counts()) ?? {};
    expect([names, moved]).toEqual([requests, requests]);
  }
  const ran = await recaudo([...words(file), '--confirm'], env());
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  expect(JSON.parse(ran.stdout).reconciliation).toMatchObject({
    kinds: [{ file_rows: count, booked_rows: count }],
    difference_count: 0,
  });
  expect(await counts()).toEqual({ requests: count, names: count, moved: count });
});

/** Counts the turns that the event loop takes during `work`. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const look = (): void => {
    turns += 1;
    timer = setImmediate(look);
  };
  let timer = setImmediate(look);
  await work();
  clearImmediate(timer);
  return turns;
}

test('lets the event loop turn hundreds of times while it checks a hundred thousand rows', async () => {
  const file = await write('large.json', 100_000);
  const turns = await turnsOf(async () => {
    const ran = await recaudo(words(file), env());
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(JSON.parse(ran.stdout).kinds).toMatchObject([{ rows: 100_000 }]);
  });
  expect(turns).toBeGreaterThan(400);
});
