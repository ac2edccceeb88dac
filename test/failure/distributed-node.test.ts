import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { advance } from '../harness/builders/clock.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { distributedNodes } from '../harness/distributed.ts';
import { type Answer, startService, type TestService } from '../harness/service.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Commands that kill the last node of the cluster and start it again (CONTRIBUTING.md). */
const { TEST_DISTRIBUTED_STOP: stop = '', TEST_DISTRIBUTED_START: start = '' } = process.env;
const isGiven = distributedNodes().length > 2 && stop !== '' && start !== '';

async function command(text: string): Promise<void> {
  const [code] = await once(spawn(text, { shell: true, stdio: 'ignore' }), 'close');
  if (code !== 0) throw new Error(`${text} ended with ${code}`);
}

/** A client that creates and pays without a pause, repeating each call until it succeeds. */
interface Caller {
  id: string;
  key: string;
  /** True if its rows are on the killed node. */
  isThere: boolean;
  /** Requests with a confirmed payment. */
  paid: number[];
  /** Refused calls, with their responses. */
  refused: { status: number; after: string | null; message: string }[];
}

const perNode = 3;
/** Payments of a caller before, during and after the node's outage. */
const rounds = 3;

let service: TestService;
let callers: Caller[] = [];
let over = false;

async function lies(accountId: string): Promise<boolean> {
  const [row] = await service.sql<{ node: string }[]>`
    select format('%s:%s', n.nodename, n.nodeport) as node
    from pg_dist_placement p join pg_dist_node n using (groupid)
    where p.shardid = get_shard_id_for_distribution_column('accounts', ${accountId}::text)`;
  return row?.node === new URL(distributedNodes().at(-1) ?? '').host;
}

async function findCallers(): Promise<Caller[]> {
  const found: Caller[] = [];
  const on = (isThere: boolean) => found.filter((one) => one.isThere === isThere);
  while (on(true).length < perNode || on(false).length < perNode) {
    const { id, key } = await anotherAccount(service);
    const isThere = await lies(id);
    if (on(isThere).length < perNode) found.push({ id, key, isThere, paid: [], refused: [] });
  }
  return found;
}

/** Repeats a call until the node's outage no longer refuses it. */
async function insist(caller: Caller, call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
    const { status, headers, body } = answer;
    caller.refused.push({ status, after: headers.get('retry-after'), message: body?.message });
    await sleep(50);
  }
}

async function createAndPay(caller: Caller, no: number): Promise<void> {
  const { key } = caller;
  const keyed = { 'idempotency-key': `request ${no}` };
  const body = paymentRequestBody(service, { external_reference: `request ${no}` });
  const made = await insist(caller, () =>
    service.call('POST', '/payment-request', { body, key, headers: keyed }),
  );
  expect(made.status, made.text).toBe(201);
  const { id } = made.body;
  const channel = no % 2 === 0 ? {} : { channel: 'credit_card' };
  for (;;) {
    await insist(caller, () => service.call('POST', `/sandbox/pay/${id}`, { body: channel, key }));
    const now = await insist(caller, () => service.call('GET', `/payment-request/${id}`, { key }));
    if (now.body.state === 'paid') break;
    // An attempt with an unknown outcome is queried before another one starts.
    await sleep(50);
  }
  caller.paid.push(id);
}

async function keepPaying(caller: Caller): Promise<void> {
  for (let no = 0; !over; no += 1) await createAndPay(caller, no);
}

/** Waits until each of these callers has made this many more payments. */
async function untilPaid(some: Caller[]): Promise<void> {
  const before = new Map(some.map((one) => [one, one.paid.length]));
  await vi.waitFor(
    () => {
      for (const one of some) {
        expect(one.paid.length - (before.get(one) ?? 0)).toBeGreaterThanOrEqual(rounds);
      }
    },
    { timeout: 90_000, interval: 50 },
  );
}

/**
 * Waits until the feed has the last payment of each of these callers, which shows that background
 * work continues.
 */
async function untilTold(some: Caller[]): Promise<void> {
  const last = some.map(({ paid, key }) => ({ id: paid.at(-1), key }));
  await vi.waitFor(
    async () => {
      for (const { id, key } of last) {
        const query = `type=payment_request.paid&entity_id=${id}`;
        const { body } = await service.call('GET', `/event?${query}`, { key });
        expect(body.data).toHaveLength(1);
      }
    },
    { timeout: 60_000, interval: 100 },
  );
}

/**
 * Moves the business clock during the work: an unanswered charge is queried again ten minutes after
 * its call, and its payer waits for that.
 */
async function passingMinutes(work: Promise<void>): Promise<void> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => {});
  while (!isDone) {
    await advance(service, { minutes: 1 });
    await Promise.race([sleep(1_000), done]);
  }
  await done;
}

describe.skipIf(!isGiven)('a worker node killed during payments', () => {
  beforeAll(async () => {
    service = await startService();
    callers = await findCallers();
  });
  afterAll(async () => {
    over = true;
    await service?.stop();
  });

  test('refuses only calls of the node’s accounts, with a retry time, and repeats no payment', async () => {
    const there = callers.filter(({ isThere }) => isThere);
    const elsewhere = callers.filter(({ isThere }) => !isThere);
    const paying = Promise.all(callers.map(keepPaying));
    paying.catch(() => {});
    await untilPaid(callers);
    expect(callers.flatMap(({ refused }) => refused)).toEqual([]);

    await command(stop);
    try {
      await Promise.all([
        untilPaid(elsewhere).then(() => untilTold(elsewhere)),
        vi.waitFor(() => {
          for (const { refused } of there) expect(refused.length).toBeGreaterThan(1);
        }),
      ]);
    } finally {
      await command(start);
    }
    await passingMinutes(untilPaid(callers));
    over = true;
    await paying;
    await untilTold(callers);

    expect(elsewhere.flatMap(({ refused }) => refused)).toEqual([]);
    for (const { refused } of there) {
      for (const { after } of refused) expect(Number(after)).toBeGreaterThan(0);
    }
    const rows = await service.sql<{ account_id: string; id: number; times: number }[]>`
      select q.account_id, q.id, count(r.id)::int as times from requests q
      left join results r on r.account_id = q.account_id and r.request_id = q.id
        and r.type = 'collected'
      where q.account_id = any(${callers.map(({ id }) => id)}::text[])
      group by q.account_id, q.id`;
    for (const { id, paid } of callers) {
      const own = rows.filter(({ account_id }) => account_id === id);
      expect(own.map((row) => [row.id, row.times]).sort()).toEqual(
        paid.map((request) => [request, 1]).sort(),
      );
      expect(await auditAccount(service.sql, id)).toEqual([]);
    }
  });
});
