import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { recordFacts, releaseSweep } from '../../src/money/collections/index.ts';
import { holderBalances } from '../../src/money/ledger/index.ts';
import { endRefund } from '../../src/money/refunds/index.ts';
import { requestRefund } from '../../src/money/refunds/request.ts';
import { reverse } from '../../src/money/reversals/index.ts';
import { Refusal } from '../../src/platform/errors.ts';
import { readRequests } from '../../src/requests/index.ts';
import { testOperator } from '../harness/actors.ts';
import { giveTerms } from '../harness/builders/terms.ts';
import { sendPayout } from '../harness/money.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

/**
 * Plays one account holder against the house: fees with a minimum and a fixed part, even far above
 * the payment, refunds down to one centavo, pending refunds that succeed or fail later,
 * chargebacks, releases and payouts in any order, while the settings for returned fees and negative
 * balances change. The model adds up only payments and refunds. No one ends up with more than that.
 */
let service: TestService;
beforeAll(async () => {
  service = await startService(withoutWorker);
});
afterAll(() => service.stop());

interface Terms {
  percentagePpm: number;
  fixed: number;
  minimum: number;
  days: number;
}

type Step =
  | { do: 'pay'; amount: number; channel: number }
  | { do: 'refund'; pick: number; amount: number | null }
  | { do: 'chargeback'; pick: number }
  | { do: 'release'; inDays: number }
  | { do: 'payout'; amount: number | null }
  | { do: 'ask'; pick: number; amount: number | null }
  | { do: 'end'; pick: number; state: 'done' | 'failed' }
  | { do: 'settings'; fees: boolean; below: boolean };

const channels = ['non_banking', 'link_pagos', 'wire_transfer'] as const;

let accounts = 0;

/** Creates an account with separate terms, rates and a request. */
async function newHolder(terms: Terms[]): Promise<{ accountId: string; requestId: number }> {
  const { sql } = service;
  const { requestIds } = service.service.parts.base;
  accounts += 1;
  const accountId = `F${String(accounts).padStart(7, '0')}`;
  const cuit = String(20_000_000_000 + accounts);
  await sql`
    insert into accounts (id, name, cuit, city, created_at, payout_cbu)
    values (${accountId}, 'Titular', ${cuit}, 'Salta', '2026-01-01', '0170099220000067797370')`;
  await sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, rate_ppm)
    values (${cuit}, 'SIRTAC', 'Chaco', '2020-01-01', 17500)`;
  for (const [at, one] of terms.entries()) {
    const channel = channels[at] ?? 'qr';
    await giveTerms(service, { accountId, channel, from: '2020-01-01', ...one });
  }
  const requestId = await requestIds.next();
  await sql`
    insert into requests (account_id, id, kind, state, version, created_at, payer, description,
      due1, total1, last_due, details, place)
    values (${accountId}, ${requestId}, 'payment_request', 'pending', 0, '2026-01-01', 'Ana',
      'Cuota', '2099-01-01', 100, '2099-01-01', '{}', 0)`;
  await sql`
    insert into request_states (account_id, id, kind, state, last_due, place)
    select account_id, id, kind, state, last_due, place from requests
    where account_id = ${accountId}`;
  return { accountId, requestId };
}

/** Returns null if a refund or payout above the balance is refused. */
async function unlessRefused<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

class Game {
  collected = 0;
  back = 0;
  paidOut = 0;
  private steps = 0;
  private below = false;
  constructor(private readonly key: { accountId: string; requestId: number }) {}

  private async payments(): Promise<{ id: number; amount: number }[]> {
    return await service.sql<{ id: number; amount: number }[]>`
      select id, amount from results
      where account_id = ${this.key.accountId} and type = 'collected' order by id`;
  }

  private async takeBack(step: Extract<Step, { do: 'refund' | 'chargeback' }>): Promise<void> {
    const all = await this.payments();
    const payment = all[step.pick % all.length];
    if (!payment) return;
    const amount = step.do === 'refund' && step.amount !== null ? centavos(step.amount) : null;
    const sourceRef = String(this.steps);
    await unlessRefused(
      reverse(service.service.parts.base)({
        key: { accountId: this.key.accountId, id: this.key.requestId },
        type: step.do,
        resultId: payment.id,
        amount,
        actor: testOperator,
        source: 'game',
        sourceRef,
        comment: 'game',
      }),
    );
    const [done] = await service.sql<{ amount: number }[]>`
      select amount from results
      where account_id = ${this.key.accountId} and source_ref = ${sourceRef} and source = 'game'`;
    this.back += done?.amount ?? 0;
  }

  /** Requests a refund that the operator transfers. */
  private async ask({ pick: at, amount }: Extract<Step, { do: 'ask' }>): Promise<void> {
    const { base, connections } = service.service.parts;
    const { accountId, requestId: id } = this.key;
    const all = await this.payments();
    const payment = all[at % all.length];
    if (!payment) return;
    const before = await holderBalances(service.sql, accountId);
    const asked = await unlessRefused(
      requestRefund({ base, connected: connections.online })({
        key: { accountId, id },
        kind: 'payment_request',
        resultId: payment.id,
        amount: amount === null ? null : centavos(amount),
        cbu: '0170099220000067797370',
        reference: `ask ${this.steps}`,
        actor: testOperator,
      }),
    );
    if (!asked) return;
    // A request takes exactly the reserved amount, and by default leaves no negative total.
    const after = await holderBalances(service.sql, accountId);
    const { held } = asked.refund;
    expect(after.available + after.unavailable).toBe(before.available + before.unavailable - held);
    if (!this.below && held > 0) {
      expect(after.available + after.unavailable).toBeGreaterThanOrEqual(0);
    }
  }

  private async endAsked({ pick: at, state }: Extract<Step, { do: 'end' }>): Promise<void> {
    const { accountId } = this.key;
    const open = await service.sql<{ id: number; amount: number }[]>`
      select id, amount from refunds
      where account_id = ${accountId} and state = 'requested' order by id`;
    const refund = open[at % open.length];
    if (!refund) return;
    const end = endRefund(service.service.parts.base);
    const word = { accountId, id: refund.id, state, comment: 'game', actor: testOperator };
    // Two concurrent reports of the same end take effect once.
    const told = await Promise.all([end(word), end(word)]);
    expect(told.sort()).toEqual(['ended', 'known']);
    if (state === 'done') this.back += refund.amount;
  }

  private async pay({ amount, channel }: Extract<Step, { do: 'pay' }>): Promise<void> {
    const { base, calendar, clocks } = service.service.parts;
    const { accountId, requestId: id } = this.key;
    const [request] = await readRequests(service.sql, [{ accountId, id }]);
    if (!request) throw new Error('the request is gone');
    const code = channels[channel] ?? 'non_banking';
    await recordFacts(
      base,
      calendar,
    )([
      {
        request,
        type: 'collected',
        channel: code,
        label: code,
        amount: centavos(amount),
        paidAt: clocks.business.now(),
        source: 'game',
        sourceRef: `pay ${this.steps}`,
        actor: testOperator,
        attemptId: null,
        details: {},
      },
    ]);
    this.collected += amount;
  }

  private async payOut(amount: number | null): Promise<void> {
    const { base } = service.service.parts;
    const wanted = {
      accountId: this.key.accountId,
      amount: amount === null ? null : centavos(amount),
      reference: String(this.steps),
      actor: testOperator,
    };
    const done = await unlessRefused(sendPayout(base)(wanted));
    if (!done) return;
    this.paidOut += done.payout.amount;
    const { available, unavailable } = await holderBalances(service.sql, this.key.accountId);
    expect(available).toBeGreaterThanOrEqual(0);
    expect(available + unavailable).toBeGreaterThanOrEqual(0);
  }

  async play(step: Step): Promise<void> {
    this.steps += 1;
    const { clocks } = service.service.parts;
    if (step.do === 'pay') await this.pay(step);
    else if (step.do === 'refund' || step.do === 'chargeback') await this.takeBack(step);
    else if (step.do === 'payout') await this.payOut(step.amount);
    else if (step.do === 'ask') await this.ask(step);
    else if (step.do === 'end') await this.endAsked(step);
    else if (step.do === 'release') {
      await this.releaseThrough(clocks.business.now().add({ hours: 24 * step.inDays }));
    } else {
      const settings = { returns_fees: step.fees, refunds_below_zero: step.below };
      this.below = step.below;
      await service.sql`
        update accounts set settings = ${JSON.stringify(settings)}::text::jsonb
        where id = ${this.key.accountId}`;
    }
    await this.check();
  }

  /** Releases each payment on its promised day, as the sweep does. */
  private async releaseThrough(until: Temporal.Instant): Promise<void> {
    const { base, clocks } = service.service.parts;
    const sweep = releaseSweep(base);
    for (;;) {
      const due = await sweep.nextDue();
      if (due === null || Temporal.Instant.compare(due, until) > 0) return;
      const now = clocks.business.now();
      await sweep.run(Temporal.Instant.compare(due, now) < 0 ? now : due);
    }
  }

  private async check(): Promise<void> {
    const { accountId } = this.key;
    const { available, unavailable } = await holderBalances(service.sql, accountId);
    const [aside] = await service.sql<{ held: number }[]>`
      select coalesce(sum(held), 0)::bigint as held from refunds
      where account_id = ${accountId} and state = 'requested'`;
    expect(available + unavailable + (aside?.held ?? 0) + this.paidOut).toBeLessThanOrEqual(
      this.collected - this.back,
    );
    const [sums] = await service.sql<{ unreleased: number; released: number }[]>`
      select coalesce(sum(unreleased), 0)::bigint as unreleased,
        coalesce(sum(amount - net_fee - fee_iva - withheld) filter (
          where released_on is not null), 0)::bigint as released
      from results where account_id = ${accountId} and type = 'collected'`;
    expect(unavailable).toBe(sums?.unreleased);
    // Only a release makes money available, whatever was returned before.
    if (sums?.released === 0) expect(available).toBeLessThanOrEqual(0);
  }

  /** Releases everything, ends pending refunds and pays out the rest. Nothing may be left. */
  async end(): Promise<void> {
    await this.play({ do: 'release', inDays: 60 });
    expect(await auditAccount(service.sql, this.key.accountId)).toEqual([]);
    const [open] = await service.sql<{ count: number }[]>`
      select count(*)::int from refunds
      where account_id = ${this.key.accountId} and state = 'requested'`;
    for (let left = open?.count ?? 0; left > 0; left -= 1) {
      await this.play({ do: 'end', pick: 0, state: left % 2 === 0 ? 'done' : 'failed' });
    }
    await this.play({ do: 'payout', amount: null });
    const { available, unavailable } = await holderBalances(service.sql, this.key.accountId);
    expect(unavailable).toBe(0);
    expect(available).toBeLessThanOrEqual(0);
    expect(await auditAccount(service.sql, this.key.accountId)).toEqual([]);
  }
}

const pick = fc.nat({ max: 5 });
const small = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 12_000 }));
const terms: fc.Arbitrary<Terms> = fc.record({
  percentagePpm: fc.constantFrom(0, 8_000, 500_000),
  fixed: fc.constantFrom(0, 1, 35, 10_000),
  minimum: fc.constantFrom(0, 2, 10_000),
  days: fc.constantFrom(0, 2, 9),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('pay' as const), amount: small, channel: fc.nat({ max: 2 }) }),
  fc.record({
    do: fc.constant('refund' as const),
    pick,
    amount: fc.oneof(fc.constant(1), fc.constant(null), small),
  }),
  fc.record({ do: fc.constant('chargeback' as const), pick }),
  fc.record({ do: fc.constant('release' as const), inDays: fc.constantFrom(0, 3, 15) }),
  fc.record({ do: fc.constant('payout' as const), amount: fc.oneof(fc.constant(null), small) }),
  fc.record({
    do: fc.constant('ask' as const),
    pick,
    amount: fc.oneof(fc.constant(1), fc.constant(null), small),
  }),
  fc.record({
    do: fc.constant('end' as const),
    pick,
    state: fc.constantFrom('done' as const, 'failed' as const),
  }),
  fc.record({ do: fc.constant('settings' as const), fees: fc.boolean(), below: fc.boolean() }),
);

test('creates no money, whatever the order of payments, refunds, chargebacks, releases and payouts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(terms, { minLength: 3, maxLength: 3 }),
      fc.array(step, { minLength: 4, maxLength: 18 }),
      async (allTerms, steps) => {
        const game = new Game(await newHolder(allTerms));
        await game.play({ do: 'pay', amount: steps.length, channel: 0 });
        for (const one of steps) await game.play(one);
        await game.end();
      },
    ),
    { numRuns: 80, seed: 20261122 },
  );
}, 120_000);

const largeMinimum: Terms = { percentagePpm: 0, fixed: 0, minimum: 10_000, days: 2 };

test('returns a fee larger than the payment to the unavailable balance, and pays nothing out', async () => {
  const key = await newHolder([largeMinimum]);
  const game = new Game(key);
  await game.play({ do: 'settings', fees: true, below: false });
  await game.play({ do: 'pay', amount: 100, channel: 0 });
  const balances = () => holderBalances(service.sql, key.accountId);
  expect(await balances()).toEqual({ available: 0, unavailable: -12_002 });
  await game.play({ do: 'refund', pick: 0, amount: 50 });
  expect(await balances()).toEqual({ available: 0, unavailable: -6_001 });
  await game.play({ do: 'refund', pick: 0, amount: null });
  expect(await balances()).toEqual({ available: 0, unavailable: 0 });
  await game.end();
  expect(game.paidOut).toBe(0);
});

test('covers a negative unavailable balance from the available one, and pays out at most the rest', async () => {
  const key = await newHolder([{ ...largeMinimum, minimum: 0, days: 0 }, largeMinimum]);
  const game = new Game(key);
  await game.play({ do: 'pay', amount: 20_000, channel: 0 });
  await game.play({ do: 'release', inDays: 0 });
  await game.play({ do: 'pay', amount: 100, channel: 1 });
  expect(await holderBalances(service.sql, key.accountId)).toEqual({
    available: 19_650,
    unavailable: -12_002,
  });
  const order = { accountId: key.accountId, reference: 'all', actor: testOperator };
  const send = sendPayout(service.service.parts.base);
  await expect(send({ ...order, amount: centavos(7_649) })).rejects.toThrow(
    'The account has 196.50 available and an unavailable balance of -120.02: ' +
      'a payout must be more than 0 and at most 76.48.',
  );
  expect((await send({ ...order, amount: null })).payout.amount).toBe(7_648);
  await expect(send({ ...order, reference: 'more', amount: null })).rejects.toThrow(
    'no payout is possible at the moment',
  );
});
