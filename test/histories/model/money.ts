import {
  type Ask,
  type Back,
  type BackType,
  isLive,
  leftOf,
  type Payment,
  type State,
  stateAt,
} from './ask.ts';
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

/** Terms and state that money depends on. */
export interface Book {
  today: Day;
  /** Returns the business time in milliseconds, accurate to a few seconds. */
  now(): number;
  bankDays: BankDays;
  own: OwnTerms[];
  rates: Rate[];
  returnsFees: boolean;
}

const sum = (values: number[]): number => values.reduce((all, one) => all + one, 0);

export function availableFrom(
  book: Book,
  paidOn: Day,
  informedOn: Day,
  { days }: Pick<Terms, 'days'>,
): Day {
  const day = days === 0 ? paidOn : book.bankDays.after(paidOn, days);
  return laterOf(day, informedOn);
}

/** Final states of a request, until a payment follows. */
export const endings: readonly State[] = ['expired', 'canceled', 'deleted'];

export interface Told {
  channel: Channel;
  amount: number;
  paidOn: Day;
  /** True if the service charged the payer; false if another party reported the payment. */
  charged?: boolean;
}

/**
 * Records a payment with its fee, withholdings and day of availability. Marks the request as paid,
 * unless it stays open.
 */
export function collect(
  book: Book,
  ask: Ask,
  { channel, amount, paidOn, charged = false }: Told,
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
    days: terms.days,
    promised: available,
    releasedOn: null,
    released: 0,
    unreleased: amount - net - vat - sum(lines.map((line) => line.amount)),
    refunded: 0,
    refunding: 0,
    chargedBack: false,
    charged,
    attempt: null,
    disputedInPart: false,
    unwanted: false,
  };
  const ended = stateAt(ask, book.today, book.now());
  ask.payments.push(payment);
  if (ask.staysOpen) return payment;
  if (endings.includes(ended)) ask.endings.push(ended);
  ask.state = 'paid';
  return payment;
}

/** Releases a payment's unavailable money on its day. */
export function release(ask: Ask, today: Day): void {
  for (const one of ask.payments) {
    if (one.releasedOn !== null || one.available > today) continue;
    one.releasedOn = today;
    one.released = one.unreleased;
    one.unreleased = 0;
  }
}

/** Status of a refused refund or chargeback. */
export type Refused = 400 | 404 | 409;

/**
 * Returns the payment to refund or charge back if none is named: the last live one that allows it,
 * else the last one that does.
 */
export function chosen(ask: Ask, type: BackType): Payment | undefined {
  const can = canGo(type);
  return ask.payments.findLast((one) => isLive(one) && can(one)) ?? ask.payments.findLast(can);
}

const canGo =
  (type: BackType) =>
  (one: Payment): boolean =>
    type === 'refund' ? isLive(one) && leftOf(one) > 0 : !one.chargedBack;

/** Returns the payment by its index or by default, or the status of the refusal. */
export function goingBack(ask: Ask, type: BackType, place: number | null): Payment | Refused {
  const named = place === null ? chosen(ask, type) : ask.payments[place];
  if (!named) return place === null ? 409 : 404;
  return canGo(type)(named) ? named : 409;
}

/** Splits a refund into other parties' shares and the holder's own. */
export function sharesOf(
  book: Book,
  { type, amount }: { type: BackType; amount: number },
  one: Payment,
) {
  const before = one.chargedBack ? one.amount : one.refunded;
  const after = type === 'chargeback' ? one.amount : Math.min(before + amount, one.amount);
  const share = (figure: number) => cameBack(figure, before, after, one.amount);
  const lines = one.lines
    .map((line) => ({ ...line, base: -share(line.base), amount: -share(line.amount) }))
    .filter((line) => line.amount !== 0);
  const fee = book.returnsFees ? share(one.net) : 0;
  const vat = book.returnsFees ? share(one.vat) : 0;
  const fromHolder = amount - fee - vat + sum(lines.map((line) => line.amount));
  return { lines, fee, vat, fromHolder };
}

/**
 * Returns the part that the unavailable balance bears: until the release, as much as the payment
 * still has there.
 */
export const unavailableShare = (fromHolder: number, unreleased: number, one: Payment): number =>
  one.releasedOn === null ? Math.min(Math.max(unreleased, 0), fromHolder) : 0;

/** Updates a paid request's state once all its money is refunded or charged back. */
export function settleState(ask: Ask, type: BackType): void {
  if (ask.payments.some(isLive) || ask.state !== 'paid') return;
  ask.state = type === 'chargeback' && ask.kind !== 'qr' ? 'reverted' : 'refunded';
}

/** Records a refund or chargeback, in whole or in part. Returns the status if it is refused. */
export function takeBack(
  book: Book,
  ask: Ask,
  { type, place, part }: { type: BackType; place: number | null; part: number | null },
): Back | Refused {
  const named = goingBack(ask, type, place);
  if (typeof named === 'number') return named;
  const left = leftOf(named);
  if (part !== null && part > left) return 400;
  const amount = type === 'chargeback' ? named.amount : (part ?? left);
  const { lines, fee, vat, fromHolder } = sharesOf(book, { type, amount }, named);
  const fromUnavailable = unavailableShare(fromHolder, named.unreleased, named);
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
    transferred: false,
  };
  ask.backs.push(back);
  named.unreleased -= fromUnavailable;
  if (type === 'refund') named.refunded += amount;
  else named.chargedBack = true;
  settleState(ask, type);
  return back;
}

/** Moves future releases after a change of the bank calendar. */
export function movePromises(book: Book, ask: Ask, changed: Day): void {
  for (const one of ask.payments) {
    if (one.releasedOn !== null || one.available <= book.today || one.paidOn > changed) continue;
    const to = availableFrom(book, one.paidOn, laterOf(one.informedOn, book.today), one);
    const days = [one.paidOn, one.available, to].toSorted();
    if ((days[0] ?? '') <= changed && changed <= (days[2] ?? '')) one.available = to;
  }
}
