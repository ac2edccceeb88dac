import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount } from '../../../src/audit/index.ts';
import type { Sql } from '../../../src/platform/postgres/connect.ts';
import { type Serving, startServing } from '../../cli/run.ts';
import { staticBody } from '../../harness/builders/static-qrs.ts';
import { connectSuperuser, createTestDatabase, type TestDatabase } from '../../harness/database.ts';
import { type Answer, call, testAccount } from '../../harness/service.ts';

// This test starts and stops processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let database: TestDatabase;
let processes: Serving[];
let superuser: Sql;
beforeAll(async () => {
  database = await createTestDatabase({ max: 4 });
  superuser = connectSuperuser(database.url);
  processes = [await start()];
  processes.push(await start());
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.end('SIGKILL')));
  await superuser.end();
  await database.drop();
});

const start = () => startServing({ DATABASE_URL: database.url });

/** Sends a call to the process whose turn it is. */
const callOne = (turn: number, method: string, path: string, body?: unknown): Promise<Answer> =>
  call(processes[turn % processes.length]?.origin ?? '', method, path, {
    ...(body !== undefined && { body }),
  });

const create = async (id: string, fields: Record<string, unknown>) =>
  (await callOne(0, 'POST', '/create-qr', staticBody({ id, ...fields }))).body;

const turns = Array.from({ length: 12 }, (_none, turn) => turn);

test('keeps one of several concurrent transactions, which is paid once', async () => {
  const { qr_string, id } = await create('BOTH', {});
  const path = `/new-transaction?data=${encodeURIComponent(qr_string)}`;
  const asked = await Promise.all(
    turns.map((turn) => callOne(turn, 'PUT', path, { first_total: 10 + turn })),
  );
  expect(asked.map(({ status }) => status)).toEqual(turns.map(() => 200));
  const shown = await Promise.all(
    asked.map(({ body }, turn) => callOne(turn + 1, 'GET', `/status-static/${body.qr_id}`)),
  );
  const pending = shown.filter(({ body }) => body.status === 'Pending');
  expect(pending).toHaveLength(1);
  const paid = await Promise.all(
    turns.map((turn) => callOne(turn, 'POST', `/pay-qr-static/${id}`, {})),
  );
  expect(paid.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(paid.filter(({ status }) => status === 409)).toHaveLength(turns.length - 1);
  expect(await auditAccount(database.sql, testAccount)).toEqual([]);
});

/** Runs calls while a static QR is locked, until this many of them wait for a lock. */
async function whileLocked<T>(id: string, waiting: number, run: () => Promise<T>[]): Promise<T[]> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const hold = database.sql.begin(async (tx) => {
    await tx`select 1 from static_qrs where id = ${id} for update`;
    held.resolve();
    await released.promise;
  });
  await Promise.race([held.promise, hold]);
  const calls = run();
  const wait = vi.waitFor(
    async () => {
      const [row] = await superuser<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      expect(row?.waiting).toBe(waiting);
    },
    { timeout: 30_000 },
  );
  await wait.finally(released.resolve);
  await hold;
  return await Promise.all(calls);
}

test('begins one transaction per Idempotency-Key, with the same answer from both processes', async () => {
  const { qr_string, id: lockedId } = await create('KEYED', {});
  const path = `/new-transaction?data=${encodeURIComponent(qr_string)}`;
  for (const turn of turns) {
    const headers = { 'idempotency-key': `round ${turn}` };
    // Waits until one process has claimed the key and the other waits for its claim.
    const answers = await whileLocked(lockedId, processes.length, () =>
      processes.map(({ origin }) =>
        call(origin, 'PUT', path, { body: { first_total: 10 + turn }, headers }),
      ),
    );
    const replayed = answers.map((answer) => answer.headers.get('idempotency-replayed'));
    expect(replayed.toSorted()).toEqual([null, 'true']);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [id, other] = answers.map(({ body }) => body.qr_id);
    expect(other).toBe(id);
    expect((await callOne(turn, 'GET', `/status-static/${id}`)).body.status).toBe('Pending');
  }
  const [begun] = await database.sql<{ count: number }[]>`
    select count(*)::int from static_transactions t
    join static_qrs s on s.account_id = t.account_id and s.id = t.static_id
    where s.id like '%KEYED'`;
  expect(begun?.count).toBe(turns.length);
});

/** Fewer payers than connections per process, because each blocks one. */
const payers = turns.slice(0, 6);

test.each([
  ['one process', 0],
  ['two processes', 1],
])(
  'pays a single-payment static QR once, and refuses the others with H205 in %s',
  async (_of, step) => {
    const { id } = await create(`SOLO${step}`, {
      qr_type: 'static_open_amount',
      multiple_payment: 'false',
    });
    // All calls have seen the QR unpaid, and wait for its lock.
    const answers = await whileLocked(id, payers.length, () =>
      payers.map((turn) =>
        callOne(turn * step, 'POST', `/pay-qr-static/${id}`, { first_total: 20 + turn }),
      ),
    );
    expect(answers.map(({ status, body }) => `${status} ${body.code}`).sort()).toEqual([
      '200 H007',
      ...payers.slice(1).map(() => '409 H205'),
    ]);
    const [collected] = await database.sql<{ count: number }[]>`
    select count(*)::int from results
    join static_transactions t on t.account_id = results.account_id and t.id = results.request_id
    where t.static_id = ${id} and type = 'collected'`;
    expect(collected?.count).toBe(1);
    const after = await callOne(0, 'POST', `/pay-qr-static/${id}`, { first_total: 20 });
    expect(after.body.code).toBe('H201');
  },
);

test('neither loses nor duplicates an open-amount payment when a process dies', async () => {
  const { id } = await create('DONATIONS', { qr_type: 'static_open_amount' });
  const answered: string[] = [];
  const payer = async (turn: number): Promise<never> => {
    for (;;) {
      const { status, body } = await callOne(0, 'POST', `/pay-qr-static/${id}`, {
        first_total: 30 + turn,
      });
      expect(status).toBe(200);
      answered.push(body.qr_id);
    }
  };
  // Each payer continues until its process is gone.
  const gone = Promise.allSettled(turns.map(payer));
  await vi.waitFor(() => expect(answered.length).toBeGreaterThan(40), { timeout: 30_000 });
  await processes[0]?.end('SIGKILL');
  await gone;
  processes = processes.slice(1);
  // The service queries unanswered attempts after two minutes of the business clock.
  const moved = await callOne(0, 'POST', '/sandbox/clock', { minutes: 5 });
  expect(moved.status).toBe(200);
  const [books] = await database.sql<Record<string, number>[]>`
    with paid as (
      select account_id, id from static_transactions
      where account_id = ${testAccount} and static_id = ${id}
    )
    select count(*)::int as charges,
      (select count(*)::int from results r join paid on paid.account_id = r.account_id
          and paid.id = r.request_id
        where r.account_id = ${testAccount} and r.type = 'collected') as results,
      (select count(*)::int - count(distinct source_ref)::int from results
        where account_id = ${testAccount}) as twice
    from paid
    join attempts a on a.account_id = paid.account_id and a.request_id = paid.id
    join simulated_charges c on c.account_id = a.account_id and c.attempt_id = a.id
    where a.account_id = ${testAccount}`;
  expect(books).toEqual({ charges: books?.results, results: books?.results, twice: 0 });
  const lost = await database.sql`
    select code from requests where code = any(${answered}::text[]) and state <> 'paid'`;
  expect(lost).toEqual([]);
  expect(await auditAccount(database.sql, testAccount)).toEqual([]);
});
