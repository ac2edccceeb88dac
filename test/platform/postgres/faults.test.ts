import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DatabaseAway, type Outcome } from '../../../src/platform/errors.ts';
import { connect, type Sql } from '../../../src/platform/postgres/connect.ts';
import { doing } from '../../../src/platform/postgres/deadlines.ts';
import { pauseMs } from '../../../src/platform/postgres/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';
import { type FaultProxy, openProxy } from '../../harness/proxy.ts';

vi.setConfig({ testTimeout: 60_000 });

const connections = 4;

let database: TestDatabase;
let proxy: FaultProxy;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase({ migrated: false, max: 3 });
  await database.sql`create table kept (n int)`;
});
afterAll(() => database.drop());
beforeEach(async () => {
  proxy = await openProxy(database.url);
  sql = connect(proxy.url, { max: connections, applicationName: 'behind a proxy' });
});
afterEach(async () => {
  await sql.end({ timeout: 0 });
  await proxy.close();
});

const failureOf = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => null,
    (error: unknown) => error,
  );

/** Runs work under the shortest deadline of the table, readiness: two seconds. */
const inTime = <T>(work: () => PromiseLike<T>): Promise<T> =>
  doing('readiness', async () => await work());

const expectAway = (failure: unknown, outcome: Outcome): void => {
  expect(failure).toBeInstanceOf(DatabaseAway);
  expect(failure).toMatchObject({ outcome });
};

const expectHealed = async (): Promise<void> => {
  await vi.waitFor(async () => expect(await sql`select 1 as one`).toEqual([{ one: 1 }]), {
    timeout: 20_000,
  });
  const all = Promise.withResolvers<void>();
  let held = 0;
  const hold = () =>
    sql.begin(async (tx) => {
      await tx`select 1`;
      held += 1;
      if (held === connections) all.resolve();
      await all.promise;
    });
  await Promise.all(Array.from({ length: connections }, hold));
};

const keptRows = async (n: number): Promise<number> =>
  (await database.sql`select 1 from kept where n = ${n}`).length;

describe('a server that accepts and closes connections', () => {
  test('fails every statement as not sent, with no more attempts than callers', async () => {
    proxy.behave('hang up');
    const asked = 8;
    for (let turn = 0; turn < asked; turn += 1) {
      expectAway(await failureOf(sql`insert into kept values (1)`), 'nothing done');
    }
    expect(proxy.accepted()).toBeLessThanOrEqual(asked + 1);
    expect(await keptRows(1)).toBe(0);
    proxy.behave('pass');
    await expectHealed();
  });

  test('shares a few attempts among a hundred concurrent callers', async () => {
    proxy.behave('hang up');
    const failures = await Promise.all(Array.from({ length: 100 }, () => failureOf(sql`select 1`)));
    for (const failure of failures) expectAway(failure, 'nothing done');
    expect(proxy.accepted()).toBeLessThanOrEqual(connections + 1);
    proxy.behave('pass');
    await expectHealed();
  });

  test('serves waiting callers with open connections', async () => {
    await sql`select 1`;
    proxy.behave('hang up');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_none, n) => sql<{ n: number }[]>`select ${n}::int as n`),
    );
    expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 30 }, (_none, n) => n));
  });
});

test('backs off failed attempts up to a second, with jitter', () => {
  for (const [failures, longest] of [
    [1, 50],
    [2, 100],
    [4, 400],
    [6, 1_000],
    [1_000, 1_000],
  ] as const) {
    const pauses = Array.from({ length: 200 }, () => pauseMs(failures));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(longest / 2);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(longest);
    expect(new Set(pauses).size).toBeGreaterThan(100);
  }
});

describe('a server that accepts connections and stays silent', () => {
  test('times out a caller who waits for a connection', async () => {
    proxy.behave('silent');
    const failure = await failureOf(inTime(() => sql`insert into kept values (2)`));
    expectAway(failure, 'nothing done');
    expect(failure).toMatchObject({ code: 'POOL_TIMEOUT' });
    proxy.behave('pass');
    await expectHealed();
    expect(await keptRows(2)).toBe(0);
  });

  test('times out a sent statement, with an unknown outcome if it writes', async () => {
    await Promise.all([sql`select pg_sleep(0.1)`, sql`select pg_sleep(0.1)`]);
    proxy.behave('silent');
    const [write, read] = await Promise.all([
      failureOf(inTime(() => sql`insert into kept values (3)`)),
      failureOf(inTime(() => sql`select 1`)),
    ]);
    expectAway(write, 'unknown');
    expectAway(read, 'nothing done');
    expect(write).toMatchObject({ code: 'STATEMENT_TIMEOUT' });
    proxy.behave('pass');
    await expectHealed();
  });

  test('rolls back a transaction if the server falls silent before its commit', async () => {
    const failure = await failureOf(
      inTime(() =>
        sql.begin(async (tx) => {
          await tx`insert into kept values (4)`;
          proxy.behave('silent');
          await tx`insert into kept values (4)`;
        }),
      ),
    );
    expectAway(failure, 'nothing done');
    proxy.behave('pass');
    await expectHealed();
    expect(await keptRows(4)).toBe(0);
  });
});

describe('a connection cut', () => {
  test('reports a connection cut in the middle of a result', async () => {
    for (const bytes of [1, 100, 5_000, 500_000]) {
      await sql`select 1`;
      proxy.cutAfter(bytes);
      const rows = sql`select repeat('x', 100) as text from generate_series(1, 20000)`;
      expectAway(await failureOf(rows), 'nothing done');
      proxy.cutAfter(Number.POSITIVE_INFINITY);
      await expectHealed();
    }
  });

  test('reports a possible commit if the connection is cut after a write was sent', async () => {
    await sql`insert into kept values (0)`;
    proxy.cutAfter(1);
    expectAway(await failureOf(sql`insert into kept values (5)`), 'unknown');
    proxy.cutAfter(Number.POSITIVE_INFINITY);
    await expectHealed();
  });

  test('reports nothing committed if the connection is cut in the middle of a transaction', async () => {
    const failure = await failureOf(
      sql.begin(async (tx) => {
        await tx`insert into kept values (6)`;
        proxy.cut('reset');
        await tx`insert into kept values (6)`;
      }),
    );
    expectAway(failure, 'nothing done');
    await expectHealed();
    expect(await keptRows(6)).toBe(0);
  });

  test('reports an unknown outcome if the connection is cut during the commit, unless nothing was written', async () => {
    const cutAtCommit = (write: boolean): Promise<unknown> =>
      failureOf(
        sql.begin(async (tx) => {
          await (write ? tx`insert into kept values (7)` : tx`select 1`);
          proxy.cutAfter(1);
        }),
      );
    expectAway(await cutAtCommit(true), 'unknown');
    proxy.cutAfter(Number.POSITIVE_INFINITY);
    await expectHealed();
    expect(await keptRows(7)).toBe(1);
    expectAway(await cutAtCommit(false), 'nothing done');
    proxy.cutAfter(Number.POSITIVE_INFINITY);
  });

  test('reports a connection cut in the middle of a COPY, while it waits, writes or ends', async () => {
    async function* lines(cutAt: number) {
      for (let line = 0; line < 300; line += 1) {
        if (line === cutAt) proxy.cut(cutAt % 2 === 0 ? 'end' : 'reset');
        yield `${'8\n'.repeat(5_000)}`;
      }
      if (cutAt === 300) proxy.cutAfter(1);
    }
    for (const cutAt of [0, 1, 150, 299, 300]) {
      const failure = await failureOf(
        sql.begin(async (tx) => {
          const copy = await tx`copy kept from stdin`.writable();
          await pipeline(lines(cutAt), copy);
        }),
      );
      expectAway(failure, 'nothing done');
      proxy.cutAfter(Number.POSITIVE_INFINITY);
      await expectHealed();
    }
    expect(await keptRows(8)).toBe(0);
  });

  test('reports a connection cut in the middle of a long read, in a transaction or not', async () => {
    const read = async (from: Pick<Sql, 'unsafe'>): Promise<void> => {
      let pieces = 0;
      for await (const _rows of from.unsafe('select generate_series(1, 1000)').cursor(100)) {
        pieces += 1;
        if (pieces === 5) proxy.cut('end');
      }
    };
    expectAway(await failureOf(read(sql)), 'nothing done');
    await expectHealed();
    expectAway(await failureOf(sql.begin(read)), 'nothing done');
    await expectHealed();
  });
});

describe('a server that lost a node', () => {
  /**
   * A distributed server's errors about its nodes, raised by a function, or at commit by a trigger.
   */
  const losses = [
    ['08006', 'connection to the remote node a:5432 failed with the following error: x'],
    ['57P01', 'terminating connection due to administrator command'],
    ['XX000', 'could not commit transaction for shard 102008 on at least one active node'],
  ] as const;

  beforeAll(async () => {
    await database.sql.unsafe(`
      create function lose(code text, said text) returns int language plpgsql as
        $$ begin raise exception '%', said using errcode = code; end $$;
      create table lost (code text, said text);
      create function lose_row() returns trigger language plpgsql as
        $$ begin perform lose(new.code, new.said); return null; end $$;
      create constraint trigger lost_at_commit after insert on lost
        deferrable initially deferred for each row execute function lose_row();
      grant all on lost, kept to public`);
  });

  test.each(losses)(
    'reports %s in a read as nothing done, and in a single write as an unknown outcome',
    async (code, said) => {
      expectAway(await failureOf(sql`select lose(${code}, ${said})`), 'nothing done');
      const write = sql`insert into kept select lose(${code}, ${said})`;
      expectAway(await failureOf(write), 'unknown');
      await expectHealed();
    },
  );

  test.each(losses)(
    'reports %s before a commit as nothing done, and during it as an unknown outcome',
    async (code, said) => {
      const early = sql.begin(async (tx) => {
        await tx`insert into kept values (7)`;
        await tx`select lose(${code}, ${said})`;
      });
      expectAway(await failureOf(early), 'nothing done');
      const late = sql.begin(async (tx) => {
        await tx`insert into lost values (${code}, ${said})`;
      });
      expectAway(await failureOf(late), 'unknown');
      await expectHealed();
    },
  );

  test('does not treat an unknown server message as a lost node', async () => {
    const failure = await failureOf(sql`select lose('08P01', 'invalid message format')`);
    expect(failure).not.toBeInstanceOf(DatabaseAway);
  });
});

describe('a COPY', () => {
  test('leaves nothing of an abandoned COPY, and keeps the connection usable', async () => {
    const failure = await failureOf(
      sql.begin(async (tx) => {
        const copy = await tx`copy kept from stdin`.writable();
        const lines = Readable.from(
          (function* () {
            yield '9\n';
            throw new Error('no more');
          })(),
        );
        await pipeline(lines, copy);
      }),
    );
    expect(failure).toMatchObject({ message: 'no more' });
    await expectHealed();
    expect(await keptRows(9)).toBe(0);
  });

  test('fails a COPY with the server’s reason if it is refused midway', async () => {
    const failure = await failureOf(
      sql.begin(async (tx) => {
        const copy = await tx`copy kept from stdin`.writable();
        const lines = Array.from({ length: 200 }, (_none, n) =>
          n === 3 ? 'no number\n' : '10\n'.repeat(20_000),
        );
        await pipeline(Readable.from(lines), copy);
      }),
    );
    expect(failure).toMatchObject({ code: '22P02' });
    await expectHealed();
  });
});

describe('a statement that takes too long', () => {
  test('cancels a slow statement on the server too, even while it waits for a lock', async () => {
    await database.sql.begin(async (holder) => {
      await holder`lock table kept`;
      const failure = await failureOf(inTime(() => sql`insert into kept values (11)`));
      expectAway(failure, 'unknown');
      await vi.waitFor(
        async () => {
          const waiting = await database.sql`
            select 1 from pg_stat_activity
            where application_name = 'behind a proxy' and state = 'active'`;
          expect(waiting).toEqual([]);
        },
        { timeout: 10_000 },
      );
    });
    expect(await keptRows(11)).toBe(0);
    await expectHealed();
  });

  test('waits for a connection no longer than its deadline if all are in use', async () => {
    const leave = Promise.withResolvers<void>();
    const holders = Array.from({ length: connections }, () => sql.begin(() => leave.promise));
    const failure = await failureOf(inTime(() => sql`insert into kept values (12)`));
    expectAway(failure, 'nothing done');
    expect(failure).toMatchObject({ code: 'POOL_TIMEOUT' });
    leave.resolve();
    await Promise.all(holders);
    await expectHealed();
  });
});

test('causes at most one error per backend terminated under load, and keeps the pool whole', async () => {
  let going = true;
  let failures = 0;
  const strange: unknown[] = [];
  const work = async (n: number): Promise<void> => {
    while (going) {
      const calls = [
        sql`select ${n}::int as n, pg_sleep(0.001)`.then(([row]) => row?.n),
        sql.begin(async (tx) => {
          await tx`select pg_sleep(0.001)`;
          const [row] = await tx`select ${n}::int as n`;
          return row?.n;
        }),
      ];
      for (const outcome of await Promise.allSettled(calls)) {
        if (outcome.status === 'fulfilled') {
          if (outcome.value !== n) strange.push(outcome.value);
        } else if (outcome.reason instanceof DatabaseAway) failures += 1;
        else strange.push(outcome.reason);
      }
    }
  };
  const workers = Array.from({ length: 8 }, (_none, n) => work(n));
  let killed = 0;
  // Only busy backends: one killed while it opens fails every waiting caller.
  for (let turn = 0; turn < 40; turn += 1) {
    const [row] = await database.sql<{ killed: number }[]>`
      select count(pg_terminate_backend(pid))::int as killed from (
        select pid from pg_stat_activity where application_name = 'behind a proxy'
          and query like '%pg_sleep%' limit 1) one`;
    killed += row?.killed ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  going = false;
  await Promise.all(workers);
  expect(strange).toEqual([]);
  expect(killed).toBeGreaterThan(0);
  expect(failures).toBeLessThanOrEqual(killed);
  await expectHealed();
});

test('resumes listening after a lost connection, and reports that messages may be missing', async () => {
  let heard = 0;
  await sql.listen({ news: () => (heard += 1) });
  expect(heard).toBe(1);
  await database.sql`notify news`;
  await vi.waitFor(() => expect(heard).toBe(2));
  proxy.cut('reset');
  await vi.waitFor(() => expect(heard).toBe(3), { timeout: 10_000 });
  await database.sql`notify news`;
  await vi.waitFor(() => expect(heard).toBe(4));
});

test('lets running callers finish while the pool ends, and admits no new ones', async () => {
  const slow = sql.begin(async (tx) => {
    const [row] = await tx`select 1 as one, pg_sleep(0.2)`;
    return row?.one;
  });
  await sql`select 1`;
  const ended = sql.end();
  expectAway(await failureOf(sql`select 1`), 'nothing done');
  expect(await slow).toBe(1);
  await ended;
});

test('serves its callers over another connection while the first attempt hangs', async () => {
  const sql = connect(proxy.url, { max: 2, applicationName: 'faults' });
  proxy.behave('silent');
  const before = proxy.accepted();
  const first = sql`select 1 as one`;
  const served = Promise.all([first, sql`select 1 as one`]);
  await expect.poll(() => proxy.accepted()).toBe(before + 1);
  proxy.behave('pass');
  expect(await served).toEqual([[{ one: 1 }], [{ one: 1 }]]);
  await sql.end({ timeout: 0 });
});
