import { expect } from 'vitest';
import { type Acquirer, acquirerPath, type Outcome } from '../acquirer.ts';
import { type Ask, type Charge, dueOn, hasOpenAttempt, leftOf } from '../model/ask.ts';
import { type Day, midnight } from '../model/days.ts';
import { collect, takeBack } from '../model/money.ts';
import { askRefund } from '../model/refunds.ts';
import type { Play } from '../play.ts';
import { lookForReleases } from './payments.ts';
import { followUp } from './refunds.ts';

const minuteMs = 60_000;
/** By then a charge that nobody heard of was asked for twice, and is closed. */
const closedAfterMs = 30 * minuteMs;

/** An acquirer's word, now and then three times at once: it counts once. */
async function tell(play: Play, acquirer: Acquirer, notice: object): Promise<void> {
  const times = play.random.percent(40) ? 3 : 1;
  const told = await Promise.all(
    Array.from({ length: times }, () => play.send('POST', acquirerPath, acquirer.tells(notice))),
  );
  for (const { answer } of told) expect(answer.status, answer.text).toBe(200);
}

const collected = (
  { model }: Play,
  ask: Ask,
  { attempt }: Charge,
  { amount, paidOn }: { amount: number; paidOn: Day },
): void => {
  const told = { channel: 'DEBIN', amount, paidOn, charged: true } as const;
  collect(model.book, ask, told).attempt = attempt;
};

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

/** A charge that the service orders of an acquirer's connector. */
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
  const sent = { body: { channel: 'DEBIN' }, key };
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
  const made: Charge = { attempt, amount, orderedOn, isOpen: open, isApproved: false, closesAt };
  ask.charges.push(made);
  if (outcome.says === 'rejected') ask.rejections.push(amount);
  if (outcome.says === 'approved') {
    made.isApproved = true;
    collected(play, ask, made, { amount: outcome.amount, paidOn: orderedOn });
  }
  await play.check(ask);
}

/** The acquirer decides a charge late, or tells again what it told. */
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
    made.isOpen = false;
    made.closesAt = null;
    ask.rejections.push(made.amount);
    return await play.check(ask);
  }
  const { amount } = made;
  // A minute back, so that it is in no process's future, but never before midnight.
  const dated = random.percent(50);
  const decidedAt = new Date(Math.max(model.now() - 60_000, midnight(model.today))).toISOString();
  acquirer.decide(made.attempt, { says: 'approved', amount, ...(dated && { decidedAt }) });
  const unwanted = model.returnsLate && (!made.isOpen || ask.payments.length > 0);
  await tell(play, acquirer, notice);
  play.note(`${made.attempt} of ${ask.id} approved late: ${unwanted ? 'goes back' : 'stays'}`);
  Object.assign(made, { isOpen: false, closesAt: null, isApproved: true });
  collected(play, ask, made, { amount, paidOn: dated ? model.today : made.orderedOn });
  if (unwanted) await goesBack(play, ask);
  await play.check(ask);
}

/** The service asks for the refund itself, whatever the balances have. */
async function goesBack(play: Play, ask: Ask): Promise<void> {
  const place = ask.payments.length - 1;
  const wish = { place, part: null, hasCbu: false, covered: null };
  const refund = askRefund(play.model.book, ask, wish);
  if (typeof refund === 'number') throw new Error(`it does not go back: ${refund}`);
  const { data } = await play.get(`/payment-request/${ask.id}/refund`);
  const known = new Set(ask.refunds.map(({ id }) => id));
  const fresh = (data as { id: number }[]).find(({ id }) => !known.has(id));
  refund.id = fresh?.id ?? 0;
  await followUp(play, ask, refund, null);
}

/** A payer disputes a charge with the acquirer, whole or in part. */
export async function dispute(play: Play): Promise<void> {
  const { model, random } = play;
  const { acquirer } = play.deployment;
  const ask = play.take(({ payments }) =>
    payments.some((one) => one.attempt !== null && !one.chargedBack && leftOf(one) > 1),
  );
  if (!ask || !acquirer) return;
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
  const type = part === null ? 'chargeback' : 'refund';
  const back = takeBack(model.book, ask, { type, place, part });
  if (typeof back === 'number') throw new Error(`a dispute is refused: ${back}`);
  play.note(`${attempt} of ${ask.id} disputed: ${part ?? 'whole'}`);
  if (random.percent(30)) await tell(play, acquirer, notice);
  await play.check(ask);
}

/** No account closes while a charge of it is open. */
export async function decideAll(play: Play): Promise<void> {
  const { acquirer } = play.deployment;
  if (!acquirer) return;
  for (const ask of play.model.asks.values()) {
    for (const made of ask.charges.filter(({ isOpen }) => isOpen)) {
      await decideOne(play, acquirer, { ask, made });
    }
  }
}
