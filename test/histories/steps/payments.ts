import { expect } from 'vitest';
import { cbuEndingIn } from '../../harness/builders/mandates.ts';
import { type Ask, blankAsk, dueOn, hasOpenAttempt, stateAt } from '../model/ask.ts';
import { addDays, asSent } from '../model/days.ts';
import { collect, takeBack } from '../model/money.ts';
import type { Channel } from '../model/terms.ts';
import { type Play, pesos } from '../play.ts';

const dayMs = 86_400_000;

/** Returns centavos. Unless `plain`, the simulator refuses, delays or reverses some amounts. */
export function someAmount({ random }: Play, { least = 1, plain = false } = {}): number {
  const cents = plain || random.percent(70) ? random.below(91) : random.between(91, 95);
  if (least === 1 && random.percent(8)) return random.between(1, 90);
  return (
    random.between(Math.ceil(least / 100), random.percent(10) ? 9_000_000 : 40_000) * 100 + cents
  );
}

/** Sometimes returns a second due date and total. */
export function someSecondDue(play: Play, due1: string, total1: number) {
  if (!play.random.percent(25)) return { due2: null, total2: null };
  return {
    due2: addDays(due1, play.random.between(1, 20)),
    total2: total1 + (play.random.percent(30) ? 0 : play.random.below(90_000)),
  };
}

export const sentSecond = ({ due2, total2 }: Pick<Ask, 'due2' | 'total2'>) =>
  due2 === null || total2 === null
    ? {}
    : { second_due_date: asSent(due2), second_total: pesos(total2) };

export async function create(play: Play): Promise<void> {
  await createOf(play, someAmount(play));
}

async function createOf(play: Play, total1: number): Promise<Ask> {
  const { model, random } = play;
  const due1 = addDays(model.today, random.percent(30) ? random.below(2) : random.below(25));
  const second = someSecondDue(play, due1, total1);
  const answer = await play.post('/payment-request', {
    payment_request: {
      description: 'Cuota',
      first_due_date: asSent(due1),
      first_total: pesos(total1),
      payer_name: 'Ana Pérez',
      external_reference: play.name('ref'),
      ...sentSecond(second),
    },
  });
  expect(answer.status, answer.text).toBe(201);
  const { id, barcode } = answer.body;
  const ask: Ask = {
    ...structuredClone(blankAsk),
    id,
    kind: 'payment_request',
    due1,
    total1,
    ...second,
    barcode,
  };
  model.asks.set(id, ask);
  play.note(`created ${id} of ${total1}`);
  return ask;
}

/** The outcome of an attempt on an online channel. */
interface Attempt {
  channel: Channel;
  /** Channel as recorded: the acquirer knows the card type better than the payer. */
  recorded: Channel;
  refused: boolean;
  fields: Record<string, unknown>;
}

const cards = [
  { card_number: '4507990000004905', recorded: 'credit_card', refused: false },
  { card_number: '5299910010000015', recorded: 'credit_card', refused: false },
  { card_number: '4517721004856075', recorded: 'debit_card', refused: false },
  { card_number: '4546400044997331', recorded: null, refused: true },
  { card_number: '4258210000474094', recorded: null, refused: true },
] as const;

const accounts = [
  { cbu_number: '0110599500000123456784', refused: false },
  { cbu_number: cbuEndingIn('9910'), refused: true },
] as const;

function someAttempt({ random, deployment }: Play, mayRefuse: boolean): Attempt {
  const drawn = random.one(['credit_card', 'debit_card', 'DEBIN', 'qr'] as const) ?? 'qr';
  // With an acquirer, another step decides these outcomes.
  const isOthers = deployment.acquirer !== null && (drawn === 'DEBIN' || drawn === 'debit_card');
  const channel = isOthers ? 'qr' : drawn;
  if (channel === 'qr') return { channel, recorded: channel, refused: false, fields: {} };
  if (channel === 'DEBIN') {
    const { refused, ...fields } = accounts[mayRefuse && random.percent(20) ? 1 : 0];
    return { channel, recorded: channel, refused, fields };
  }
  const fits = cards.filter(
    ({ refused, recorded }) =>
      (mayRefuse || !refused) && !(deployment.acquirer && recorded === 'debit_card'),
  );
  const card = random.one(fits) ?? cards[0];
  const { card_number, refused } = card;
  // The credit channel is not requested for a card that is known to be a debit card.
  const chosen = card.recorded === 'debit_card' ? card.recorded : channel;
  return { channel: chosen, recorded: card.recorded ?? channel, refused, fields: { card_number } };
}

/** Applies the simulator's outcome of an attempt, by instrument and cents. */
export function applyAttempt(
  play: Play,
  ask: Ask,
  { recorded: channel, refused }: Pick<Attempt, 'recorded' | 'refused'>,
  amount: number,
): void {
  const { model } = play;
  const cents = amount % 100;
  const at = model.now() + dayMs;
  if (refused || (cents >= 91 && cents <= 93)) ask.rejections.push(amount);
  else if (cents === 94) ask.pending.push({ what: 'answer', at, channel, amount, payment: null });
  else {
    collect(model.book, ask, { channel, amount, paidOn: model.today, charged: true });
    if (cents !== 95) return;
    const payment = ask.payments.length - 1;
    ask.pending.push({ what: 'reversal', at, channel, amount, payment });
  }
}

/** Queries an attempt with a lost response after some minutes. The channel's report counts. */
export async function afterTheDark(play: Play, ask: Ask, channel: Channel): Promise<void> {
  const { model } = play;
  await play.pass(3);
  let done = await truthOf(play, ask);
  // If the channel does not know it, the second query closes it, ten minutes after the call.
  if (done.open.some(({ unheard }) => unheard)) {
    await play.pass(9);
    done = await truthOf(play, ask);
  }
  const collected = done.results.filter(({ type }) => type === 'collected');
  const rejected = done.results.length - collected.length;
  for (const one of collected.slice(ask.payments.length)) {
    applyAttempt(play, ask, { recorded: one.channel, refused: false }, one.amount);
  }
  if (rejected > ask.rejections.length) ask.rejections.push(dueOn(ask, model.today));
  const waiting = ask.pending.filter(({ what }) => what === 'answer').length;
  for (const one of done.open.slice(waiting)) {
    const at = model.now() + dayMs;
    ask.pending.push({ what: 'answer', at, channel, amount: one.amount, payment: null });
  }
}

async function truthOf(play: Play, { id }: Ask) {
  const { done } = await play.desk(async (_desk, { sql }) => ({
    results: await sql<{ type: string; amount: number; channel: Channel }[]>`
      select type, amount, channel from results
      where request_id = ${id} and type in ('collected', 'rejected') order by id`,
    open: await sql<{ amount: number; unheard: boolean }[]>`
      select amount, unheard_at is not null as unheard from attempts
      where request_id = ${id} and state <> 'done'`,
  }));
  return done;
}

/** Returns true if the response was inconclusive and the outcome had to be queried. */
export async function wasInTheDark(
  play: Play,
  ask: Ask,
  channel: Channel,
  { again, status }: { again: boolean; status: number },
): Promise<boolean> {
  if (!again || status !== 409) return false;
  await afterTheDark(play, ask, channel);
  return true;
}

export async function payOnline(play: Play): Promise<void> {
  const { model } = play;
  const ask = play.take(({ kind }) => kind === 'payment_request');
  if (!ask) return;
  // Too many refusals in a day cause a pause, which is tested elsewhere.
  const mayRefuse = ask.rejections.length < 2;
  const amount = dueOn(ask, model.today);
  if (!mayRefuse && amount % 100 >= 91 && amount % 100 <= 93) return;
  await payBy(play, ask, someAttempt(play, mayRefuse));
}

async function payBy(play: Play, ask: Ask, attempt: Attempt): Promise<void> {
  const { model } = play;
  const amount = dueOn(ask, model.today);
  const payable = model.state(ask) === 'pending' && !hasOpenAttempt(ask);
  const times = play.random.percent(20) ? 2 : 1;
  const key = play.name('key');
  const sent = { body: { channel: attempt.channel, ...attempt.fields }, key };
  const path = `/sandbox/pay/${ask.id}`;
  const answers = await Promise.all(
    Array.from({ length: times }, () => play.send('POST', path, sent)),
  );
  const dark = answers.some(({ again }) => again);
  const good = answers.filter(({ answer }) => answer.status === 200);
  play.note(`paid ${ask.id} ${amount} ${JSON.stringify(sent.body)}: ${good.length}`);
  if (dark && good.length === 0 && payable) await afterTheDark(play, ask, attempt.recorded);
  else {
    const text = answers.map(({ answer }) => `${answer.status} ${answer.text}`).join('\n');
    expect(good.length > 0, `${payable} ${text}`).toBe(payable);
    if (payable) applyAttempt(play, ask, attempt, amount);
  }
  await play.check(ask);
}

/** Pays by a card whose response takes a day, and meanwhile in cash. */
export async function payTwice(play: Play): Promise<void> {
  const amount = someAmount(play, { least: 100 });
  const made = await createOf(play, amount - (amount % 100) + 94);
  const ask = play.take((one) => one === made);
  if (!ask) return;
  const { card_number } = cards[0];
  const channel = 'credit_card';
  await payBy(play, ask, { channel, recorded: channel, refused: false, fields: { card_number } });
  await tellOf(play, ask, { channel: 'non_banking', amount: ask.total1 });
}

const told = ['non_banking', 'link_pagos', 'banelco_pmc', 'wire_transfer'] as const;

/** Records a payment that others report, in time or late. */
export async function payOffline(play: Play): Promise<void> {
  const { model, random } = play;
  const ask = play.take(({ kind }) => kind === 'payment_request');
  if (!ask) return;
  const channel = random.one(told) ?? 'non_banking';
  const amount = random.percent(40) ? someAmount(play) : dueOn(ask, model.today);
  await tellOf(play, ask, { channel, amount });
}

async function tellOf(
  play: Play,
  ask: Ask,
  { channel, amount }: { channel: Channel; amount: number },
): Promise<void> {
  const { model } = play;
  const answer = await play.post(`/sandbox/pay/${ask.id}`, { channel, amount: pesos(amount) });
  expect(answer.status, answer.text).toBe(200);
  collect(model.book, ask, { channel, amount, paidOn: model.today });
  play.note(`told of ${amount} by ${channel} on ${ask.id}`);
  await play.check(ask);
}

/** Returns the index of a payment of the request, or null. */
export function somePlace({ random }: Play, { payments }: Ask): number | null {
  return random.percent(75) && payments.length > 0 ? random.below(payments.length) : null;
}

export async function giveBack(play: Play): Promise<void> {
  const { model, random } = play;
  const ask = play.take(({ payments }) => payments.length > 0);
  if (!ask) return;
  await lookForReleases(play, ask);
  await play.learn(ask);
  const type = random.percent(65) ? 'refund' : 'chargeback';
  const place = somePlace(play, ask);
  const whole = place === null ? ask.total1 : (ask.payments[place]?.amount ?? 0);
  const part = type === 'refund' && random.percent(70) ? random.between(1, whole) : null;
  const answer = await play.post(`/sandbox/${type}/${ask.id}`, {
    ...(place !== null && { result_id: ask.payments[place]?.id }),
    ...(part !== null && { amount: pesos(part) }),
  });
  const late = type === 'chargeback' && isLateReversal(play, ask, place);
  const expected = late ? 409 : takeBack(model.book, ask, { type, place, part });
  play.note(`${type} of ${part} of ${ask.id}: ${answer.status}`);
  expect(answer.status, answer.text).toBe(typeof expected === 'number' ? expected : 200);
  await play.check(ask);
}

/** Returns true if a bank account's debit is past its 30 days for a reversal. */
function isLateReversal({ model }: Play, ask: Ask, place: number | null): boolean {
  const probe = structuredClone(ask);
  const back = takeBack(model.book, probe, { type: 'chargeback', place, part: null });
  if (typeof back === 'number') return false;
  const at = ask.payments.findIndex(
    (one, no) => one.chargedBack !== probe.payments[no]?.chargedBack,
  );
  const payment = ask.payments[at];
  if (payment?.channel !== 'direct_debit') return false;
  return addDays(payment.paidOn, 30) < model.today;
}

/** Releases today's money before it is refunded, since the service may do so at any moment. */
export async function lookForReleases(play: Play, ask: Ask): Promise<void> {
  const { model } = play;
  const due = ask.payments.some((one) => one.releasedOn === null && one.available <= model.today);
  if (!due) return;
  await play.settleToday();
}

/**
 * Sends several refunds and chargebacks of one request at once. Some order of their acts must
 * explain the responses.
 */
export async function rush(play: Play): Promise<void> {
  const { random } = play;
  const ask = play.take(({ kind, payments }) => kind === 'payment_request' && payments.length > 0);
  if (!ask) return;
  await lookForReleases(play, ask);
  await play.learn(ask);
  const acts = Array.from({ length: random.between(2, 3) }, () => someAct(play, ask));
  const answers = await Promise.all(
    acts.map(async (act) => {
      const { answer } = await play.send('POST', act.path, { body: act.body, key: act.key });
      return answer.status;
    }),
  );
  play.note(`at once on ${ask.id}: ${acts.map(({ path }) => path)} ${answers}`);
  for (const order of permutations(acts.length)) {
    const probe = structuredClone(ask);
    const fits = order.every((at) => acts[at]?.apply(probe) === answers[at]);
    if (!fits) continue;
    const [seen, expected] = [await countsOf(play, ask), countsIn(probe)];
    if (seen !== expected) continue;
    Object.assign(ask, probe);
    await play.check(ask);
    return;
  }
  throw new Error(`no order of ${JSON.stringify(acts)} explains ${answers} of ${ask.id}`);
}

/** Returns refunded amounts with every fact that distinguishes orders with equal responses. */
const countsIn = ({ state, backs }: Ask): string =>
  backs
    .map(({ type, amount, lines, fee, fromAvailable }) => {
      const withheld = lines.map((line) => `${line.name} ${line.amount}`).sort();
      return [type, amount, withheld.join('; '), 0 - fee, fromAvailable].join(' ');
    })
    .sort()
    .concat(state)
    .join(', ');

async function countsOf(play: Play, { id }: Ask): Promise<string> {
  const { state } = await play.get(`/payment-request/${id}`);
  const { done: rows } = await play.desk(
    async (_desk, { sql }) =>
      await sql<{ told: string }[]>`
      select concat_ws(' ', r.type, r.amount,
        (select coalesce(string_agg(concat_ws(' ', regime, jurisdiction, amount), '; '
            order by concat_ws(' ', regime, jurisdiction, amount) collate "C"), '')
          from withholdings w where w.account_id = r.account_id and w.result_id = r.id),
        r.net_fee, coalesce(sum(line.amount) filter (where line.account = 2), 0)) as told
      from results r join journals j on j.account_id = r.account_id and j.result_id = r.id,
        unnest(j.accounts, j.amounts) as line (account, amount)
      where r.request_id = ${id} and r.type in ('refund', 'chargeback')
      group by r.account_id, r.id`,
  );
  return rows
    .map(({ told: row }) => row)
    .sort()
    .concat(state)
    .join(', ');
}

interface Act {
  path: string;
  key: string;
  body: Record<string, unknown>;
  apply(ask: Ask): number;
}

function someAct(play: Play, { id, payments }: Ask): Act {
  const { model, random } = play;
  const place = random.below(payments.length);
  const result_id = payments[place]?.id ?? 0;
  const type = random.percent(70) ? 'refund' : 'chargeback';
  const part = type === 'refund' ? random.between(1, payments[place]?.amount ?? 1) : null;
  return {
    path: `/sandbox/${type}/${id}`,
    key: play.name('key'),
    body: { result_id, ...(part !== null && { amount: pesos(part) }) },
    apply(ask) {
      const done = takeBack(model.book, ask, { type, place, part });
      return typeof done === 'number' ? done : 200;
    },
  };
}

function permutations(count: number): number[][] {
  if (count === 0) return [[]];
  return permutations(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_none, at) => order.toSpliced(at, 0, count - 1)),
  );
}

export const isPending = (play: Play, ask: Ask): boolean =>
  stateAt(ask, play.model.today, play.model.now()) === 'pending';
