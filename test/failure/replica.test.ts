import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { connect } from '../../src/platform/postgres/connect.ts';
import { recaudo } from '../cli/run.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { openProxy } from '../harness/proxy.ts';
import { startService, type TestService } from '../harness/service.ts';
import { openPrimary, openStandby, type TestServer } from '../harness/standby.ts';
import { withoutWorker } from '../scenarios/play.ts';

let primary: TestServer;
let standby: TestServer;
/** Allows the lag that tests cause; the other service is strict. */
let patient: TestService;
let strict: TestService;
/** A process without a replica, whose writes the others do not track. */
let plain: TestService;

const addressed = (server: TestServer) => ({
  DATABASE_URL: server.server.url,
  DATABASE_OWNER_URL: server.server.ownerUrl,
});
const reading = (replica: string, lagSeconds: number) => ({
  ...addressed(primary),
  DATABASE_READ_URL: replica,
  DATABASE_READ_LAG_SECONDS: String(lagSeconds),
});

beforeAll(async () => {
  primary = await openPrimary();
  plain = await startService(addressed(primary));
  standby = await openStandby(primary);
  patient = await startService({ ...withoutWorker, ...reading(standby.server.url, 300) });
  strict = await startService({ ...withoutWorker, ...reading(standby.server.url, 2) });
}, 120_000);
afterAll(async () => {
  for (const service of [patient, strict, plain]) await service?.stop();
  await standby?.close();
  await primary?.close();
});

beforeEach(async () => {
  await standby.run('select pg_wal_replay_resume()');
  await primary.run('delete from account_writes');
});

/** Counts reads served by the replica, and by the primary for each reason. */
async function reads({ service }: TestService): Promise<Record<string, number>> {
  const text = await (await fetch(service.metricsUrl)).text();
  const found = text.matchAll(/^recaudo_reads_total\{side="([^"]+)",why="([^"]+)"\} (\d+)$/gm);
  return Object.fromEntries(
    [...found].map(([, side, why, count]) => [side === 'replica' ? side : why, Number(count)]),
  );
}

/** Sends a read that either side may serve, and returns the side that did. */
async function sideOf(service: TestService, path: string) {
  const before = await reads(service);
  const answer = await service.call('GET', path);
  const after = await reads(service);
  const [side] = Object.keys(after).filter((one) => (after[one] ?? 0) > (before[one] ?? 0));
  return { ...answer, side: side ?? 'not counted' };
}

const caughtUp = async (): Promise<void> => {
  const [row] = await primary.run('select pg_current_wal_insert_lsn()::text as lsn');
  await vi.waitFor(async () => {
    const [at] = await standby.run(`select pg_last_wal_replay_lsn() >= '${row?.lsn}' as there`);
    expect(at?.there).toBe(true);
  });
};

const untilSide = (service: TestService, path: string, side: string, timeout = 15_000) =>
  vi.waitFor(async () => expect((await sideOf(service, path)).side).toBe(side), {
    timeout,
    interval: 100,
  });

/** Removes the serving process's address from a response. */
const alike = (text: string): string => text.replaceAll(/127\.0\.0\.1:\d+/g, 'here');
const onPrimary = async (path: string): Promise<string> =>
  alike((await plain.call('GET', path)).text);

const create = async (service: TestService, reference: string): Promise<number> => {
  const body = paymentRequestBody(service, { external_reference: reference });
  const answer = await service.call('POST', '/payment-request', { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
};

/** Locks the requests on the primary until `unlock`. */
function holdLock(): { locked: Promise<void>; unlock(): Promise<void> } {
  const locked = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const sql = connect(primary.server.ownerUrl, { max: 1, applicationName: 'test' });
  const held = sql.begin(async (tx) => {
    await tx`lock table requests in access exclusive mode`;
    locked.resolve();
    await over.promise;
  });
  held.catch(locked.reject);
  return {
    locked: locked.promise,
    async unlock() {
      over.resolve();
      await held;
      await sql.end();
    },
  };
}

const list = '/payment-request?limit=5&after=0';
const today = (): string => Temporal.Now.plainDateISO('-03:00').toString();

describe('reads that tolerate lag', () => {
  test('serves only reads that tolerate lag from the replica, with the primary’s answers', async () => {
    const id = await create(plain, 'one');
    await caughtUp();
    await untilSide(patient, list, 'replica');
    const paths = [
      list,
      '/payment-request?page=1',
      '/adhesion',
      '/debit-request',
      '/event',
      `/report/collection/${today()}`,
      `/report/settlement/${Temporal.PlainDate.from(today()).subtract({ days: 1 })}`,
    ];
    // The first read of a past day closes its books.
    for (const path of paths) await plain.call('GET', path);
    await caughtUp();
    for (const path of paths) {
      const { side, status, text } = await sideOf(patient, path);
      expect([path, side, status]).toEqual([path, 'replica', 200]);
      expect(alike(text)).toBe(await onPrimary(path));
    }
    for (const path of [`/payment-request/${id}`, '/account/balances']) {
      expect(await sideOf(patient, path)).toMatchObject({ status: 200, side: 'not counted' });
    }
  });

  test('returns the replica’s refusals unchanged', async () => {
    await untilSide(patient, list, 'replica');
    const { status, body } = await patient.call('GET', '/payment-request?after=5');
    expect(status).toBe(400);
    expect(body).toEqual((await plain.call('GET', '/payment-request?after=5')).body);
  });

  test('reads through sessions that cannot write', async () => {
    const sql = connect(primary.server.url, { max: 1, applicationName: 'test', readOnly: true });
    await expect(sql`delete from account_writes`).rejects.toThrow(/read-only transaction/);
    await sql.end();
  });
});

describe('a replica that lags', () => {
  test('shows callers everything they wrote, whichever process answers', async () => {
    // Separate processes, because each remembers recent writers for as long as a replica may lag.
    const settings = { ...withoutWorker, ...reading(standby.server.url, 300) };
    const first = await startService(settings);
    const second = await startService(settings);
    try {
      await untilSide(first, list, 'replica');
      await untilSide(second, list, 'replica');
      await standby.run('select pg_wal_replay_pause()');
      for (let turn = 0; turn < 5; turn += 1) {
        const reference = `own ${turn}`;
        await create(turn % 2 === 0 ? first : second, reference);
        for (const service of [second, first]) {
          const path = `/payment-request?external_reference=${encodeURIComponent(reference)}`;
          expect((await service.call('GET', path)).body.total_count).toBe(1);
        }
      }
      expect((await sideOf(first, list)).side).toBe('wrote');
    } finally {
      await Promise.all([first.stop(), second.stop()]);
    }
  });

  test('reports a lagging replica in doctor', async () => {
    await standby.run('select pg_wal_replay_pause()');
    await vi.waitFor(async () => {
      const ran = await recaudo(['doctor', '--json'], reading(standby.server.url, 5));
      expect(JSON.parse(ran.stdout)).toContainEqual({
        what: 'replica',
        state: 'look',
        found: 'a standby that lags for seconds',
        todo: 'Read docs/explanation/scaling.md. Reads go to the primary meanwhile.',
      });
    }, 30_000);
  });

  test('never shows callers an older state than their events did', async () => {
    const id = await create(plain, 'told');
    await caughtUp();
    await untilSide(patient, list, 'replica');
    await standby.run('select pg_wal_replay_pause()');
    await plain.call('POST', `/sandbox/pay/${id}`, { body: { channel: 'credit_card' } });
    await vi.waitFor(async () => {
      const { body } = await plain.call('GET', `/event?entity_id=${id}`);
      expect(body.data).not.toEqual([]);
    });
    const { side, body } = await sideOf(patient, `/payment-request?id=${id}`);
    expect([side, body.data[0].state]).toEqual(['behind', 'paid']);
  });

  test('skips and repeats nothing while a client pages a list', async () => {
    const created: number[] = [];
    let over = false;
    const write = async (): Promise<void> => {
      try {
        for (let turn = 0; turn < 60; turn += 1) created.push(await create(plain, `walk ${turn}`));
      } finally {
        over = true;
      }
    };
    const halt = async (): Promise<void> => {
      while (!over) {
        await standby.run('select pg_wal_replay_pause()');
        await sleep(150);
        await standby.run('select pg_wal_replay_resume()');
        await sleep(50);
      }
    };
    const before = await reads(patient);
    const seen: number[] = [];
    const walk = async (): Promise<void> => {
      for (;;) {
        const wasOver = over;
        if (wasOver) await caughtUp();
        const path = `/payment-request?limit=3&after=${seen.at(-1) ?? 0}`;
        const { status, body, text } = await patient.call('GET', path);
        expect(status, text).toBe(200);
        seen.push(...body.data.map((one: { id: number }) => one.id));
        if (wasOver && body.data.length === 0) return;
        // Sometimes read from the primary, which is ahead.
        if (body.data.length > 0 && seen.length % 4 === 0) {
          const { body: ahead } = await plain.call('GET', `${path}`);
          seen.push(
            ...ahead.data
              .map((one: { id: number }) => one.id)
              .filter((id: number) => !seen.includes(id)),
          );
        }
      }
    };
    await Promise.all([write(), halt(), walk()]);
    expect(new Set(seen).size).toBe(seen.length);
    expect(created.filter((id) => !seen.includes(id))).toEqual([]);
    // On a busy machine all pages may come from the primary while the replica lags.
    await vi.waitFor(async () => {
      await patient.call('GET', '/payment-request?limit=3');
      expect((await reads(patient)).replica).toBeGreaterThan(before.replica ?? 0);
    }, 30_000);
  }, 60_000);

  test('stops reading a replica beyond the lag limit until it has caught up', async () => {
    await untilSide(strict, list, 'replica');
    await standby.run('select pg_wal_replay_pause()');
    await untilSide(strict, list, 'lagging');
    const id = await create(plain, 'beyond');
    const { body } = await strict.call('GET', '/payment-request?external_reference=beyond');
    expect(body.data.map((one: { id: number }) => one.id)).toEqual([id]);
    await vi.waitFor(async () => {
      const measured = await (await fetch(strict.service.metricsUrl)).text();
      expect(measured).toMatch(/^recaudo_replica_in_use 0$/m);
      const lag = /^recaudo_replica_lag_seconds (\S+)$/m.exec(measured)?.[1];
      expect(Number(lag)).toBeGreaterThan(1);
    });
    await standby.run('select pg_wal_replay_resume()');
    await untilSide(strict, list, 'replica');
  }, 30_000);

  test('abandons a replica on a timeout, and reads from the primary', async () => {
    await untilSide(patient, list, 'replica');
    // The replica replays the lock but not its release, so only the primary is unlocked.
    const { locked, unlock } = holdLock();
    await locked;
    await caughtUp();
    await standby.run('select pg_wal_replay_pause()');
    await unlock();
    const begun = performance.now();
    const { side, status, text } = await sideOf(patient, list);
    expect([side, status]).toEqual(['failed', 200]);
    expect(alike(text)).toBe(await onPrimary(list));
    expect(performance.now() - begun).toBeLessThan(6_000);
  }, 30_000);
});

describe('a replica that fails', () => {
  test('never fails a read, whether the replica breaks midway, falls silent or dies', async () => {
    const own = await openStandby(primary);
    const proxy = await openProxy(own.server.url);
    const service = await startService({ ...withoutWorker, ...reading(proxy.url, 300) });
    try {
      await untilSide(service, list, 'replica');
      // Cuts a response off midway.
      proxy.cutAfter(600);
      const cut = await sideOf(service, list);
      // A concurrent check of the replica may be cut off first.
      expect(['failed', 'away']).toContain(cut.side);
      expect(cut.status).toBe(200);
      expect(alike(cut.text)).toBe(await onPrimary(list));
      proxy.cutAfter(Number.POSITIVE_INFINITY);
      await untilSide(service, list, 'replica');
      proxy.behave('silent');
      const begun = performance.now();
      expect((await service.call('GET', list)).status).toBe(200);
      expect(performance.now() - begun).toBeLessThan(5_000);
      await untilSide(service, list, 'away');
      proxy.behave('pass');
      proxy.cut('reset');
      await untilSide(service, list, 'replica');
      await own.kill();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => service.call('GET', list)),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      await untilSide(service, list, 'away');
    } finally {
      await service.stop();
      await proxy.close();
      await own.close();
    }
  }, 60_000);

  test('stops using a promoted replica', async () => {
    const own = await openStandby(primary);
    const service = await startService({ ...withoutWorker, ...reading(own.server.url, 300) });
    try {
      await untilSide(service, list, 'replica');
      await own.run('select pg_promote()');
      await untilSide(service, list, 'no standby');
      expect((await service.call('GET', list)).status).toBe(200);
    } finally {
      await service.stop();
      await own.close();
    }
  }, 60_000);
});

describe('a replica that is not this database’s', () => {
  test.each([
    ['is the primary itself', 'no standby'],
    ['is a standby of another database', 'another database'],
  ])(
    'refuses a replica that %s',
    async (what, side) => {
      const foreign = what.startsWith('is a standby') ? await openPrimary() : null;
      const other = foreign && (await startService(addressed(foreign)));
      const copy = foreign && (await openStandby(foreign));
      const replica = copy ?? primary;
      const service = await startService({ ...withoutWorker, ...reading(replica.server.url, 300) });
      try {
        await untilSide(service, list, side);
        expect(alike((await service.call('GET', list)).text)).toBe(await onPrimary(list));
      } finally {
        await service.stop();
        await other?.stop();
        await copy?.close();
        await foreign?.close();
      }
    },
    90_000,
  );
});
