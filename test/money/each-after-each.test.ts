import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { prepareFacts } from '../../src/money/collections/index.ts';
import { ledgerAccounts } from '../../src/money/ledger/index.ts';
import { returnPayout } from '../../src/money/payouts/index.ts';
import { endRefund } from '../../src/money/refunds/index.ts';
import { assignSuspense, suspend } from '../../src/money/suspense/index.ts';
import { Refusal } from '../../src/platform/errors.ts';
import { testOperator } from '../harness/actors.ts';
import { correct, sendPayout } from '../harness/money.ts';
import { type Answer, startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';

/**
 * Checks the table of docs/reference/money-tables.md cell by cell: the effect of each fact about
 * money after each other fact.
 */
let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments' });
  player = playerOf(service);
  await service.sql`update accounts set payout_cbu = '0170099220000067797370'`;
  const order = { accountId: testAccount, reference: 'to begin with', note: 'n' };
  const { base } = service.service.parts;
  await correct(base)({ ...order, amount: centavos(9_000_000), actor: testOperator });
});
afterAll(async () => {
  expect(await player.faults()).toEqual([]);
  await service.stop();
});

/** A request of 1000.00 that was paid once, and the other ids that a cell needs. */
interface Stage {
  id: number;
  payoutId: number;
}

type Outcome = 'done' | 'known' | 'refused';

let names = 0;
const name = (word: string): string => {
  names += 1;
  return `${word} ${names}`;
};

const answered = ({ status, text }: Answer): Outcome => {
  expect([200, 400, 409], text).toContain(status);
  return status === 200 ? 'done' : 'refused';
};

/** Returns the outcome of a verb, or its refusal. */
async function tried(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return 'refused';
    throw error;
  }
}

const payOut = () =>
  sendPayout(service.service.parts.base)({
    accountId: testAccount,
    reference: name('payout'),
    amount: centavos(10_000),
    actor: testOperator,
  });

async function assign({ id }: Stage): Promise<Outcome> {
  const { base, calendar } = service.service.parts;
  const sourceRef = name('found');
  await suspend(base)([
    {
      reason: 'unreadable_code',
      channel: 'non_banking',
      label: 'Rapipago',
      code: '?',
      amount: centavos(50_000),
      paidAt: base.clocks.business.now(),
      source: 'rapipago',
      sourceRef,
    },
  ]);
  const [row] = await base.sql<{ id: number }[]>`
    select id from suspense where source_ref = ${sourceRef}`;
  const order = { id: row?.id ?? 0, to: { accountId: testAccount, id }, note: 'n' };
  await assignSuspense(base, prepareFacts(base, calendar))({ ...order, actor: testOperator });
  return 'done';
}

const cbu = '2850590940090418135201';

/** Requests a refund by transfer. Returns 0 if it is refused. */
async function ask({ id }: Stage): Promise<number> {
  const { status, text, body } = await service.call('POST', `/payment-request/${id}/refund`, {
    body: { refund: { amount: 300, cbu } },
  });
  expect([201, 400, 409], text).toContain(status);
  return status === 201 ? body.id : 0;
}

/** Requests a refund whose transfer the bank then refuses. */
async function askInVain(stage: Stage): Promise<Outcome> {
  const id = await ask(stage);
  if (id === 0) return 'refused';
  const end = { accountId: testAccount, id, state: 'failed', comment: 'closed' } as const;
  await endRefund(service.service.parts.base)({ ...end, actor: testOperator });
  return 'done';
}

const facts: Record<string, (stage: Stage) => Promise<Outcome>> = {
  payment: async ({ id }) => answered(await player.pay(id, { channel: 'non_banking' })),
  'refund of 400.00': async ({ id }) => answered(await player.refund(id, { amount: 400 })),
  'refund of the rest': async ({ id }) => answered(await player.refund(id)),
  'refund of 300.00 requested': async (stage) => ((await ask(stage)) > 0 ? 'done' : 'refused'),
  'refund of 300.00 that fails': askInVain,
  chargeback: async ({ id }) => answered(await player.chargeback(id)),
  release: async () => answered(await player.move({ days: 15 })),
  'payout of 100.00': async () => {
    await payOut();
    return 'done';
  },
  'payout comes back': async ({ payoutId: id }) => {
    const order = { accountId: testAccount, id, reason: 'closed', actor: testOperator };
    const outcome = await returnPayout(service.service.parts.base)(order);
    return outcome === 'known' ? 'known' : 'done';
  },
  'correction of -50.00': async () => {
    const order = { accountId: testAccount, reference: name('correction'), note: 'n' };
    const { base } = service.service.parts;
    await correct(base)({ ...order, amount: centavos(-5_000), actor: testOperator });
    return 'done';
  },
  'assignment of 500.00': assign,
};

const { holderAvailable, holderUnavailable } = ledgerAccounts;

/**
 * Sums the postings to the holder's balances: those of the request, and of facts without a request.
 */
async function posted(id: number): Promise<[number, number]> {
  const [row] = await service.sql<{ available: number; unavailable: number }[]>`
    select coalesce(-sum(amount) filter (where account = ${holderAvailable}), 0)::bigint as available,
      coalesce(-sum(amount) filter (where account = ${holderUnavailable}), 0)::bigint as unavailable
    from journals, unnest(accounts, amounts) as line (account, amount)
    where account_id = ${testAccount} and (request_id = ${id} or request_id is null)`;
  return [row?.available ?? 0, row?.unavailable ?? 0];
}

const money = (amount: number): string => (amount / 100 + 0).toFixed(2);

async function play(first: string, then: string): Promise<string> {
  const [begin, go] = [facts[first], facts[then]];
  if (!begin || !go) throw new Error(`nobody plays ${first} or ${then}`);
  const id = await player.create({ first_total: 1000 });
  expect(answered(await player.pay(id, { channel: 'non_banking' }))).toBe('done');
  const { payout } = await payOut();
  const stage = { id, payoutId: payout.id };
  expect(await tried(() => begin(stage))).toBe('done');
  const before = await posted(id);
  const outcome = await tried(() => go(stage));
  const after = await posted(id);
  if (outcome !== 'done') {
    expect(after).toEqual(before);
    return outcome;
  }
  const [row] = await service.sql<{ state: string }[]>`select state from requests where id = ${id}`;
  return [row?.state, money(after[0] - before[0]), money(after[1] - before[1])].join(' · ');
}

const text = readFileSync(new URL('../../docs/reference/money-tables.md', import.meta.url), 'utf8');
const section = text.slice(text.indexOf('## Each fact after'));
const [head = [], , ...rows] = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const columns = head.slice(1);

test('covers every fact, before and after every other', () => {
  expect(columns).toEqual(Object.keys(facts));
  expect(rows.map(([first]) => first)).toEqual(Object.keys(facts));
});

test.each(rows.map(([first = '', ...cells]) => ({ first, cells })))(
  'has the documented outcome of each fact after $first',
  async ({ first, cells }) => {
    const played = [];
    for (const then of columns) played.push(await play(first, then));
    expect(played).toEqual(cells);
  },
  60_000,
);
