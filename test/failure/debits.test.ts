import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { formatDay } from '../../src/kernel/dates.ts';
import { type Serving, startServing } from '../cli/run.ts';
import { adhesionBody, cbuEndingIn } from '../harness/builders/mandates.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type Answer, call, testAccount } from '../harness/service.ts';

// This test starts and stops processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

let database: TestDatabase;
let serving: Serving;
const start = () => startServing({ DATABASE_URL: database.url });

beforeAll(async () => {
  database = await createTestDatabase({ max: 4 });
  serving = await start();
});
beforeEach(async () => {
  // A failed test may have left the service killed.
  if (serving.hasEnded()) serving = await start();
});
afterAll(async () => {
  await serving.end('SIGKILL');
  await database.drop();
});

const post = (path: string, body: unknown): Promise<Answer> =>
  call(serving.origin, 'POST', path, { body });

const endings = ['1111', '9902', '9910', '9915'];

/** Creates a mandate and a debit on it, with amounts and accounts of every outcome. */
async function makeDebit(no: number, due: string): Promise<void> {
  const cbu_number = cbuEndingIn(endings[no % 4] ?? '1111', no);
  const mandate = await post('/adhesion', adhesionBody({ cbu_number }));
  const debit = await post('/debit-request', {
    debit_request: {
      adhesion_id: mandate.body.id,
      first_due_date: due,
      first_total: no % 3 === 0 ? 100.95 : 100,
      ...(no % 8 === 2 && { second_due_date: due.replace(/^05/, '20'), second_total: 120 }),
    },
  });
  expect(debit.status, debit.text).toBe(201);
}

test('loses and duplicates no debit if killed while the clock moves through all steps of debits', async () => {
  const { body } = await call(serving.origin, 'GET', '/sandbox/clock');
  const today = Temporal.PlainDate.from(String(body.now).slice(0, 10));
  const due = formatDay(today.add({ months: 2 }).with({ day: 5 }));
  await Promise.all(Array.from({ length: 120 }, (_none, no) => makeDebit(no, due)));

  // Kills after fixed delays on purpose, at whatever step the process has reached.
  for (const killedAfterMs of [30, 90, 250]) {
    const moving = post('/sandbox/clock', { days: 120 }).catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, killedAfterMs));
    await serving.end('SIGKILL');
    await moving;
    serving = await start();
  }
  const moved = await post('/sandbox/clock', { days: 120 });
  expect(moved.status, moved.text).toBe(200);

  expect(await auditAccount(database.sql, testAccount)).toEqual([]);
  const rows = await database.sql<{ outcome: string; count: number }[]>`
    select r.state || ' ' || m.state || ' ' || (
        select count(*) from results where results.request_id = r.id) as outcome,
      count(*)::int as count
    from requests r join mandates m on m.id = r.mandate_id and m.kind = 'adhesion'
    group by 1 order by 1`;
  // A quarter of the 120 debits is paid, and a third of those are reversed. The others are
  // rejected: a quarter each for a closed account, a canceled service and a lack of funds. Half of
  // those without funds have a second due date, and are rejected twice.
  expect(rows.map(({ outcome, count }) => `${outcome}: ${count}`)).toEqual([
    'paid signed 1: 20',
    'rejected canceled 1: 60',
    'rejected signed 1: 15',
    'rejected signed 2: 15',
    'reverted signed 2: 10',
  ]);
  const [left] = await database.sql<{ runs: number; seconds: number }[]>`
    select count(*) filter (where state <> 'done')::int as runs,
      count(*) filter (where no = 2)::int as seconds from debit_runs`;
  expect(left).toEqual({ runs: 0, seconds: 15 });
  const gaps = await database.sql`
    select entity, entity_id from events group by entity, entity_id
    having max(version) <> count(*) and entity in ('debit_request', 'adhesion')`;
  expect(gaps).toEqual([]);
});
