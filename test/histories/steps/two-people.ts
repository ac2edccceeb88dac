import { expect } from 'vitest';
import type { Office, Shown } from '../../harness/portal.ts';
import { testAccount } from '../../harness/service.ts';
import { balances } from '../model/reports.ts';
import { type Play, pesos } from '../play.ts';
import { putRight } from './operator.ts';

type Kind = 'payout' | 'correction';
type Outcome = 'done' | 'conflict' | 'forbidden';

/** Operators act by the commands' verbs or by their pages' forms. */
interface Hands {
  propose(kind: Kind, reference: string, amount: number, by: Office): Promise<Outcome>;
  approve(kind: Kind, id: number, by: Office): Promise<Outcome>;
  reject(kind: Kind, id: number, by: Office): Promise<Outcome>;
}

const outcomeOf = (done: object | string): Outcome =>
  typeof done === 'object' && 'refused' in done ? (done.refused as Outcome) : 'done';

const byVerbs = (play: Play): Hands => ({
  propose: async (kind, reference, amount, { userId }) =>
    outcomeOf((await play.desk((desk) => desk.propose(kind, reference, amount, userId))).done),
  approve: async (kind, id, { userId }) =>
    outcomeOf((await play.desk((desk) => desk.approve(kind, id, userId))).done),
  reject: async (kind, id, { userId }) =>
    outcomeOf((await play.desk((desk) => desk.reject(kind, id, userId))).done),
});

const pages = '/portal/operator';
const pageOf = (kind: Kind, id: number): string => `${pages}/${kind}s/proposals/${id}`;

const shownOutcomes: Record<number, Outcome> = {
  200: 'done',
  303: 'done',
  403: 'forbidden',
  409: 'conflict',
};

function shownOutcome({ status, text }: Shown): Outcome {
  const outcome = shownOutcomes[status];
  if (outcome === undefined) throw new Error(`${status} ${text}`);
  return outcome;
}

/** Pages pay out everything that is available. */
const byPages: Hands = {
  propose: async (kind, reference, amount, by) => {
    const written = pesos(amount).toFixed(2).replace('.', ',');
    return shownOutcome(
      kind === 'payout'
        ? await by.post(`${pages}/payouts/propose`, { accounts: testAccount, reference })
        : await by.post(`${pages}/corrections`, {
            ...{ account: testAccount, reference, amount: written },
            note: 'by two',
          }),
    );
  },
  approve: async (kind, id, by) => shownOutcome(await by.post(`${pageOf(kind, id)}/approve`)),
  reject: async (kind, id, by) =>
    shownOutcome(await by.post(`${pageOf(kind, id)}/reject`, { reason: 'not now' })),
};

async function proposalOf(play: Play, reference: string): Promise<number> {
  const { done } = await play.desk(
    async (_desk, { sql }) =>
      await sql<{ id: number }[]>`
        select id from proposals where account_id = ${testAccount} and reference = ${reference}`,
  );
  expect(done.length, `proposals of ${reference}`).toBe(1);
  return done[0]?.id ?? 0;
}

/**
 * Proposes acts that need a second person. No money moves before another person approves. Of
 * several concurrent decisions one wins, and no one approves their own. Runs alone.
 */
export async function twoPeople(play: Play): Promise<void> {
  const { model, random, deployment } = play;
  // Approvals with a lost response are tested elsewhere.
  const [ana] = deployment.operators;
  if (ana === undefined) return await putRight(play);
  await play.settleToday();
  const kind = random.percent(50) ? 'payout' : 'correction';
  const [available, unavailable] = balances(model);
  const most = available + Math.min(unavailable, 0);
  const onPages = random.percent(60) && (kind === 'correction' || most > 0);
  const hands = onPages ? byPages : byVerbs(play);
  const sign = kind === 'correction' && random.percent(50) ? -1 : 1;
  const some = random.between(1, kind === 'payout' ? Math.max(most, 1) : 60_000) * sign;
  const amount = onPages && kind === 'payout' ? most : some;
  const reference = play.name('by-two');
  const proposed = await hands.propose(kind, reference, amount, ana);
  play.note(`${kind} ${reference} of ${amount} is proposed ${onPages ? 'on a page' : ''}`);
  if (kind === 'payout' && most < amount) {
    expect(proposed).toBe('conflict');
    return;
  }
  expect(proposed).toBe('done');
  const id = await proposalOf(play, reference);
  expect(await hands.approve(kind, id, ana)).toBe('forbidden');
  // The balance may have become too small since.
  const taken = kind === 'payout' && random.percent(30) ? most - amount + 1 : 0;
  if (taken > 0) await takeAway(play, taken);
  await decide(play, hands, { kind, id, reference, amount, covered: taken === 0 });
}

async function takeAway(play: Play, amount: number): Promise<void> {
  const reference = play.name('taken');
  await play.desk((desk) => desk.correct(reference, -amount));
  play.model.corrections.push({ reference, amount: -amount, on: play.model.today });
}

interface Proposed {
  kind: Kind;
  id: number;
  reference: string;
  amount: number;
  /** True if the balance still covers it. */
  covered: boolean;
}

async function decide(
  play: Play,
  hands: Hands,
  { kind, id, reference, amount, covered }: Proposed,
): Promise<void> {
  const { model, random, deployment } = play;
  const [, bruno, carla] = deployment.operators;
  if (!bruno || !carla) throw new Error('two people are missing');
  if (random.percent(25)) {
    expect(await hands.reject(kind, id, bruno)).toBe('done');
    expect(await hands.approve(kind, id, carla)).toBe('conflict');
    play.note(`${reference} was rejected`);
    return;
  }
  const outcomes = await Promise.all([bruno, carla].map((by) => hands.approve(kind, id, by)));
  play.note(`${reference} approved by two at once: ${outcomes}, covered ${covered}`);
  expect(outcomes.toSorted()).toEqual(['conflict', covered ? 'done' : 'conflict']);
  if (!covered) {
    expect(await hands.reject(kind, id, bruno)).toBe('done');
    return;
  }
  if (kind === 'correction') {
    model.corrections.push({ reference, amount, on: model.today });
    return;
  }
  const { done } = await play.desk(
    async (_desk, { sql }) =>
      await sql<{ id: number; amount: number }[]>`
        select id, amount from payouts where account_id = ${testAccount} and reference = ${reference}`,
  );
  expect(done.map((one) => Number(one.amount))).toEqual([amount]);
  const sent = { id: done[0]?.id ?? 0, reference, amount, sentOn: model.today, returnedOn: null };
  model.payouts.push(sent);
}
