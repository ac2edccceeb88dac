import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { recaudo, recaudoProcess, type Serving, startServing } from '../cli/run.ts';
import { program } from '../harness/built.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { testAccount } from '../harness/service.ts';
import {
  bodyOf,
  type CallAnew,
  callAnewAt,
  childrenOf,
  many,
  newChildren,
  replaceBoth,
  startLoad,
} from './callers.ts';

// This test starts and stops processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

let database: TestDatabase;
let serving: Serving;
beforeAll(async () => {
  database = await createTestDatabase();
  serving = await startServing({ DATABASE_URL: database.url, PROCESSES: '2' });
});
afterAll(async () => {
  await serving.end('SIGTERM');
  await database.drop();
});

const callAnew = (method: string, path: string, options?: CallAnew) =>
  callAnewAt(serving.origin, method, path, options);

/** Returns a route's number of calls, from the shared metrics endpoint. */
async function counted(route: string): Promise<number> {
  const url = /^metrics +(\S+)$/m.exec(serving.output())?.[1] ?? '';
  const text = await (await fetch(url)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('recaudo_http_request_seconds_count'))
    .filter((line) => line.includes(`route="${route}"`))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('two processes on one port', () => {
  test('answers as one service, led by a primary, with summed metrics', async () => {
    expect(await childrenOf(serving.pid)).toHaveLength(2);
    const before = await counted('/account/balances');
    const answers = await many(20, () => callAnew('GET', '/account/balances'));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    await vi.waitFor(async () => expect(await counted('/account/balances')).toBe(before + 20));
  });

  test('creates once for concurrent calls to both processes with one key', async () => {
    for (let round = 0; round < 5; round += 1) {
      const headers = { 'idempotency-key': `two ${round}` };
      const answers = await many(10, () =>
        callAnew('POST', '/payment-request', { body: bodyOf(`two ${round}`), headers }),
      );
      const ids = new Set(answers.filter(({ status }) => status === 201).map((a) => a.body.id));
      expect(ids.size).toBe(1);
      expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
      const { body } = await callAnew('GET', `/payment-request?external_reference=two+${round}`);
      expect(body.total_count).toBe(1);
    }
  });

  test('collects once for concurrent payments at both processes', async () => {
    const { body } = await callAnew('POST', '/payment-request', { body: bodyOf('paid') });
    const answers = await many(8, () =>
      callAnew('POST', `/sandbox/pay/${body.id}`, { body: { channel: 'credit_card' } }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await auditAccount(database.sql, testAccount)).toEqual([]);
  });

  test('shows a client that walks a list everything that both processes create in the meantime', async () => {
    let over = false;
    const walk = async (): Promise<number[]> => {
      const seen: number[] = [];
      for (;;) {
        const wasOver = over;
        const { body } = await callAnew(
          'GET',
          `/payment-request?limit=7&after=${seen.at(-1) ?? 0}`,
        );
        seen.push(...body.data.map(({ id }: { id: number }) => id));
        if (wasOver && body.data.length === 0) return seen;
      }
    };
    const walking = walk();
    const made = await many(4, async (writer) => {
      const ids: number[] = [];
      for (let no = 0; no < 30; no += 1) {
        const body = bodyOf(`walk ${writer}`);
        ids.push((await callAnew('POST', '/payment-request', { body })).body.id);
      }
      return ids;
    });
    over = true;
    const seen = await walking;
    expect(new Set(seen).size).toBe(seen.length);
    for (const id of made.flat()) expect(seen).toContain(id);
  });

  test('refuses a key as soon as its revocation is answered', async () => {
    const env = { DATABASE_URL: database.url };
    for (let round = 0; round < 3; round += 1) {
      const account = ['--account', testAccount];
      const key = (await recaudo(['keys', 'create', ...account, '--name', `k${round}`], env))
        .stdout;
      const get = () => callAnew('GET', '/account/balances', { key: key.trim() });
      expect((await many(6, get)).map(({ status }) => status)).toEqual(Array(6).fill(200));
      const listed = await recaudo(['keys', 'list', ...account, '--json'], env);
      const { id } = JSON.parse(listed.stdout).find(
        ({ name }: { name: string }) => name === `k${round}`,
      );
      const revoked = await recaudo(['keys', 'revoke', String(id), ...account], env);
      expect(revoked.code, revoked.stderr).toBe(0);
      expect((await many(6, get)).map(({ status }) => status)).toEqual(Array(6).fill(401));
    }
  });

  test('applies the sandbox’s clock in both processes by the time the call that moved it is answered', async () => {
    for (let round = 0; round < 5; round += 1) {
      const moved = await callAnew('POST', '/sandbox/clock', { body: { hours: 5 } });
      expect(moved.status).toBe(200);
      const seen = await many(6, () => callAnew('GET', '/sandbox/clock'));
      for (const { body } of seen) {
        expect(Date.parse(body.now)).toBeGreaterThanOrEqual(Date.parse(moved.body.now));
      }
    }
  });
});

describe('life cycle of the processes', () => {
  test('replaces each process on SIGHUP without refusing calls', async () => {
    const route = '/payment-request';
    const answeredBefore = await counted(route);
    const load = startLoad(serving.origin);
    await replaceBoth(serving.pid);
    const { answered, odd } = await load.stop();
    expect(odd).toEqual([]);
    expect(answered).toBeGreaterThan(0);
    // Counts of former processes are kept.
    expect(await counted(route)).toBeGreaterThan(answeredBefore);
  });

  test('replaces a process only once if it dies during its replacement', async () => {
    const before = await childrenOf(serving.pid);
    const [first = 0] = before;
    process.kill(serving.pid, 'SIGHUP');
    await vi.waitFor(async () => expect(await childrenOf(serving.pid)).toHaveLength(3));
    process.kill(first, 'SIGKILL');
    await newChildren(serving.pid, before);
  });

  test('restarts a process that dies, while the other answers', async () => {
    const before = await childrenOf(serving.pid);
    const [first = 0] = before;
    // A connection that the kernel assigned to it, but that it never accepted, must not hang.
    process.kill(first, 'SIGSTOP');
    const given = Array.from({ length: 10 }, () =>
      callAnew('GET', '/account/balances').catch(() => null),
    );
    await Promise.race(given);
    process.kill(first, 'SIGKILL');
    const kept = (await Promise.all(given)).filter((answer) => answer !== null);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.map(({ status }) => status)).toEqual(kept.map(() => 200));
    await vi.waitFor(async () => expect(await childrenOf(serving.pid)).not.toContain(first));
    await vi.waitFor(async () => {
      const answers = await many(10, () => callAnew('GET', '/account/balances'));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    });
    await vi.waitFor(
      async () => {
        const now = await childrenOf(serving.pid);
        expect(now).toHaveLength(2);
        expect(now).not.toEqual(before);
      },
      { timeout: 60_000, interval: 200 },
    );
  });
});

test('kills and restarts a process that hangs, and releases its calls', async () => {
  const before = await childrenOf(serving.pid);
  const [first = 0, second = 0] = before;
  process.kill(first, 'SIGSTOP');
  const given = await many(10, () => callAnew('GET', '/account/balances').catch(() => null));
  expect(given.filter((answer) => answer?.status === 200).length).toBeGreaterThan(0);
  await vi.waitFor(
    async () => {
      const now = await childrenOf(serving.pid);
      expect(now).toHaveLength(2);
      expect(now).not.toContain(first);
      expect(now).toContain(second);
    },
    { timeout: 80_000, interval: 200 },
  );
  await vi.waitFor(() => expect(serving.output()).toContain('a process hangs'));
});

test('restarts a process whose program was briefly missing', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-test-node-'));
  const [node, away] = [path.join(folder, 'node'), path.join(folder, 'away')];
  await copyFile(process.execPath, node);
  const env = { DATABASE_URL: database.url, PROCESSES: '2' };
  const other = await startServing(env, [node, program, 'serve']);
  const before = await childrenOf(other.pid);
  await rename(node, away);
  process.kill(before[0] ?? 0, 'SIGKILL');
  await vi.waitFor(() => expect(other.output()).toContain('A process could not be begun'));
  await rename(away, node);
  await vi.waitFor(async () => expect(await childrenOf(other.pid)).toHaveLength(2), {
    timeout: 60_000,
  });
  expect(await other.end('SIGTERM')).toEqual({ code: 0, signal: null });
  await rm(folder, { recursive: true });
});

describe('an impossible start', () => {
  const serve = (env: Record<string, string>) =>
    recaudoProcess(['serve'], {
      DATABASE_URL: database.url,
      LOG_LEVEL: 'silent',
      PORT: '0',
      METRICS_PORT: '0',
      ...env,
    });

  test.each([
    ['0', 'must be auto, for one process a core, or a whole number from 1 to 256'],
    ['many', 'must be auto, for one process a core, or a whole number from 1 to 256'],
    ['250', 'PROCESSES is 250, and the database has connections for'],
  ])('explains an impossible start with PROCESSES=%s', async (PROCESSES, why) => {
    const { code, stderr } = await serve({ PROCESSES });
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
  });

  test.each(['1', '2'])('reports a port in use, with PROCESSES=%s', async (n) => {
    const stranger = createServer();
    await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening));
    const address = stranger.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    for (const name of ['PORT', 'METRICS_PORT']) {
      const { code, stderr } = await serve({ PROCESSES: n, [name]: String(port) });
      const words = `error: Another program listens on port ${port}: end it, or choose another port with ${name}.\n`;
      expect([code, stderr]).toEqual([1, words]);
    }
    await new Promise((closed) => stranger.close(closed));
  });
});

test('exits all processes with 0 on SIGTERM', async () => {
  const other = await startServing({ DATABASE_URL: database.url, PROCESSES: '2' });
  const children = await childrenOf(other.pid);
  expect(children).toHaveLength(2);
  expect(await other.end('SIGTERM')).toEqual({ code: 0, signal: null });
  for (const pid of children) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
