import { expect } from 'vitest';
import { balances } from '../model/reports.ts';
import type { Play } from '../play.ts';
import { putRight } from './operator.ts';

const refusals = ['conflict'];

/**
 * Alone: what takes two people. Nothing moves until another person approves it; of several who
 * decide at the same moment one does, and nobody approves their own.
 */
export async function twoPeople(play: Play): Promise<void> {
  const { model, random, deployment } = play;
  // An approval whose answer was lost has tests of its own.
  const [ana] = deployment.operators;
  if (ana === undefined) return await putRight(play);
  await play.settleToday();
  const kind = random.percent(50) ? 'payout' : 'correction';
  const [available, unavailable] = balances(model);
  const most = available + Math.min(unavailable, 0);
  const sign = kind === 'correction' && random.percent(50) ? -1 : 1;
  const amount = random.between(1, kind === 'payout' ? Math.max(most, 1) : 60_000) * sign;
  const reference = play.name('by-two');
  const { done } = await play.desk((desk) => desk.propose(kind, reference, amount, ana));
  if (kind === 'payout' && most < amount) {
    expect(done).toMatchObject({ refused: 'conflict' });
    return;
  }
  if ('refused' in done || !done.proposal) throw new Error(`not proposed: ${JSON.stringify(done)}`);
  const { id } = done.proposal;
  play.note(`${kind} ${reference} of ${amount} is proposed`);
  const own = await play.desk((desk) => desk.approve(kind, id, ana));
  expect(own.done).toMatchObject({ refused: 'forbidden' });
  // Meanwhile the balance may no longer cover it.
  const taken = kind === 'payout' && random.percent(30) ? most - amount + 1 : 0;
  if (taken > 0) await takeAway(play, taken);
  await decide(play, { kind, id, reference, amount, covered: taken === 0 });
}

async function takeAway(play: Play, amount: number): Promise<void> {
  const reference = play.name('taken');
  await play.desk((desk) => desk.correct(reference, -amount));
  play.model.corrections.push({ reference, amount: -amount, on: play.model.today });
}

interface Proposed {
  kind: 'payout' | 'correction';
  id: number;
  reference: string;
  amount: number;
  /** The balance still has it. */
  covered: boolean;
}

async function decide(
  play: Play,
  { kind, id, reference, amount, covered }: Proposed,
): Promise<void> {
  const { model, random, deployment } = play;
  const [, bruno = 0, carla = 0] = deployment.operators;
  if (random.percent(25)) {
    const { done } = await play.desk((desk) => desk.reject(kind, id, bruno));
    expect(done).not.toHaveProperty('refused');
    const late = await play.desk((desk) => desk.approve(kind, id, carla));
    expect(late.done).toMatchObject({ refused: 'conflict' });
    play.note(`${reference} was rejected`);
    return;
  }
  const outcomes = await Promise.all(
    [bruno, carla].map((by) => play.desk((desk) => desk.approve(kind, id, by))),
  );
  const went = outcomes.flatMap(({ done }) => ('refused' in done ? [] : [done]));
  const refused = outcomes.flatMap(({ done }) => ('refused' in done ? [done.refused] : []));
  play.note(`${reference} approved by two at once: ${went.length}, covered ${covered}`);
  expect([...new Set(refused)]).toEqual(refusals);
  expect(went.length).toBe(covered ? 1 : 0);
  if (!covered) {
    await play.desk((desk) => desk.reject(kind, id, bruno));
    return;
  }
  if (kind === 'correction') {
    model.corrections.push({ reference, amount, on: model.today });
    return;
  }
  const payout = Number(went[0]?.outcome?.payout_id);
  const sent = { id: payout, reference, amount, sentOn: model.today, returnedOn: null };
  model.payouts.push(sent);
}
