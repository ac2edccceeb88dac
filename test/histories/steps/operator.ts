import { expect } from 'vitest';
import { addDays, type Day } from '../model/days.ts';
import { reschedule } from '../model/debits.ts';
import { movePromises } from '../model/money.ts';
import { balances } from '../model/reports.ts';
import { allChannels, type Terms } from '../model/terms.ts';
import type { Play } from '../play.ts';

const conflict = { refused: 'conflict' };

/** Pays out. Runs alone, since the maximum must be known to the centavo. */
export async function payOut(play: Play): Promise<void> {
  const { model, random } = play;
  await play.settleToday();
  const [available, unavailable] = balances(model);
  const most = available + Math.min(unavailable, 0);
  const amount = random.percent(30) ? null : random.between(1, Math.max(most, 1_000) * 2);
  const reference = play.name('payout');
  const times = random.percent(30) ? 2 : 1;
  const outcomes = await Promise.all(
    Array.from({ length: times }, () => play.desk((desk) => desk.payOut(reference, amount))),
  );
  const possible = most > 0 && (amount === null || amount <= most);
  play.note(`payout of ${amount}, at most ${most}`);
  for (const { done } of outcomes) {
    if (!possible) expect(done).toMatchObject({ refused: 'conflict' });
    else if ('refused' in done) throw new Error(`a payout of ${amount} of ${most} was refused`);
    else expect(done.payout.amount).toBe(amount ?? most);
  }
  const [first] = outcomes;
  if (!possible || !first || 'refused' in first.done) return;
  const { id } = first.done.payout;
  model.payouts.push({
    id,
    reference,
    amount: amount ?? most,
    sentOn: model.today,
    returnedOn: null,
  });
}

export async function takePayoutBack(play: Play): Promise<void> {
  const { model, random } = play;
  const payout = random.one(model.payouts);
  if (!payout) return;
  const { done } = await play.desk((desk) => desk.takePayoutBack(payout.id));
  expect(['returned', 'known']).toContain(done);
  payout.returnedOn ??= model.today;
  play.note(`payout ${payout.id} came back`);
}

export async function putRight(play: Play): Promise<void> {
  const { model, random } = play;
  const old = random.percent(20) ? random.one(model.corrections) : undefined;
  const amount = random.between(1, 60_000) * (random.percent(50) ? 1 : -1);
  const reference = old?.reference ?? play.name('correction');
  const { done } = await play.desk((desk) => desk.correct(reference, amount));
  play.note(`correction of ${amount}`);
  if (old)
    expect(done).toEqual(old.amount === amount ? 'known' : expect.objectContaining(conflict));
  else {
    expect(['posted', 'known']).toContain(done);
    model.corrections.push({ reference, amount, on: model.today });
  }
}

function someTerms({ random }: Play): Terms {
  return {
    ppm: random.one([0, 5_000, 25_000, 400_000]) ?? 0,
    fixed: random.one([0, 1, 999, 20_000]) ?? 0,
    minimum: random.one([0, 3, 15_000]) ?? 0,
    days: random.one([0, 1, 4, 12]) ?? 0,
  };
}

/** Sets or ends a channel's fees from today or a later day on. */
export async function changeFees(play: Play): Promise<void> {
  const { model, random } = play;
  const { own } = model.book;
  const channel = random.one(allChannels) ?? 'qr';
  const from = addDays(model.today, random.below(6));
  if (random.percent(70)) {
    const terms = someTerms(play);
    const { done } = await play.desk((desk) => desk.setFees(channel, from, terms));
    expect(done).toBe(undefined);
    model.book.own = own.filter((one) => one.channel !== channel || one.from !== from);
    model.book.own.push({ channel, from, terms });
    play.note(`fees of ${channel} from ${from}: ${JSON.stringify(terms)}`);
    return;
  }
  const mine = own.filter((one) => one.channel === channel);
  const runs = mine.toSorted((a, b) => a.from.localeCompare(b.from)).at(-1);
  const can = runs !== undefined && (runs.terms !== null || runs.from > from);
  const { done, again } = await play.desk((desk) => desk.endFees(channel, from));
  if (!again) expect(done).toEqual(can ? undefined : expect.objectContaining(conflict));
  play.note(`fees of ${channel} end on ${from}: ${can}`);
  if (!can) return;
  model.book.own = own.filter((one) => one.channel !== channel || one.from < from);
  model.book.own.push({ channel, from, terms: null });
}

export async function changeAccount(play: Play): Promise<void> {
  const { model, random } = play;
  const returnsFees = random.percent(50);
  const cardCutDay = random.percent(20) ? random.between(1, 31) : model.cutDay;
  const refundsBelowZero = random.percent(40);
  const returnsLateApprovals = random.percent(50);
  const change = { returnsFees, cardCutDay, refundsBelowZero, returnsLateApprovals };
  await play.desk((desk) => desk.set(change));
  model.returnsLate = returnsLateApprovals;
  model.book.returnsFees = returnsFees;
  model.refundsBelowZero = refundsBelowZero;
  model.cutDay = cardCutDay;
  play.note(`returns fees: ${returnsFees}, cut day ${cardCutDay}`);
}

/** Declares a bank day closed or open, or restores it. Future runs follow. */
export async function changeCalendar(play: Play): Promise<void> {
  const { model, random } = play;
  const { bankDays } = model.book;
  const old = random.percent(30) ? random.one([...bankDays.declared.keys()]) : undefined;
  const day: Day = old ?? addDays(model.today, random.between(1, 12));
  const closed = old === undefined ? bankDays.isOpen(day) : null;
  const move = random.percent(60);
  await play.desk((desk) => desk.calendar(day, closed, move));
  play.note(`calendar: ${day} ${closed} ${move ? 'moves' : 'stays'}`);
  if (closed === null) bankDays.declared.delete(day);
  else bankDays.declared.set(day, closed);
  for (const ask of model.asks.values()) {
    reschedule(model.book, ask, day);
    if (move) movePromises(model.book, ask, day);
  }
  await play.settleToday();
}
