import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recaudo, type Serving, startServing } from '../cli/run.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { testAccount } from '../harness/service.ts';

// This test kills processes, and waits until another one takes over.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase({ max: 4 });
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-imports-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const start = (): Promise<Serving> => startServing({ DATABASE_URL: database.url });

async function run(...args: string[]) {
  const ran = await recaudo(['imports', ...args, '--account', testAccount, '--json'], {
    DATABASE_URL: database.url,
  });
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  return JSON.parse(ran.stdout);
}

interface Progress {
  state: string;
  next_page: number;
  undone_page: number;
  created: number;
  withdrawn: number;
}

const until = async (test: (progress: Progress) => boolean): Promise<Progress> =>
  await vi.waitFor(
    async () => {
      const [row] = await database.sql<Progress[]>`
        select state, next_page, undone_page, created, withdrawn from imports`;
      if (!row || !test(row)) throw new Error(JSON.stringify(row));
      return row;
    },
    { timeout: 90_000, interval: 5 },
  );

const counts = async () => {
  const [row] = await database.sql`
    select count(*)::int as requests, count(distinct reference)::int as names,
      count(*) filter (where state = 'pending')::int as pending,
      (select count(*)::int from events where type = 'payment_request.created') as events
    from requests`;
  return row;
};

test('creates each row exactly once when killed repeatedly while it creates and undoes', async () => {
  const count = 8_000;
  const rows = Array.from(
    { length: count },
    (_, no) => `Socio ${no};Cuota;31-12-2098;${10 + no};K${no}`,
  );
  const file = path.join(folder, 'socios.csv');
  await writeFile(file, ['Socio;Concepto;Vencimiento;Importe;Referencia', ...rows].join('\n'));
  let serving = await start();
  const { id } = await run('upload', file);
  await run('confirm', String(id));
  for (const page of [3, 12]) {
    await until(({ next_page }) => next_page >= page);
    await serving.end('SIGKILL');
    serving = await start();
  }
  expect(await until(({ state }) => state === 'completed')).toMatchObject({ created: count });
  expect(await counts()).toEqual({ requests: count, names: count, pending: count, events: count });
  await run('undo', String(id));
  await until(({ undone_page }) => undone_page >= 3);
  await serving.end('SIGKILL');
  serving = await start();
  expect(await until(({ state }) => state === 'undone')).toMatchObject({ withdrawn: count });
  expect(await counts()).toMatchObject({ requests: count, pending: 0 });
  await serving.end('SIGTERM');
});
