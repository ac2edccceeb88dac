import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { type Serving, startServing } from '../cli/run.ts';
import { bundledProgram } from '../harness/built.ts';
import { call } from '../harness/service.ts';
import { temporaryDirectory } from '../platform/postgres/embedded-tools.ts';

const run = promisify(execFile);

/** Root in a container may lack the right to mount. */
const canMount = spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0;

/** Room for a new cluster with its write-ahead log and some data. */
const roomMb = 224;
const callers = 6;

/**
 * Mounts a small file system that is visible only to processes started through it, until the last
 * of them exits.
 */
async function smallDisk(folder: string) {
  const mount = `mount -t tmpfs -o size=${roomMb}m tmpfs "$0" && echo mounted && exec cat`;
  const holder = spawn('unshare', ['-m', 'sh', '-c', mount, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  const within = ['nsenter', '-t', String(holder.pid), '-m', '--'];
  const sh = (script: string) => run('nsenter', [...within.slice(1), 'sh', '-c', script, folder]);
  return {
    within,
    /** Fills the remaining space. */
    fill: () => sh('cat /dev/zero > "$0/ballast" 2>/dev/null; true'),
    free: () => sh('rm "$0/ballast"'),
    close: async () => {
      holder.stdin.end();
      await once(holder, 'close');
    },
  };
}

interface Order {
  reference: string;
  id: number | null;
  paid: boolean;
}

/** Starts callers that create and pay until they are stopped, and record the responses. */
function startLoad(origin: () => string) {
  const orders: Order[] = [];
  const statuses: (number | 'none')[] = [];
  let stopping = false;

  const say = async (url: string, body: object, key: string) => {
    const headers = { 'idempotency-key': key };
    const answer = await call(origin(), 'POST', url, { body, headers }).catch(() => null);
    statuses.push(answer?.status ?? 'none');
    return answer;
  };
  /**
   * Creates and pays an order. Can be repeated after a lost response, because the keys stay the
   * same.
   */
  const settle = async (order: Order): Promise<void> => {
    const { reference } = order;
    const payment_request = {
      external_reference: reference,
      description: 'Cuota',
      first_due_date: '05-12-2030',
      first_total: 100,
      payer_name: 'Ana',
    };
    const made = await say('/payment-request', { payment_request }, reference);
    if (made?.status !== 200 && made?.status !== 201) return;
    order.id = made.body.id;
    const body = { channel: 'non_banking' };
    const paid = await say(`/sandbox/pay/${order.id}`, body, `${reference} pay`);
    order.paid = paid?.status === 200;
  };
  const caller = async (): Promise<void> => {
    while (!stopping) {
      const order = { reference: `r${orders.length}`, id: null, paid: false };
      orders.push(order);
      await settle(order);
    }
  };
  const all = Promise.all(Array.from({ length: callers }, caller));
  return {
    orders,
    statuses,
    settle,
    async stop() {
      stopping = true;
      await all;
    },
  };
}

test.skipIf(!canMount)(
  'keeps acknowledged writes once on a full disk, and continues when there is room',
  async () => {
    const directory = await temporaryDirectory();
    const disk = await smallDisk(directory.path);
    const dataDir = path.join(directory.path, 'data');
    const env = { DATA_DIR: dataDir, RATE_LIMIT: '0', LOG_LEVEL: 'fatal' };
    const program = [...disk.within, process.execPath, ...bundledProgram];
    let serving: Serving = await startServing(env, [...program, 'serve']);
    const load = startLoad(() => serving.origin);
    const done = () => load.orders.filter(({ paid }) => paid).length;
    const soon = { timeout: 120_000, interval: 100 };
    try {
      await vi.waitFor(() => expect(done()).toBeGreaterThan(50), soon);
      await disk.fill();
      const before = load.statuses.length;
      const refused = () =>
        load.statuses.slice(before).filter((one) => one === 'none' || one >= 500);
      await vi.waitFor(() => expect(refused().length).toBeGreaterThan(30), soon);
      await disk.free();
      const then = done();
      await vi.waitFor(async () => {
        // Like a supervisor, restart a service that gave up.
        if (serving.hasEnded()) serving = await startServing(env, [...program, 'serve']);
        expect(done()).toBeGreaterThan(then + 30);
      }, soon);
      await load.stop();
      const unknown = load.orders.filter(({ paid }) => !paid);
      for (const order of unknown) await load.settle(order);
      expect(load.orders.filter(({ paid }) => !paid)).toEqual([]);
      for (const { reference, id } of load.orders) {
        const url = `/payment-request?external_reference=${reference}`;
        const { data } = (await call(serving.origin, 'GET', url)).body;
        const found = data.map((one: { id: number; state: string; request_result: object[] }) => [
          one.id,
          one.state,
          one.request_result.length,
        ]);
        expect([reference, found]).toEqual([reference, [[id, 'paid', 1]]]);
      }
      const [command = '', ...args] = [...program, 'audit'];
      const { PATH = '', HOME = '' } = process.env;
      const audited = await run(command, args, { env: { PATH, HOME, DATA_DIR: dataDir } });
      expect(audited.stdout).toContain('add up');
    } finally {
      await load.stop();
      await serving.end('SIGTERM');
      await disk.close();
      await directory.remove();
    }
  },
  400_000,
);
