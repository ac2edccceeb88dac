import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { testAccount } from '../harness/service.ts';
import {
  asMerchant,
  chargesOf,
  close,
  connector,
  database,
  get,
  killedAt,
  kills,
  open,
  post,
  processes,
  service,
  tokenOf,
  toService,
} from './killing.ts';

/** Kills each process at each step of a charge, of a refund and of a notice. */

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

beforeAll(async () => {
  await open();
  // A refund also needs the fee that the service retains, which another payment covers.
  await pay(await create(500_000), visa);
});
afterAll(close);

const visa = '4507990000004905';
const authenticated = '4507990205000005';

interface Made {
  id: number;
  page: string;
}
async function create(amount = 1430.5): Promise<Made> {
  const { body } = await post('/payment-request', {
    payment_request: {
      description: 'Cuota',
      first_due_date: '31-12-2098',
      first_total: amount,
      payer_name: 'Ana',
    },
  });
  return { id: body.id, page: new URL(body.checkout_url).pathname };
}

/** Posts the checkout's form, with the token that a frame would have passed on. */
async function pay({ page }: Made, number: string): Promise<unknown> {
  const token = await tokenOf(number);
  return await fetch(service.origin + page, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      channel: 'credit_card',
      connector: 'payway',
      installments: '39:1',
      token,
      brand: 'visa',
      bin: number.slice(0, 6),
      last_four: number.slice(-4),
    }),
  });
}

async function collectedOf({ id }: Made): Promise<number[]> {
  const { request_result: results } = await get(`/payment-request/${id}`);
  return results
    .filter(({ type }: { type: string }) => type.startsWith('collected'))
    .map(({ amount }: { amount: number }) => Math.round(amount * 100));
}

/** Moves the clock far enough for the service to query charges whose answer was lost. */
async function settle(): Promise<void> {
  for (let times = 0; times < 4; times += 1) {
    expect((await post('/sandbox/clock', { minutes: 20 })).status).toBe(200);
  }
}

const lines = {
  charge: { toConnector: /^PUT \/charges\/[^/]+$/, toAcquirer: /^POST \/api\/v2\/payments$/ },
  refund: { toConnector: /^PUT \/charges\/.+\/refunds\//, toAcquirer: /^POST .+\/refunds$/ },
};

describe.each(kills)('$what: the $victim is killed', ({ victim, ...step }) => {
  test('charges and books at most once, accepts a retry if there was no charge, and refunds once', async () => {
    const made = await create();
    await killedAt(step, victim, lines.charge, () => pay(made, visa));
    await settle();
    const taken = await chargesOf(made);
    expect(taken.length).toBeLessThanOrEqual(1);
    expect(await collectedOf(made)).toEqual(taken.map(({ amount }) => amount));
    // A charge that never arrived leaves nothing, so the request can still be paid.
    if (taken.length === 0) await pay(made, visa);
    const [charge, ...others] = await chargesOf(made);
    expect([others, await collectedOf(made)]).toEqual([[], [143_050]]);
    expect(await auditAccount(database.sql, testAccount)).toEqual([]);

    await killedAt(step, victim, lines.refund, () =>
      post(`/payment-request/${made.id}/refund`, { refund: {} }),
    );
    await settle();
    const { data } = await get(`/payment-request/${made.id}/refund`);
    expect(data).toMatchObject([{ state: 'done', amount: 1430.5 }]);
    const { parent } = await asMerchant(`/payments/${charge?.id}/refunds`);
    expect(parent.history).toMatchObject([{ amount: 143_050 }]);
    expect((await get(`/payment-request/${made.id}`)).state).toBe('refunded');
    expect(await auditAccount(database.sql, testAccount)).toEqual([]);
  });
});

describe.each([
  ['before it arrives', 'call', 'service'],
  ['before it arrives', 'call', 'connector'],
  ['after it is processed', 'answer', 'service'],
  ['after it is processed', 'answer', 'connector'],
] as const)('a notice, %s: the %s is lost, and the %s is killed', (_what, when, victim) => {
  test('learns of the approval in the end, and books it once', async () => {
    const made = await create();
    await pay(made, authenticated);
    const page = await (await fetch(service.origin + made.page)).text();
    const [, shown = ''] = /<iframe[^>]* src="([^"]+)"/.exec(page) ?? [];
    const { search } = new URL(shown.replaceAll('&amp;', '&'));
    const held = toService.hold(when, /^POST \/connectors\/payway\/notices$/);
    await fetch(`${connector.origin}/3ds/continue${search}`, {
      method: 'POST',
      body: JSON.stringify({ instruction_value: 'Y' }),
    });
    await held.reached;
    await processes[victim].end();
    held.release('lost');
    await processes[victim].begin();
    await vi.waitFor(
      async () => expect((await get(`/payment-request/${made.id}`)).state).toBe('paid'),
      { timeout: 120_000, interval: 100 },
    );
    expect([await chargesOf(made), await collectedOf(made)]).toMatchObject([
      [{ amount: 143_050, status: 'approved' }],
      [143_050],
    ]);
    expect(await auditAccount(database.sql, testAccount)).toEqual([]);
  });
});
