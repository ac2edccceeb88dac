import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditAccount } from '../../../src/audit/index.ts';
import { entry, ledgerAccounts, sealAccount } from '../../../src/money/ledger/index.ts';
import { readBalances } from '../../../src/money/ledger/store.ts';
import { giveTerms } from '../../harness/builders/terms.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  await service.sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, rate_ppm)
    select cuit, 'SIRTAC', 'Jujuy', '2020-01-01', 12345 from accounts`;
  await giveTerms(service, {
    channel: 'link_pagos',
    from: '2020-01-01',
    percentagePpm: 10_000,
    fixed: 33,
    minimum: 500,
    days: 1,
  });
});
afterAll(() => service.stop());

test('merges an entry’s lines for one account, omits zeros, and refuses a sum other than zero', () => {
  const { holderUnavailable, holderAvailable, feeIncome } = ledgerAccounts;
  expect(
    entry([
      [holderUnavailable, 5],
      [holderAvailable, -7],
      [feeIncome, 0],
      [holderUnavailable, 2],
    ]),
  ).toEqual({ accounts: [holderUnavailable, holderAvailable], amounts: [7, -7] });
  expect(() => entry([[holderUnavailable, 1]])).toThrow(/sums to 1/);
});

interface Payment {
  amount: number;
  refunded: number;
  chargedBack: boolean;
}

/** Models only the request's payments and the rules. */
interface Model {
  id: number;
  /** Last due day, as days since 1970. */
  lastDue: number;
  payments: Payment[];
  state: string;
}

type Step =
  | { do: 'create'; total: number }
  | { do: 'pay'; pick: number; channel: string }
  | { do: 'refund'; pick: number; percent: number }
  | { do: 'chargeback'; pick: number }
  | { do: 'move'; hours: number }
  | { do: 'seal' };

const pick = fc.nat({ max: 1000 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('create' as const),
        total: fc.integer({ min: 1, max: 5_000_000 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('pay' as const),
        pick,
        channel: fc.constantFrom('non_banking', 'link_pagos', 'wire_transfer', 'banelco_pmc'),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('refund' as const),
        pick,
        percent: fc.integer({ min: 1, max: 110 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('chargeback' as const), pick }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('move' as const),
        hours: fc.integer({ min: 1, max: 200 }),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'seal' as const }) },
  ),
  { minLength: 5, maxLength: 25 },
);

const epochDay = (): number => {
  const today = service.service.parts.clocks.business.today();
  return Temporal.PlainDate.from('1970-01-01').until(today).days;
};

const live = (payment: Payment): boolean =>
  !payment.chargedBack && payment.refunded < payment.amount;

async function play(step: Step, models: Model[]): Promise<void> {
  if (step.do === 'seal') {
    await sealAccount(service.sql, testAccount);
    return;
  }
  if (step.do === 'move') {
    expect((await player.move({ hours: step.hours })).status).toBe(200);
    for (const model of models) {
      if (model.state === 'pending' && epochDay() > model.lastDue) model.state = 'expired';
    }
    return;
  }
  if (step.do === 'create') {
    const id = await player.create({ first_total: step.total / 100 });
    models.push({ id, lastDue: epochDay() + 10, payments: [], state: 'pending' });
    return;
  }
  const model = models[step.pick % models.length];
  if (!model) return;
  if (step.do === 'pay') {
    const amount = ((step.pick * 7919) % 900_000) + 1;
    const { body } = await player.pay(model.id, { channel: step.channel, amount: amount / 100 });
    model.payments.push({ amount, refunded: 0, chargedBack: false });
    model.state = 'paid';
    expect(body.state).toBe('paid');
    return;
  }
  await takeBack(step, model);
}

async function takeBack(
  step: Extract<Step, { do: 'refund' | 'chargeback' }>,
  model: Model,
): Promise<void> {
  const last = model.payments.filter(live).at(-1);
  if (step.do === 'refund') {
    const amount = Math.max(1, Math.floor(((last?.amount ?? 100) * step.percent) / 100));
    const { status } = await player.refund(model.id, { amount: amount / 100 });
    if (!last) expect(status).toBe(409);
    else if (amount > last.amount - last.refunded) expect(status).toBe(400);
    else {
      expect(status).toBe(200);
      last.refunded += amount;
      if (!model.payments.some(live)) model.state = 'refunded';
    }
    return;
  }
  const target = last ?? model.payments.filter((payment) => !payment.chargedBack).at(-1);
  const { status } = await player.chargeback(model.id);
  expect(status).toBe(target ? 200 : 409);
  if (!target) return;
  target.chargedBack = true;
  if (model.state === 'paid' && !model.payments.some(live)) model.state = 'reverted';
}

test('keeps the books balanced and the states right after each step, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const models: Model[] = [];
      for (const step of [{ do: 'create', total: 10_000 } as Step, ...history]) {
        await play(step, models);
        expect(await auditAccount(service.sql, testAccount)).toEqual([]);
      }
      for (const model of models) expect((await player.get(model.id)).state).toBe(model.state);
      // The clearing accounts must hold the gross amounts received, less those returned.
      const came = models
        .flatMap((model) => model.payments)
        .reduce(
          (sum, one) => sum + one.amount - one.refunded - (one.chargedBack ? one.amount : 0),
          0,
        );
      const [row] = await service.sql<{ clearing: number }[]>`
        select coalesce(sum(line.amount), 0)::bigint as clearing
        from journals, unnest(accounts, amounts) as line (account, amount)
        where request_id = any(${models.map((model) => model.id)}::bigint[])
          and line.account > 100`;
      expect(row?.clearing).toBe(came);
    }),
    { numRuns: 20 },
  );
  // On several nodes each step takes several times as long as on one server.
}, 300_000);

test('leaves nothing unavailable a year later, with balances that sum to zero', async () => {
  await player.move({ days: 366 });
  await sealAccount(service.sql, testAccount);
  const balances = await readBalances(service.sql, testAccount);
  expect(balances.get(ledgerAccounts.holderUnavailable) ?? 0).toBe(0);
  expect([...balances.values()].reduce((sum, amount) => sum + amount, 0)).toBe(0);
  const [, unavailable] = await player.balances();
  expect(unavailable).toBe(0);
});

/**
 * Counts sealed journals. Concurrent payments may share a statement, and so a delta, but never a
 * journal.
 */
const sealedJournals = async (): Promise<number> => {
  const [row] = await service.sql<{ count: number }[]>`
    select coalesce(sum(cardinality(keys)), 0)::int as count from seals
    where account_id = ${testAccount} and kind = 'journal'`;
  return row?.count ?? 0;
};

test('keeps one chain of seals when several sealers run during payments', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => player.create()));
  const sealedBefore = await sealedJournals();
  const seal = async (): Promise<void> => {
    for (let round = 0; round < 10; round += 1) await sealAccount(service.sql, testAccount);
  };
  await Promise.all([
    seal(),
    seal(),
    seal(),
    ...ids.map((id) => player.pay(id)),
    ...ids.map((id) => player.pay(id)),
  ]);
  await sealAccount(service.sql, testAccount);
  expect(await sealedJournals()).toBe(sealedBefore + 20);
  expect(await sealAccount(service.sql, testAccount)).toBe(0);
  expect(await player.faults()).toEqual([]);
});
