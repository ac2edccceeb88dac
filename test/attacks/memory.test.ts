import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createMemoryBudget } from '../../src/platform/memory-budget.ts';
import { type Serving, startServing } from '../cli/run.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { itemOf } from '../harness/builders/qrs.ts';
import { startService, type TestService, testKey } from '../harness/service.ts';

/** Limits for all bodies together, and for the growth of the rest of the process. */
const budgetMiB = 256;
const othersMiB = 192;
const mebibyte = 1024 * 1024;
const bodyBytes = 94 * mebibyte;
const items = 10_000;

let keeper: TestService;
let serving: Serving;
let keys: string[];

beforeAll(async () => {
  // Provides the database and the accounts; the measured service is a separate process.
  keeper = await startService({ ROLES: 'qr' });
  const others = Array.from({ length: 7 }, () => anotherAccount(keeper));
  keys = [testKey, ...(await Promise.all(others)).map(({ key }) => key)];
  serving = await startServing({
    DATABASE_URL: keeper.databaseUrl,
    ROLES: 'qr',
    BODY_MEMORY_MB: String(budgetMiB),
  });
});
afterAll(async () => {
  await serving.end('SIGTERM');
  await keeper.stop();
});

/** Returns the resident memory of the process in MiB: current, or peak. */
const memoryOf = ({ pid }: Serving, which: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kibibytes = ''] = new RegExp(`^${which}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return Math.round(Number(kibibytes) / 1024);
};

/** Returns the largest legal batch, padded with spaces between its items. */
function largestBatch(): Buffer {
  const each = Math.floor(bodyBytes / items) - 1;
  const texts = Array.from({ length: items }, (_one, nth) =>
    JSON.stringify(itemOf(keeper, `item-${nth}`)).padEnd(each),
  );
  return Buffer.from(`{"total_count":${items},"data":[${texts.join(',')}]}`);
}

interface Told {
  status: number;
  retryAfter: number | null;
}

async function send(key: string, body: Buffer): Promise<Told> {
  const call = request(`${serving.origin}/save-qr-data`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve);
    call.once('error', reject);
  });
  call.end(body);
  const answer = await answered;
  const retryAfter = answer.headers['retry-after'];
  answer.resume();
  // The service does not read the rest of a refused body.
  if (answer.statusCode !== 201) call.destroy();
  return { status: answer.statusCode ?? 0, retryAfter: retryAfter ? Number(retryAfter) : null };
}

/** Repeats a call as `Retry-After` says until it succeeds. Returns the refusals. */
async function sendUntilSaved(key: string, body: Buffer): Promise<Told[]> {
  const refused: Told[] = [];
  for (;;) {
    const told = await send(key, body);
    if (told.status === 201) return refused;
    refused.push(told);
    if (told.retryAfter === null) throw new Error(`refused for good: ${told.status}`);
    await pause(told.retryAfter * 1000);
  }
}

test.runIf(process.platform === 'linux')(
  'saves eight concurrent bodies of 94 MiB within the memory budget',
  { timeout: 300_000 },
  async () => {
    const body = largestBatch();
    expect(body.length).toBeGreaterThan(93 * mebibyte);
    const idle = memoryOf(serving, 'VmRSS');
    const calls = keys.map((key) => sendUntilSaved(key, body));
    const refused = (await Promise.all(calls)).flat();
    for (const { status } of refused) expect([429, 503]).toContain(status);
    const grown = memoryOf(serving, 'VmHWM') - idle;
    expect(grown).toBeLessThan(budgetMiB + othersMiB);
    const [row] = await keeper.sql<{ count: number }[]>`
      select count(*)::int as count from requests where kind = 'qr'`;
    expect(row?.count).toBe(8 * items);
  },
);

describe('the memory budget', () => {
  const stays = new AbortController().signal;
  afterEach(() => {
    vi.useRealTimers();
  });

  test('limits one holder to half of the memory, or to one larger body, and leaves the rest to others', async () => {
    const budget = createMemoryBudget(100);
    const first = await budget.take('one', 70, stays);
    const order: string[] = [];
    const second = budget.take('one', 10, stays).then((giveBack) => {
      order.push('the same');
      return giveBack;
    });
    const other = await budget.take('other', 30, stays);
    order.push('another');
    expect(budget.taken).toBe(100);
    first();
    (await second)();
    other();
    expect([order, budget.taken]).toEqual([['another', 'the same'], 0]);
  });

  test('asks callers who wait too long to retry, and forgets those who hang up', async () => {
    vi.useFakeTimers();
    const budget = createMemoryBudget(100);
    const first = await budget.take('one', 100, stays);
    const late = budget.take('other', 50, stays).catch((error: unknown) => error);
    const gone = new AbortController();
    const left = budget.take('third', 50, gone.signal).catch((error: unknown) => error);
    gone.abort();
    await left;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await late).toMatchObject({ kind: 'unavailable' });
    first();
    // A second release has no effect.
    first();
    expect(budget.taken).toBe(0);
  });
});
