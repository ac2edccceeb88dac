import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveAccount } from '../../src/accounts/index.ts';
import { holderBalances } from '../../src/money/ledger/index.ts';
import { testOperator } from '../harness/actors.ts';
import { inDays } from '../harness/builders/clock.ts';
import { createDebit, handOver, settle } from '../harness/builders/debits.ts';
import { signedAdhesion } from '../harness/builders/mandates.ts';
import { itemOf } from '../harness/builders/qrs.ts';
import { sendPayout } from '../harness/money.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';

/**
 * Checks the table of docs/reference/money-tables.md cell by cell: the amounts returned at each
 * kind of moment.
 */
let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr' });
  player = playerOf(service);
  await service.sql`update accounts set payout_cbu = '0170099220000067797370'`;
});
afterAll(async () => {
  expect(await player.faults()).toEqual([]);
  await service.stop();
});

type Verb = 'refund' | 'chargeback';

const text = readFileSync(new URL('../../docs/reference/money-tables.md', import.meta.url), 'utf8');
const section = text.slice(text.indexOf('## What goes back'), text.indexOf('## What an edit'));
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, moment = '', refund = '', chargeback = '']) => ({ moment, refund, chargeback }));

/** The request to reverse, and its payment if it has several. */
interface Target {
  id: number;
  result?: number;
}

const paid = async (): Promise<number> => {
  const id = await player.create({ first_total: 1000 });
  expect((await player.pay(id)).status).toBe(200);
  return id;
};

const resultsOf = async (id: number): Promise<number[]> => {
  const found = await service.sql<{ id: number }[]>`
    select id from results where request_id = ${id} and type = 'collected' order by id`;
  return found.map((row) => row.id);
};

const paidTwice = async (): Promise<{ id: number; first: number; second: number }> => {
  const id = await paid();
  await player.pay(id);
  const [first = 0, second = 0] = await resultsOf(id);
  return { id, first, second };
};

let qrs = 0;

/** Creates a QR that is paid `times` times. Returns the payment in the middle. */
async function paidQr(times: number): Promise<Target> {
  qrs += 1;
  const item = itemOf(service, `back${qrs}`, { first_total: 1000, multiple_payment: times > 1 });
  await service.call('POST', '/save-qr-data', { body: { total_count: 1, data: [item] } });
  for (let no = 0; no < times; no += 1) {
    expect((await service.call('POST', `/pay-qr/back${qrs}`)).status).toBe(200);
  }
  const [row] = await service.sql<{ id: number }[]>`
    select id from requests where code = ${`${testAccount}-back${qrs}`}`;
  const id = row?.id ?? 0;
  return { id, result: (await resultsOf(id))[Math.floor(times / 2)] ?? 0 };
}

async function secondRun(): Promise<Target> {
  const dues = {
    first_due_date: inDays(service, 20),
    second_due_date: inDays(service, 30),
    second_total: 1500,
  };
  const { body } = await createDebit(service, await signedAdhesion(service), dues);
  await handOver(service, body.id);
  expect(await settle(service, body.id, { code: 'R10' })).toBe('retried');
  await handOver(service, body.id, 2);
  expect(await settle(service, body.id, { paid: true }, 2)).toBe('paid');
  return { id: body.id };
}

const moments: Record<string, () => Promise<Target>> = {
  'before its release': async () => ({ id: await paid() }),
  'after its release': async () => {
    const id = await paid();
    await player.move({ days: 15 });
    return { id };
  },
  'after it was paid out': async () => {
    const id = await paid();
    await player.move({ days: 15 });
    // Earlier tests may leave a negative balance, and only a positive one can be paid out.
    for (let no = 0; no < 20 && (await player.balances())[0] <= 0; no += 1) {
      await paid();
      await player.move({ days: 15 });
    }
    const order = {
      accountId: testAccount,
      amount: null,
      reference: `to ${id}`,
      actor: testOperator,
    };
    await sendPayout(service.service.parts.base)(order);
    expect((await player.balances())[0]).toBe(0);
    return { id };
  },
  'one of two payments': async () => {
    const { id, first } = await paidTwice();
    return { id, result: first };
  },
  'the last of two payments, the other is gone': async () => {
    const { id, first, second } = await paidTwice();
    await player.refund(id, { result_id: first });
    return { id, result: second };
  },
  'after 400.00 were refunded': async () => {
    const id = await paid();
    await player.refund(id, { amount: 400 });
    return { id };
  },
  'after a whole refund': async () => {
    const id = await paid();
    await player.refund(id);
    return { id };
  },
  'after a chargeback': async () => {
    const id = await paid();
    await player.chargeback(id);
    return { id };
  },
  'a debit\u0027s second run': secondRun,
  'a QR paid once': () => paidQr(1),
  'a QR for many payments, one of three': () => paidQr(3),
  'after it expired and was paid late': async () => {
    const id = await player.create({ first_total: 1000 });
    await player.move({ days: 12 });
    expect((await player.get(id)).state).toBe('expired');
    expect((await player.pay(id)).body.state).toBe('paid');
    return { id };
  },
};

const reports = {
  refund: { path: 'refund', total: 'total_refunded' },
  chargeback: { path: 'chargeback', total: 'total_chargeback' },
} as const;

async function reported(verb: Verb): Promise<number> {
  const { path, total } = reports[verb];
  const { body } = await service.call('GET', `/report/${path}/${inDays(service, 0)}`);
  return body[total];
}

async function lastEvent(id: number, { sql } = service): Promise<string> {
  const [row] = await sql<{ type: string }[]>`
    select e.type from requests r
    join events e on e.account_id = r.account_id and e.entity = r.kind
      and e.entity_id in (r.code, r.id::text) and e.version = r.version
    where r.id = ${id}`;
  return row?.type ?? 'none';
}

const money = (pesos: number): string => (Math.round(pesos * 100) / 100 + 0).toFixed(2);

/** Reverses the target's payment. Returns the outcome in the table's words. */
async function play(verb: Verb, { id, result }: Target): Promise<string> {
  const [balances, total] = [await player.balances(), await reported(verb)];
  const body = result === undefined ? {} : { result_id: result };
  const { status } = await player[verb](id, body);
  if (status === 409) return 'refused';
  expect(status).toBe(200);
  const after = await player.balances();
  const [row] = await service.sql<{ state: string }[]>`select state from requests where id = ${id}`;
  return [
    row?.state,
    money(after[0] - balances[0]),
    money(after[1] - balances[1]),
    money((await reported(verb)) - total),
    await lastEvent(id),
  ].join(' · ');
}

const closed = 'after the account was closed';

test('covers every moment of the table, and no other', () => {
  const played = [...Object.keys(moments), closed];
  expect(rows.map(({ moment }) => moment).toSorted()).toEqual(played.toSorted());
});

/** A closed account has no keys, so the operator enters what banks and payers report. */
test.each(['refund', 'chargeback'] as const)(
  `returns the documented amounts: %s · ${closed}`,
  async (verb) => {
    const own = await startService({ ROLES: 'payments' });
    try {
      const holder = playerOf(own);
      const id = await holder.create({ first_total: 1000 });
      await holder.pay(id);
      await holder.move({ days: 15 });
      await own.sql`update accounts set payout_cbu = '0170099220000067797370'`;
      const { base, reverse } = own.service.parts;
      const payout = {
        accountId: testAccount,
        amount: null,
        reference: 'all',
        actor: testOperator,
      };
      await sendPayout(own.service.parts.base)(payout);
      const order = { accountId: testAccount, move: 'close', reason: 'left' } as const;
      expect(await moveAccount({ ...base, actor: testOperator }, order)).toBe(true);
      await reverse({
        key: { accountId: testAccount, id },
        type: verb,
        resultId: null,
        amount: null,
        actor: testOperator,
        source: 'operator',
        sourceRef: verb,
        comment: 'After the end.',
      });
      const { available, unavailable } = await holderBalances(own.sql, testAccount);
      const [row] = await own.sql<{ state: string; total: number }[]>`
      select r.state, sum(told.amount)::bigint as total
      from requests r join results told on told.account_id = r.account_id
        and told.request_id = r.id and told.type = ${verb}
      where r.id = ${id} group by r.state`;
      const amounts = [available, unavailable, row?.total ?? 0].map((amount) =>
        money(amount / 100),
      );
      const told = [row?.state, ...amounts, await lastEvent(id, own)].join(' · ');
      expect(told).toBe(rows.find(({ moment }) => moment === closed)?.[verb]);
      expect(await holder.faults()).toEqual([]);
    } finally {
      await own.stop();
    }
  },
);

test.each(
  rows
    .filter(({ moment }) => moment !== closed)
    .flatMap(({ moment, ...cells }) =>
      (['refund', 'chargeback'] as const).map((verb) => ({ moment, verb, cell: cells[verb] })),
    ),
)('returns the documented amounts: $verb · $moment', async ({ moment, verb, cell }) => {
  const prepare = moments[moment];
  if (!prepare) throw new Error(`nobody plays ${moment}`);
  expect(await play(verb, await prepare())).toBe(cell);
  if (moment !== 'after it was paid out') return;
  const order = {
    accountId: testAccount,
    amount: null,
    reference: `after ${verb}`,
    actor: testOperator,
  };
  await expect(sendPayout(service.service.parts.base)(order)).rejects.toThrow(
    'no payout is possible',
  );
});
