import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { recaudoProcess, type Serving, startServing } from '../cli/run.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type Answer, call, testAccount } from '../harness/service.ts';

// This test starts and stops processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

/** A due date that the clock never reaches in these tests. */
const dueDate = '31-12-2098';

interface Load {
  /** Acknowledged ids, with the Idempotency-Key of the call if it had one. */
  created: { id: number; key: string | null }[];
  /** Keys that were sent, acknowledged or not. */
  keys: Set<string>;
  /** Requests with an acknowledged payment. */
  paid: number[];
  /** Responses other than a success. */
  odd: Answer[];
  /** Resolves once the service is gone. */
  done: Promise<unknown>;
}

let keyNo = 0;

const createOne = (origin: string, key: string | null): Promise<Answer> =>
  call(origin, 'POST', '/payment-request', {
    body: {
      payment_request: {
        description: 'Cuota',
        first_due_date: dueDate,
        first_total: 10.5,
        payer_name: 'Ana',
        ...(key !== null && { external_reference: key }),
      },
    },
    ...(key !== null && { headers: { 'idempotency-key': key } }),
  });

/** Starts clients that create and pay without a pause, until a call fails. */
function startLoad(origin: string, clients: number): Load {
  const load: Load = { created: [], keys: new Set(), paid: [], odd: [], done: Promise.resolve() };
  const note = (answer: Answer, success: number): boolean => {
    if (answer.status !== success) load.odd.push(answer);
    return answer.status === success;
  };
  const client = async (turn: number): Promise<void> => {
    for (let round = turn; ; round += 1) {
      keyNo += 1;
      const key = round % 2 === 0 ? `load ${keyNo}` : null;
      if (key !== null) load.keys.add(key);
      const made = await createOne(origin, key);
      if (!note(made, 201)) return;
      load.created.push({ id: made.body.id, key });
      if (round % 3 !== 0) continue;
      const channel = round % 2 === 0 ? 'qr' : 'non_banking';
      const paid = await call(origin, 'POST', `/sandbox/pay/${made.body.id}`, {
        body: { channel },
      });
      if (!note(paid, 200)) return;
      load.paid.push(made.body.id);
    }
  };
  load.done = Promise.allSettled(Array.from({ length: clients }, (_none, turn) => client(turn)));
  return load;
}

const until = (load: Load, created: number): Promise<void> =>
  vi.waitFor(() => expect(load.created.length).toBeGreaterThanOrEqual(created), {
    timeout: 20_000,
    interval: 5,
  });

describe('on a surviving database', () => {
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

  /** Checks that everything acknowledged is stored completely, and nothing twice. */
  async function expectKept(load: Load): Promise<void> {
    const ids = load.created.map((one) => one.id);
    expect(new Set(ids).size).toBe(ids.length);
    const [kept] = await database.sql<{ requests: number; events: number; paid: number }[]>`
      select (select count(*)::int from requests where id = any(${ids}::bigint[])) as requests,
        (select count(*)::int from events where type = 'payment_request.created'
          and entity_id = any(${ids.map(String)}::text[])) as events,
        (select count(*)::int from requests where id = any(${load.paid}::bigint[])
          and state = 'paid') as paid`;
    expect(kept).toEqual({ requests: ids.length, events: ids.length, paid: load.paid.length });
    const twice = await database.sql`
      select reference from requests where reference is not null
      group by reference having count(*) > 1`;
    expect(twice).toEqual([]);
  }

  test('keeps everything acknowledged despite three kills under load, and uses no key twice', async () => {
    const moments = [40, 120, 60 + Math.floor(Math.random() * 150)];
    for (const moment of moments) {
      const load = startLoad(serving.origin, 12);
      await until(load, moment);
      expect(await serving.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
      await load.done;
      expect(load.odd).toEqual([]);
      serving = await start();
      const answered = new Map(load.created.map(({ id, key }) => [key, id]));
      for (const key of load.keys) {
        const { status, body, headers } = await createOne(serving.origin, key);
        expect(status).toBe(201);
        const id = answered.get(key);
        if (id === undefined) continue;
        expect([body.id, headers.get('idempotency-replayed')]).toEqual([id, 'true']);
      }
      await expectKept(load);
    }
    // The service queries interrupted charges, and records each once or closes it.
    await call(serving.origin, 'POST', '/sandbox/clock', { body: { minutes: 16 } });
    const [open] = await database.sql<{ attempts: number; lost: number }[]>`
      select (select count(*)::int from attempts where state <> 'done') as attempts,
        (select count(*)::int from simulated_charges c where not exists (
          select from results r where r.account_id = c.account_id and r.source = 'attempt'
            and r.source_ref = c.attempt_id::text)) as lost`;
    expect(open).toEqual({ attempts: 0, lost: 0 });
    expect(await auditAccount(database.sql, testAccount)).toEqual([]);
  });

  test('answers every accepted call when stopped under load, and exits with 0', async () => {
    const before = await count();
    const load = startLoad(serving.origin, 12);
    await until(load, 100);
    expect(await serving.end('SIGTERM')).toEqual({ code: 0, signal: null });
    await load.done;
    for (const answer of load.odd) expect(answer.status).toBe(503);
    expect((await count()) - before).toBe(load.created.length);
    expect(await auditAccount(database.sql, testAccount)).toEqual([]);
    serving = await start();
    await expectKept(load);
    // Much shorter than keep-alive: stopping does not wait for idle connections.
  }, 40_000);

  const count = async (): Promise<number> => {
    const [row] = await database.sql<{ count: number }[]>`select count(*)::int from requests`;
    return row?.count ?? 0;
  };

  test('lets calls that wait for the database finish before the service stops', async () => {
    const warm = () => call(serving.origin, 'GET', '/status', { key: null });
    await Promise.all(Array.from({ length: 20 }, warm));
    let ended: Promise<unknown> = Promise.resolve();
    let answers: Promise<Answer[]> = Promise.resolve([]);
    await database.sql.begin(async (tx) => {
      await tx`lock table requests in exclusive mode`;
      answers = Promise.all(Array.from({ length: 15 }, () => createOne(serving.origin, null)));
      await vi.waitFor(async () => {
        const [row] = await database.sql<{ waiting: number }[]>`
          select count(*)::int as waiting from pg_locks
          where not granted and relation = 'requests'::regclass`;
        expect(row?.waiting).toBeGreaterThan(0);
      });
      await warm();
      ended = serving.end('SIGTERM');
      await vi.waitFor(() => expect(fetch(`${serving.origin}/status`)).rejects.toThrow(), {
        timeout: 10_000,
      });
    });
    expect((await answers).map((answer) => answer.status)).toEqual(Array(15).fill(201));
    expect(await ended).toEqual({ code: 0, signal: null });
    serving = await start();
  });
});

test('keeps everything acknowledged when the service and its database are killed together', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'recaudo-crash-'));
  const env = { DATA_DIR: directory };
  try {
    const first = await startServing(env);
    const load = startLoad(first.origin, 8);
    await until(load, 50);
    await first.end('SIGKILL');
    await load.done;
    const second = await startServing(env);
    for (const { id } of load.created) {
      const { status, body } = await call(second.origin, 'GET', `/payment-request/${id}`);
      expect(status).toBe(200);
      if (load.paid.includes(id)) expect(body.state).toBe('paid');
    }
    // Commands find a running database, or start one.
    const list = ['accounts', 'list', '--json'];
    const beside = await recaudoProcess(list, env);
    expect(JSON.parse(beside.stdout)).toMatchObject([{ id: testAccount }]);
    expect(await second.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(await recaudoProcess(['audit'], env)).toMatchObject({
      code: 0,
      stdout: '1 accounts add up\n',
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
