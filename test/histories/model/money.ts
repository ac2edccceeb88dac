import { type Ask, type Back, type BackType, isLive, type Payment } from './ask.ts';
import { type BankDays, type Day, laterOf } from './days.ts';
import {
  type Channel,
  cameBack,
  feeOf,
  linesOn,
  type OwnTerms,
  type Rate,
  type Terms,
  termsOn,
} from './terms.ts';

/** What money goes by. */
export interface Book {
  today: Day;
  bankDays: BankDays;
  own: OwnTerms[];
  rates: Rate[];
  returnsFees: boolean;
}

const sum = (values: number[]): number => values.reduce((all, one) => all + one, 0);

export function availableFrom(book: Book, paidOn: Day, informedOn: Day, { days }: Terms): Day {
  const day = days === 0 ? paidOn : book.bankDays.after(paidOn, days);
  return laterOf(day, informedOn);
}

/** Money came in: fee, withholdings, the day that it is promised for, and the request is paid. */
export function collect(
  book: Book,
  ask: Ask,
  { channel, amount, paidOn }: { channel: Channel; amount: number; paidOn: Day },
): Payment {
  const terms = termsOn(book.own, channel, paidOn);
  const { net, vat } = feeOf(amount, terms);
  const lines = linesOn(amount, book.rates, paidOn);
  const available = availableFrom(book, paidOn, book.today, terms);
  const payment: Payment = {
    id: 0,
    channel,
    run: null,
    amount,
    net,
    vat,
    lines,
    paidOn,
    informedOn: book.today,
    available,
    promised: available,
    releasedOn: null,
    released: 0,
    unreleased: amount - net - vat - sum(lines.map((line) => line.amount)),
    refunded: 0,
    chargedBack: false,
  };
  ask.payments.push(payment);
  if (!ask.staysOpen) ask.state = 'paid';
  return payment;
}

/** What of a payment is to become available does, on its day. */
export function release(ask: Ask, today: Day): void {
  for (const one of ask.payments) {
    if (one.releasedOn !== null || one.available > today) continue;
    one.releasedOn = today;
    one.released = one.unreleased;
    one.unreleased = 0;
  }
}

/** Why money cannot go back, as the status of the answer. */
export type Refused = 400 | 404 | 409;

/** The payment that goes back where none is named: the last live one, else what still can. */
function chosen(ask: Ask, type: BackType): Payment | undefined {
  const can = type === 'refund' ? isLive : (one: Payment) => !one.chargedBack;
  return ask.payments.findLast((one) => isLive(one)) ?? ask.payments.findLast(can);
}

function figures(book: Book, { type, amount }: { type: BackType; amount: number }, one: Payment) {
  const before = one.refunded;
  const after = type === 'chargeback' ? one.amount : one.refunded + amount;
  const share = (figure: number) => cameBack(figure, before, after, one.amount);
  const lines = one.lines
    .map((line) => ({ ...line, base: -share(line.base), amount: -share(line.amount) }))
    .filter((line) => line.amount !== 0);
  const fee = book.returnsFees ? share(one.net) : 0;
  const vat = book.returnsFees ? share(one.vat) : 0;
  const fromHolder = amount - fee - vat + sum(lines.map((line) => line.amount));
  const left = one.releasedOn === null ? Math.max(one.unreleased, 0) : 0;
  return { lines, fee, vat, fromHolder, fromUnavailable: Math.min(left, fromHolder) };
}

/** Money went back, whole or in part; or it could not. */
export function takeBack(
  book: Book,
  ask: Ask,
  { type, place, part }: { type: BackType; place: number | null; part: number | null },
): Back | Refused {
  const named = place === null ? chosen(ask, type) : ask.payments[place];
  if (!named) return place === null ? 409 : 404;
  if (type === 'refund' ? !isLive(named) : named.chargedBack) return 409;
  const left = named.amount - named.refunded;
  if (part !== null && part > left) return 400;
  const amount = type === 'chargeback' ? named.amount : (part ?? left);
  const { lines, fee, vat, fromHolder, fromUnavailable } = figures(book, { type, amount }, named);
  const back: Back = {
    type,
    amount,
    channel: named.channel,
    fee,
    vat,
    lines,
    fromUnavailable,
    fromAvailable: fromHolder - fromUnavailable,
    on: book.today,
  };
  ask.backs.push(back);
  named.unreleased -= fromUnavailable;
  if (type === 'refund') named.refunded += amount;
  else named.chargedBack = true;
  if (!isLive(named) && !ask.payments.some(isLive) && ask.state === 'paid') {
    ask.state = type === 'chargeback' && ask.kind !== 'qr' ? 'reverted' : 'refunded';
  }
  return back;
}

/** A day of the bank calendar changed, and releases to come go with it. */
export function movePromises(book: Book, ask: Ask, changed: Day): void {
  for (const one of ask.payments) {
    if (one.releasedOn !== null || one.available <= book.today || one.paidOn > changed) continue;
    const terms = termsOn(book.own, one.channel, one.paidOn);
    const to = availableFrom(book, one.paidOn, laterOf(one.informedOn, book.today), terms);
    const days = [one.paidOn, one.available, to].toSorted();
    if ((days[0] ?? '') <= changed && changed <= (days[2] ?? '')) one.available = to;
  }
}
