import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { TestService } from '../harness/service.ts';
import { testKey } from '../harness/service.ts';

/** An order as its shop shows it, in words independent of the platform. */
export interface OrderSeen {
  isPaid: boolean;
  isCancelled: boolean;
  isHeld: boolean;
  /** Refunded centavos that the order shows. */
  refunded: number;
}

export type Job = { do: string; id?: number; [field: string]: unknown };

/** A notice in transit from the service to the shop. */
export interface Notice {
  headers: Record<string, string>;
  body: string;
}

export interface Shop {
  folder: string;
  url: string;
  /** Runs a job in the next free process. */
  // biome-ignore lint/suspicious/noExplicitAny: jobs return different types
  run(job: Job): Promise<any>;
  /**
   * Sets the routing of notices; by default all reach the shop. Resolves when the shop has handled
   * the notices that were routed before.
   */
  route(how: (notice: Notice, pass: () => Promise<number>) => Promise<number>): Promise<void>;
  /** Returns everything that the shop logged. */
  log(): Promise<string>;
  /** Kills a process in the middle of its job, and starts another. */
  kill(job: Job): Promise<void>;
  close(): Promise<void>;
}

interface Worker {
  child: ChildProcess;
  answer: ((line: string) => void) | null;
  die: (() => void) | null;
}

export interface ShopKind {
  command: string;
  worker: string;
  /**
   * True if a refund that was stored before its process died is sent later. False if it was rolled
   * back.
   */
  keepsRefundOfDeadProcess: boolean;
  /** True if staff can name the account for returning a cash payment. */
  refundsToAccounts: boolean;
}

/**
 * Opens a shop of several processes that share a folder. Returns it with the address for its
 * notices.
 */
export async function openShop(
  kind: ShopKind,
  service: TestService,
  { workers = 6 } = {},
): Promise<Shop> {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-shop-'));
  for (const name of ['options', 'orders', 'locks', 'notes']) await mkdir(path.join(folder, name));
  let how: Parameters<Shop['route']>[0] = (_notice, pass) => pass();
  const routed = new Set<Promise<number>>();

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const notice = { headers: request.headers as Record<string, string>, body };
    const status = how(notice, async () => Number(await run({ do: 'notice', ...notice })));
    routed.add(status);
    response.writeHead(await status.finally(() => routed.delete(status))).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const env = {
    ...process.env,
    SHOP: folder,
    SHOP_URL: url,
    no_proxy: '127.0.0.1',
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const start = (): Worker => {
    const child = spawn(kind.command, [kind.worker], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const worker: Worker = { child, answer: null, die: null };
    createInterface({ input: child.stdout }).on('line', (line) => worker.answer?.(line));
    child.on('close', () => worker.die?.());
    return worker;
  };
  const free: Worker[] = Array.from({ length: workers }, start);
  const waiting: ((worker: Worker) => void)[] = [];
  const take = (): Promise<Worker> =>
    new Promise((resolve) => {
      const worker = free.shift();
      if (worker) resolve(worker);
      else waiting.push(resolve);
    });
  const release = (worker: Worker): void => {
    const next = waiting.shift();
    if (next) next(worker);
    else free.push(worker);
  };
  const ask = (worker: Worker, job: Job): Promise<string> =>
    new Promise((resolve, reject) => {
      worker.answer = resolve;
      worker.die = () => reject(new Error(`the shop's process died at ${job.do}`));
      worker.child.stdin?.write(`${JSON.stringify(job)}\n`);
    });

  async function run(job: Job): Promise<unknown> {
    const worker = await take();
    const line = await ask(worker, job);
    release(worker);
    const { value, error } = JSON.parse(line) as { value?: unknown; error?: string };
    if (error !== undefined) throw new Error(`${job.do} ${job.id ?? ''}: ${error}`);
    return value;
  }

  const shop: Shop = {
    folder,
    url,
    run,
    async route(next) {
      how = next;
      await Promise.allSettled(routed);
    },
    log: () => readFile(path.join(folder, 'log'), 'utf8').catch(() => ''),
    async kill(job) {
      const worker = await take();
      await ask(worker, job).then(
        () => Promise.reject(new Error('the job ended before its process')),
        () => null,
      );
      release(start());
    },
    async close() {
      for (const { child } of free) child.kill();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
  await shop.run({ do: 'settings', settings: settingsFor(service) });
  await shop.run({ do: 'save' });
  return shop;
}

const settingsFor = (service: TestService) => ({
  enabled: 'yes',
  environment: 'sandbox',
  sandbox_url: service.origin,
  sandbox_key: testKey,
  days: '3',
});
