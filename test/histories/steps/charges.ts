import { expect } from 'vitest';
import { type Acquirer, acquirerPath, type Outcome } from '../acquirer.ts';
import {
  type Ask,
  type Charge,
  dueOn,
  hasOpenAttempt,
  isPaidOtherwise,
  leftOf,
} from '../model/ask.ts';
import { type Day, midnight } from '../model/days.ts';
import { endRun } from '../model/debits.ts';
import { collect, takeBack } from '../model/money.ts';
import { giveBack } from '../model/refunds.ts';
import type { Play } from '../play.ts';
import { lookForReleases } from './payments.ts';
import { followUp, learnRefunds } from './refunds.ts';

const minuteMs = 60_000;
/** By then, an unanswered charge has been queried twice and closed. */
const closedAfterMs = 30 * minuteMs;

/** Delivers an acquirer's notice, sometimes three times at once. It takes effect once. */
async function tell(play: Play, acquirer: Acquirer, notice: object): Promise<void> {
  const times = play.random.percent(40) ? 3 : 1;
  const told = await Promise.all(
    Array.from({ length: times }, () => play.send('POST', acquirerPath, acquirer.tells(notice))),
  );
  for (const { answer } of told) expect(answer.status, answer.text).toBe(200);
}

const isDebit = ({ kind }: Ask): boolean => kind === 'card_debit_request';

const collected = (
  { model }: Play,
  ask: Ask,
  { attempt, isHeld }: Charge,
  { amount, paidOn }: { amount: number; paidOn: Day },
): void => {
  const channel = isDebit(ask) ? 'card_debit' : isHeld ? 'debit_card' : 'DEBIN';
  collect(model.book, ask, { channel, amount, paidOn, charged: true }).attempt = attempt;
};

/** Checks that a debit's charges, which sweeps order, match the model. Learns their names. */
function learnCharges(acquirer: Acquirer, ask: Ask): void {
  if (!isDebit(ask)) return;
  const names = acquirer.ordered(ask.id);
  expect(names.length, `orders of ${ask.id}`).toBe(ask.charges.length);
  const named = (attempt: string): string =>
    attempt.startsWith('#') ? (names[Number(attempt.slice(1))] ?? attempt) : attempt;
  for (const one of ask.charges) one.attempt = named(one.attempt);
  for (const one of ask.payments) one.attempt = one.attempt === null ? null : named(one.attempt);
}

/** Ends the run of a debit's open charge. Returns false if there is none. */
function endRunOf(ask: Ask, made: Charge, end: 'paid' | 'refused'): boolean {
  const run = made.isOpen ? ask.runs.find(({ state }) => state === 'submitted') : undefined;
  if (run) endRun(ask, run, end);
  return run !== undefined;
}

function someOutcome({ random }: Play, amount: number, mayRefuse: boolean): Outcome {
  const says = random.weighted({
    approved: 40,
    rejected: mayRefuse ? 12 : 0,
    pending: 28,
    unheard: 20,
  });
  if (says !== 'approved') return { says };
  return { says, amount: random.percent(15) ? random.between(1, amount + 500) : amount };
}

/** Charges through an acquirer's connector. */
export async function charge(play: Play): Promise<void> {
  const { model, random } = play;
  const { acquirer } = play.deployment;
  const ask = play.take(({ kind }) => kind === 'payment_request');
  if (!ask || !acquirer) return;
  const payable = model.state(ask) === 'pending' && !hasOpenAttempt(ask);
  const amount = dueOn(ask, model.today);
  const outcome = someOutcome(play, amount, ask.rejections.length < 2);
  acquirer.plan(ask.id, outcome);
  const before = acquirer.ordered(ask.id).length;
  const key = play.name('key');
  const isHeld = random.percent(40);
  const sent = { body: { channel: isHeld ? 'debit_card' : 'DEBIN' }, key };
  const answers = await Promise.all(
    Array.from({ length: random.percent(20) ? 2 : 1 }, () =>
      play.send('POST', `/sandbox/pay/${ask.id}`, sent),
    ),
  );
  const statuses = answers.map(({ answer }) => answer.status);
  const orders = acquirer.ordered(ask.id).slice(before);
  play.note(`charge of ${amount} on ${ask.id} ${outcome.says}: ${statuses} ${orders}`);
  expect(orders.length, `orders of ${ask.id}, payable: ${payable}`).toBe(payable ? 1 : 0);
  const [attempt] = orders;
  if (attempt === undefined) return await play.check(ask);
  const open = outcome.says === 'pending' || outcome.says === 'unheard';
  const closesAt = outcome.says === 'unheard' ? model.now() + closedAfterMs : null;
  const orderedOn = model.today;
  const isApproved = outcome.says === 'approved' && (!isHeld || outcome.amount === amount);
  const made: Charge = { attempt, amount, orderedOn, isHeld, isOpen: open, isApproved, closesAt };
  ask.charges.push(made);
  if (!open && !isApproved) ask.rejections.push(amount);
  if (outcome.says === 'approved' && isApproved) {
    collected(play, ask, made, { amount: outcome.amount, paidOn: orderedOn });
  }
  await play.check(ask);
}

/** Decides a charge late, or repeats its decision. */
export async function decide(play: Play): Promise<void> {
  const { random } = play;
  const { acquirer } = play.deployment;
  const ask = play.take(({ charges }) => charges.length > 0);
  const made = ask && random.one(ask.charges);
  if (!ask || !made || !acquirer) return;
  await decideOne(play, acquirer, { ask, made });
}

export async function decideOne(
  play: Play,
  acquirer: Acquirer,
  { ask, made }: { ask: Ask; made: Charge },
): Promise<void> {
  const { model, random } = play;
  learnCharges(acquirer, ask);
  await lookForReleases(play, ask);
  const notice = { type: 'charge.changed', attempt: made.attempt };
  if (made.isApproved) {
    await tell(play, acquirer, notice);
    play.note(`${made.attempt} of ${ask.id} told again`);
    return await play.check(ask);
  }
  const refuses = made.isOpen && random.percent(30);
  if (refuses) {
    acquirer.decide(made.attempt, { says: 'rejected' });
    await tell(play, acquirer, notice);
    play.note(`${made.attempt} of ${ask.id} refused late`);
    if (!endRunOf(ask, made, 'refused')) ask.rejections.push(made.amount);
    made.isOpen = false;
    made.closesAt = null;
    return await play.check(ask);
  }
  const { amount } = made;
  // A minute in the past, so that no process sees it in the future, but never before midnight.
  const dated = random.percent(50);
  const decidedAt = new Date(Math.max(model.now() - 60_000, midnight(model.today))).toISOString();
  acquirer.decide(made.attempt, { says: 'approved', amount, ...(dated && { decidedAt }) });
  if (made.isHeld && !(made.isOpen && isDue(play, ask, amount))) {
    return await voided(play, acquirer, { ask, made });
  }
  const isPaid = isPaidOtherwise(ask);
  // A debit is paid by its first approval, whatever the setting.
  const unwanted = isDebit(ask) ? isPaid : model.returnsLate && (!made.isOpen || isPaid);
  await tell(play, acquirer, notice);
  play.note(`${made.attempt} of ${ask.id} approved late: ${unwanted ? 'goes back' : 'stays'}`);
  endRunOf(ask, made, 'paid');
  Object.assign(made, { isOpen: false, closesAt: null, isApproved: true });
  collected(play, ask, made, { amount, paidOn: dated ? model.today : made.orderedOn });
  if (unwanted) {
    const refund = giveBack(model.book, ask);
    await learnRefunds(play, ask);
    await followUp(play, ask, refund, null);
  }
  await play.check(ask);
}

const isDue = ({ model }: Play, ask: Ask, amount: number): boolean =>
  model.state(ask) === 'pending' && dueOn(ask, model.today) === amount;

/** Voids an unwanted authorization: no money moves, and an open attempt ends as refused. */
async function voided(
  play: Play,
  acquirer: Acquirer,
  { ask, made }: { ask: Ask; made: Charge },
): Promise<void> {
  await tell(play, acquirer, { type: 'charge.changed', attempt: made.attempt });
  play.note(`${made.attempt} of ${ask.id} authorised and voided`);
  if (made.isOpen) ask.rejections.push(made.amount);
  Object.assign(made, { isOpen: false, closesAt: null });
  await play.check(ask);
}

/** Disputes a charge with the acquirer, in whole or in part. */
export async function dispute(play: Play): Promise<void> {
  const { model, random } = play;
  const { acquirer } = play.deployment;
  const ask = play.take(({ payments }) =>
    payments.some((one) => one.attempt !== null && !one.chargedBack && leftOf(one) > 1),
  );
  if (!ask || !acquirer) return;
  learnCharges(acquirer, ask);
  await lookForReleases(play, ask);
  const place = ask.payments.findIndex(
    (one) => one.attempt !== null && !one.chargedBack && leftOf(one) > 1,
  );
  const payment = ask.payments[place];
  if (!payment) return;
  const part = random.percent(60) ? random.between(1, leftOf(payment) - 1) : null;
  const id = play.name('dispute');
  const amount = part ?? payment.amount;
  const { attempt } = payment;
  const notice = { type: 'charge.charged_back', id, attempt, amount, reference: `r-${id}` };
  await tell(play, acquirer, notice);
  // After a partial dispute, another one takes at most the remainder, so it is partial too.
  const isWhole = part === null && !payment.disputedInPart;
  const type = isWhole ? 'chargeback' : 'refund';
  payment.disputedInPart = !isWhole;
  const back = takeBack(model.book, ask, { type, place, part });
  if (typeof back === 'number') throw new Error(`a dispute is refused: ${back}`);
  play.note(`${attempt} of ${ask.id} disputed: ${part ?? 'whole'}`);
  if (random.percent(30)) await tell(play, acquirer, notice);
  await play.check(ask);
}

/** Decides all open charges, because an account cannot close with any. */
export async function decideAll(play: Play): Promise<void> {
  const { acquirer } = play.deployment;
  if (!acquirer) return;
  for (const ask of play.model.asks.values()) {
    for (const made of ask.charges.filter(({ isOpen }) => isOpen)) {
      await decideOne(play, acquirer, { ask, made });
    }
  }
}
