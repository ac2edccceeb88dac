import { expect } from 'vitest';
import { payEach } from '../harness/builders/pay-each.ts';
import { type TestService, testAccount } from '../harness/service.ts';
import type { Notice, OrderSeen, Shop } from './shop.ts';

const total = 143_050;
const part = 30_50;

/** Fates of an order's money, with the final state that the shop must show. */
const fates = {
  paid: { share: 80, paid: true },
  unpaid: { share: 4, cancelled: true },
  'cancelled, then paid': { share: 4, paid: true },
  'expired, then paid': { share: 4, paid: true },
  'refunded in part': { share: 3, paid: true, refunded: part },
  'refunded whole': { share: 1, paid: true, refunded: total },
  'charged back': { share: 1, paid: true, refunded: total },
  'paid in part': { share: 1, held: true },
  'changed before it was paid': { share: 1, held: true },
  'paid twice': { share: 1, paid: true },
} as const satisfies Record<
  string,
  { share: number; paid?: true; cancelled?: true; held?: true; refunded?: number }
>;
type Fate = keyof typeof fates;

/** Returns a seeded generator (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function inParallel<T>(items: T[], lanes: number, act: (item: T) => Promise<unknown>) {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await act(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

export interface Storm {
  wrong: string[];
  notices: { passed: number; lost: number; doubled: number; late: number };
  seconds: Record<string, number>;
}

/**
 * Plays the storm: orders are bought, paid, refunded and canceled while three notices in ten are
 * lost, doubled, late or out of order. Returns the orders with a wrong final state.
 */
export async function storm(service: TestService, shop: Shop, count: number, seed = 1) {
  const random = randomOf(seed);
  const notices = { passed: 0, lost: 0, doubled: 0, late: 0 };
  const late: (() => Promise<unknown>)[] = [];
  await shop.route(async (_notice: Notice, pass) => {
    const luck = random();
    if (luck < 0.1) {
      notices.lost += 1;
      return 204;
    }
    if (luck < 0.2) {
      notices.doubled += 1;
      const [status] = await Promise.all([pass(), pass()]);
      return status;
    }
    if (luck < 0.3) {
      notices.late += 1;
      // Late notices come in any order.
      late.splice(Math.floor(random() * (late.length + 1)), 0, pass);
      return 204;
    }
    notices.passed += 1;
    return await pass();
  });

  const seconds: Record<string, number> = {};
  const timed = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const value = await act();
    seconds[name] = Math.round((performance.now() - began) / 100) / 10;
    return value;
  };

  const list = Object.entries(fates).flatMap(([name, { share }]) => Array(share).fill(name));
  const fateOf = (id: number): Fate => list[(id * 37) % 100];
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const having = (...names: Fate[]) => ids.filter((id) => names.includes(fateOf(id)));
  const fields = { total: '1430.50' };
  await timed('bought', () => inParallel(ids, 6, (id) => shop.run({ do: 'buy', id, fields })));

  const requests = await requestIds(service);
  // Polls while notices arrive, like a cron job.
  let polls: Promise<unknown> = Promise.resolve();
  const requestOf = (id: number): number => requests.get(String(id)) ?? 0;
  const pay = async (orders: number[], name: string) => {
    for (let start = 0; start < orders.length; start += 500) {
      const keys = orders
        .slice(start, start + 500)
        .map((id) => ({ accountId: testAccount, id: requestOf(id) }));
      await payEach(service.sql, keys, name);
      // One poll at a time: concurrent ones would wait for each other and block notices.
      polls = polls.then(() => shop.run({ do: 'poll' }));
    }
  };
  const call = async (path: string, body: unknown = {}) => {
    const { status, text } = await service.call('POST', path, { body });
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  };
  await timed('paid', async () => {
    const change = { total: '1400.00' };
    const changed = having('changed before it was paid');
    await inParallel(changed, 6, (id) => shop.run({ do: 'order', id, fields: change }));
    const late = having('cancelled, then paid');
    await inParallel(late, 6, (id) => shop.run({ do: 'cancel', id }));
    const halves = having('paid in part');
    await inParallel(halves, 6, (id) => call(`/sandbox/pay/${requestOf(id)}`, { amount: 700 }));
    const waits = ['unpaid', 'expired, then paid', 'paid in part'];
    const now = ids.filter((id) => !waits.includes(fateOf(id)));
    await pay(now, 'first');
    await pay(having('paid twice'), 'second');
    await inParallel(
      now.filter((id) => id % 10 === 0),
      3,
      (id) => shop.run({ do: 'return', id }),
    );
  });
  await timed('given back', async () => {
    const back = (act: string, body?: unknown) => (id: number) =>
      call(`/sandbox/${act}/${requestOf(id)}`, body);
    await inParallel(having('refunded in part'), 4, back('refund', { amount: part / 100 }));
    await inParallel(having('refunded whole'), 4, back('refund'));
    await inParallel(having('charged back'), 4, back('chargeback'));
  });
  await timed('expired', async () => {
    await call('/sandbox/clock', { days: 5 });
    await pay(having('expired, then paid'), 'late');
  });
  await timed('settled', () => polls);

  const seen = async () => {
    const wrong: string[] = [];
    await inParallel(ids, 6, async (id) => {
      const order = (await shop.run({ do: 'state', id })) as OrderSeen;
      const fault = faultOf(fateOf(id), order);
      if (fault) wrong.push(`${id} ${fateOf(id)}: ${fault}`);
    });
    return wrong;
  };
  // The event enters the feed a moment after its payment.
  const settled = async () => {
    await shop.run({ do: 'poll' });
    return await seen();
  };
  await timed('checked', () => expect.poll(settled, { timeout: 60_000 + count * 20 }).toEqual([]));
  await timed('late notices', () => inParallel(late, 6, (pass) => pass()));
  return { wrong: await seen(), notices, seconds } satisfies Storm;
}

function faultOf(fate: Fate, order: OrderSeen): string | null {
  const expected: (typeof fates)[Fate] = fates[fate];
  const isRight =
    order.isPaid === 'paid' in expected &&
    order.isCancelled === 'cancelled' in expected &&
    order.refunded === ('refunded' in expected ? expected.refunded : 0) &&
    (fate === 'paid twice' || fate === 'charged back' || order.isHeld === 'held' in expected);
  return isRight ? null : JSON.stringify(order);
}

/** Returns the ids of the requests by order number, which is the end of their reference. */
async function requestIds(service: TestService): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let after = 0; ; ) {
    const { body } = await service.call('GET', `/payment-request?limit=100&after=${after}`);
    for (const { id, external_reference } of body.data) {
      found.set(/\d+$/.exec(external_reference)?.[0] ?? '', id);
      after = id;
    }
    if (body.data.length < 100) return found;
  }
}
