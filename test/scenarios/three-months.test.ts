import { afterAll, beforeAll, expect, test } from 'vitest';
import { rejectCodes } from '../../src/debit-requests/index.ts';
import { sealAccount } from '../../src/money/ledger/index.ts';
import { inDays, todayOf } from '../harness/builders/clock.ts';
import { outcomeOf } from '../harness/builders/debits.ts';
import { adhesionBody, cardAdhesionBody, cbuEndingIn } from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from './play.ts';

/**
 * Simulates three months of a club that debits its members: 160 by bank account, 40 by card. The
 * outcome depends only on the member's number, so every count below can be computed.
 */
let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  await service.sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, rate_ppm)
    select cuit, 'SIRTAC', 'Santa Fe', '2020-01-01', 20000 from accounts`;
});
afterAll(() => service.stop());

interface Member {
  no: number;
  mandate: number;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, n) => from + n);

async function post(path: string, body: unknown): Promise<number> {
  const answer = await service.call('POST', path, { body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id;
}

/** 0–9 have closed accounts, 10–19 insufficient funds, 20–29 cancel the service, the others pay. */
const endingOf = (no: number): string => {
  if (no < 10) return '9902';
  if (no < 20) return '9910';
  return no < 30 ? '9915' : String(1000 + no);
};

const enrolBank = async (no: number): Promise<Member> => ({
  no,
  mandate: await post('/adhesion', adhesionBody({ cbu_number: cbuEndingIn(endingOf(no), no) })),
});

/** Of 40 cards the first 5 have insufficient funds, and the next 5 are refused by their issuer. */
const cardOf = (no: number): string => {
  if (no < 5) return '4258210000474094';
  return no < 10 ? '4546400044997331' : '4507990000004905';
};

const enrolCard = async (no: number): Promise<Member> => ({
  no,
  mandate: await post('/card-adhesion', cardAdhesionBody({ card_number: cardOf(no) })),
});

/**
 * 30–59 get one rejection code each, in the first month; 60–69 reverse their debits; 70–79 have a
 * second due date.
 */
const amountOf = (no: number): number => {
  if (no >= 60 && no < 70) return 1000.95;
  return no >= 70 && no < 80 ? 1000.91 : 1000;
};

const debitBank = async ({ no, mandate }: Member): Promise<number> =>
  await post('/debit-request', {
    debit_request: {
      adhesion_id: mandate,
      first_due_date: inDays(service, 12),
      first_total: amountOf(no),
      ...(no >= 70 && no < 80 && { second_due_date: inDays(service, 20), second_total: 1100 }),
    },
  });

const debitCard = async ({ mandate }: Member): Promise<number> => {
  const period = todayOf(service).add({ months: 1 });
  return await post('/card-debit-request', {
    card_debit_request: {
      card_adhesion_id: mandate,
      month: period.month,
      year: period.year,
      amount: 500,
    },
  });
};

const statesOf = async (ids: number[]): Promise<Record<string, number>> => {
  const rows = await service.sql<{ state: string; count: number }[]>`
    select state, count(*)::int as count from requests where id = any(${ids}::bigint[])
    group by state`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
};

/** Returns the members whose mandates can still be debited. */
const stillSigned = async (kind: string, members: Member[]): Promise<Member[]> => {
  const rows = await service.sql<{ id: number }[]>`
    select id from mandates where kind = ${kind} and state = 'signed'`;
  const signed = new Set(rows.map(({ id }) => id));
  return members.filter(({ mandate }) => signed.has(mandate));
};

const codes = Object.keys(rejectCodes);

/** Reports every clearing code at once, for members from 30 on. */
async function tellCodes(told: [Member, number][]): Promise<void> {
  const outcomes = told.flatMap(([{ no }, id]) => {
    const code = codes[no - 30];
    return code === undefined ? [] : [outcomeOf(service, id, { code })];
  });
  await service.service.parts.debits.settle(outcomes);
  const again = await service.service.parts.debits.settle(outcomes);
  expect(new Set(again)).toEqual(new Set(['known', 'waiting']));
}

test('debits 200 members for three months, with the expected outcomes and balanced books', async () => {
  const bank = await Promise.all(range(0, 160).map(enrolBank));
  const cards = await Promise.all(range(0, 40).map(enrolCard));
  const made: number[] = [];

  for (let month = 0; month < 3; month += 1) {
    const live = await stillSigned('adhesion', bank);
    const liveCards = await stillSigned('card_adhesion', cards);
    const debits = await Promise.all(
      live.map(async (one): Promise<[Member, number]> => [one, await debitBank(one)]),
    );
    const cardDebits = await Promise.all(liveCards.map(debitCard));
    made.push(...debits.map(([, id]) => id), ...cardDebits);

    // 80–84 cancel one debit; 85 + month ends the mandate, and the debit with it.
    const idOf = (no: number) => debits.find(([one]) => one.no === no)?.[1];
    for (const no of range(80, 85)) await service.call('PUT', `/debit-request/${idOf(no)}/cancel`);
    const leaves = bank[85 + month]?.mandate;
    await service.call('PUT', `/adhesion/${leaves}/cancel`);

    const [due] = await service.sql<{ on: Temporal.PlainDate }[]>`
      select max(submit_on) as on from debit_runs where kind = 'debit_request' and no = 1`;
    await player.move({ advance_to: `${due?.on}T06:00:00-03:00` });
    if (month === 0) {
      await tellCodes(debits.filter(([{ no }]) => no >= 30 && no < 30 + codes.length));
    }
    await player.move({ days: 32 });
    const refunded = idOf(159);
    if (refunded) {
      await player.refund(refunded, { amount: 400 });
      await player.refund(refunded, { amount: 100.5 });
    }
    await sealAccount(service.sql, testAccount);
    expect(await player.faults()).toEqual([]);
    expect(await statesOf(debits.map(([, id]) => id))).toEqual(expected.bank[month]);
  }

  await player.move({ days: 60 });
  expect(await statesOf(made.slice())).not.toHaveProperty('pending');
  expect((await stillSigned('adhesion', bank)).length).toBe(160 - 10 - 10 - 5 - 3);
  expect((await stillSigned('card_adhesion', cards)).length).toBe(35);
  const [cardStates] = await service.sql<{ paid: number; rejected: number }[]>`
    select count(*) filter (where state = 'paid')::int as paid,
      count(*) filter (where state = 'rejected')::int as rejected
    from requests where kind = 'card_debit_request'`;
  // The five that the issuer refuses lose their mandates at the first debit.
  expect(cardStates).toEqual({ paid: 3 * 30, rejected: 3 * 5 + 5 });
  await sealAccount(service.sql, testAccount);
  expect(await player.faults()).toEqual([]);
  const [available, unavailable] = await player.balances();
  expect(unavailable).toBe(0);
  expect(available).toBeGreaterThan(0);
}, 60_000);

const waits = codes.filter((code) => rejectCodes[code]?.handling === 'wait').length;

const expected = {
  bank: [
    // Rejected: closed accounts, insufficient funds, canceled services, and each code that ends a
    // debit. The rest is paid, except reversed and canceled debits. A code that is not final keeps
    // its debit open.
    {
      rejected: 30 + (codes.length - waits),
      // R24 reports a duplicate debit. The simulator pays it on the next day.
      in_process: waits - 1,
      reverted: 10,
      canceled: 6,
      paid: 160 - 30 - codes.length - 10 - 6 + 1,
    },
    // Without the 20 + 5 whose mandates a code ended, and the one that canceled.
    { rejected: 10, reverted: 10, canceled: 6, paid: 160 - 26 - 10 - 10 - 6 },
    { rejected: 10, reverted: 10, canceled: 6, paid: 160 - 27 - 10 - 10 - 6 },
  ],
};
