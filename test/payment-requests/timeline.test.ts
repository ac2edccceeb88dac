import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setAccount } from '../../src/accounts/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { returnPayout } from '../../src/money/payouts/index.ts';
import { testOperator } from '../harness/actors.ts';
import { sendPayout } from '../harness/money.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  player = playerOf(service);
  const { base } = service.service.parts;
  const acting = { ...base, actor: testOperator };
  await setAccount(acting)({ accountId: testAccount, payoutCbu: '2850590940090418135201' });
});
afterAll(() => service.stop());

async function timeline(id: number, accountId = testAccount) {
  const { base, requests } = service.service.parts;
  return await requests.timeline(
    { ...base, accountId, actor: { kind: 'user', id: 1 } } as never,
    id,
  );
}

const whats = async (id: number) => (await timeline(id)).map(({ what }) => what);

async function open(id: number, init: RequestInit = {}): Promise<number> {
  const { checkout_url: url } = await player.get(id);
  const answer = await fetch(url, init);
  await answer.arrayBuffer();
  return answer.status;
}

const opened = async (id: number): Promise<number> =>
  (await player.events(id)).filter(({ type }) => type === 'payment_request.opened').length;

test('lists events in order: opened, refused with the reason, paid, available, paid out, refunded', async () => {
  const { base } = service.service.parts;
  const id = await player.create({ first_total: 1000 });
  expect(await whats(id)).toEqual(['created']);
  expect(await open(id)).toBe(200);
  await vi.waitFor(async () => expect(await opened(id)).toBe(1));
  await player.pay(id, { channel: 'credit_card', card_number: '4258210000474094' });
  await player.pay(id, { channel: 'credit_card' });
  await player.move({ days: 30 });
  const payout = {
    accountId: testAccount,
    reference: 'p1',
    amount: centavos(100),
    actor: testOperator,
  };
  const { payout: back } = await sendPayout(base)(payout);
  await returnPayout(base)({
    accountId: testAccount,
    id: back.id,
    reason: 'cuenta',
    actor: testOperator,
  });
  await player.move({ days: 1 });
  await sendPayout(base)({ ...payout, reference: 'p2' });
  await player.move({ days: 1 });
  await player.refund(id, { amount: 100 });
  const steps = await timeline(id);
  expect(steps.map(({ what }) => what)).toEqual([
    'created',
    'opened',
    'tried',
    'rejected',
    'tried',
    'paid',
    'available',
    'paid_out',
    'refunded',
  ]);
  const step = (what: string) => steps.find((one) => one.what === what);
  expect(step('opened')).toMatchObject({ actor: { kind: 'payer' }, words: null, channel: null });
  expect(step('tried')).toMatchObject({ channel: expect.any(String), amount: 100_000 });
  expect(step('rejected')?.words).toMatch(/\w{4}/);
  expect(step('paid')).toMatchObject({ channel: expect.any(String), amount: 100_000 });
  expect(step('available')?.day).not.toBeNull();
  expect(step('refunded')).toMatchObject({ amount: 10_000 });
  expect(step('created')?.actor.kind).toBe('key');
  expect(await player.faults()).toEqual([]);
});

test('records only the first of concurrent openings, and nothing about the visitor', async () => {
  const id = await player.create();
  await Promise.all([1, 2, 3, 4].map(() => open(id)));
  await vi.waitFor(async () => expect(await opened(id)).toBe(1));
  await player.pay(id);
  await open(id);
  const { requests } = service.service.parts;
  await requests.noteOpened({ accountId: testAccount, id });
  expect(await whats(id)).toEqual(['created', 'opened', 'paid']);
  const [event] = (await player.events(id)).filter(({ type }) => type.endsWith('.opened'));
  expect(event).toMatchObject({ actor: 'payer', data: { state: 'pending' }, queued: false });
  expect(Object.keys(event?.data ?? {})).toEqual(['state']);
  expect(await player.faults()).toEqual([]);
});

test.each([
  ['a browser’s prefetch', { headers: { 'sec-purpose': 'prefetch' } }],
  [
    'a visitor who is signed in to the portal',
    { headers: { cookie: `a=b; recaudo_session=${'x'.repeat(43)}` } },
  ],
  ['a HEAD request', { method: 'HEAD' }],
])('does not count %s as an opening', async (_who, init) => {
  const id = await player.create();
  expect(await open(id, init)).toBe(200);
  const other = await player.create();
  await open(other);
  await vi.waitFor(async () => expect(await opened(other)).toBe(1));
  expect(await opened(id)).toBe(0);
});

test('shows an expired request as such, and nothing to another account', async () => {
  const id = await player.create();
  await player.move({ days: 12 });
  expect(await whats(id)).toEqual(['created', 'expired']);
  await expect(timeline(id, 'B1B2C3D4')).rejects.toThrow(/payment request/);
  await expect(timeline(999_999_999)).rejects.toThrow(/payment request/);
});
