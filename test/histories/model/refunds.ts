import { type Ask, leftOf, type Refund } from './ask.ts';
import {
  type Book,
  goingBack,
  type Refused,
  settleState,
  sharesOf,
  unavailableShare,
} from './money.ts';

const dayMs = 86_400_000;

export interface Wish {
  place: number | null;
  part: number | null;
  /** True if an account for the transfer is given. */
  hasCbu: boolean;
  /** The holder's total; null if the account may go below zero. */
  covered: number | null;
}

/** Reserves the money of a refund, or returns the status of its refusal. */
export function askRefund(
  book: Book,
  ask: Ask,
  { place, part, hasCbu, covered }: Wish,
): Refund | Refused {
  const named = goingBack(ask, 'refund', place);
  if (typeof named === 'number') return named;
  const left = leftOf(named);
  if (part !== null && part > left) return 400;
  if (named.charged === hasCbu) return 400;
  const amount = part ?? left;
  const { fromHolder } = sharesOf(book, { type: 'refund', amount }, named);
  const held = Math.max(fromHolder, 0);
  if (covered !== null && held > covered) return 409;
  const heldUnavailable = Math.max(unavailableShare(fromHolder, named.unreleased, named), 0);
  const refund: Refund = {
    id: 0,
    place: ask.payments.indexOf(named),
    amount,
    state: 'requested',
    transferred: !named.charged,
    held,
    heldUnavailable,
  };
  ask.refunds.push(refund);
  ask.asides.push({ taken: held - heldUnavailable, on: book.today });
  named.refunding += amount;
  named.unreleased -= heldUnavailable;
  return refund;
}

/** Returns the response of the simulator's channels and bank; null if it takes a day. */
export function endOf(
  { amount, transferred }: Refund,
  { isClosed }: { isClosed: boolean },
): 'done' | 'failed' | null {
  if (transferred) return isClosed ? 'failed' : 'done';
  const cents = amount % 100;
  if (cents === 94) return null;
  return cents >= 91 && cents <= 93 ? 'failed' : 'done';
}

/** Ends the refund at once, or schedules its response for the next day. */
export function hearOf(book: Book, ask: Ask, refund: Refund, to: { isClosed: boolean }): void {
  const end = endOf(refund, to);
  if (end === null) waitForAnswer(book, ask, refund);
  else endRefund(book, ask, refund, end === 'done');
}

export function waitForAnswer(book: Book, ask: Ask, refund: Refund): void {
  const { channel, amount } = ask.payments[refund.place] ?? { channel: 'qr', amount: 0 };
  const payment = ask.refunds.indexOf(refund);
  ask.pending.push({ what: 'refund', at: book.now() + dayMs, channel, amount, payment });
}

/** Refunds the last payment on the service's initiative, whatever the balances. */
export function giveBack(book: Book, ask: Ask): Refund {
  const place = ask.payments.length - 1;
  const refund = askRefund(book, ask, { place, part: null, hasCbu: false, covered: null });
  if (typeof refund === 'number') throw new Error(`it does not go back: ${refund}`);
  Object.assign(ask.payments[place] ?? {}, { unwanted: true });
  return refund;
}

/** Applies the end of a refund that the channel reported. */
export function endRefund(book: Book, ask: Ask, refund: Refund, isDone: boolean): void {
  const named = ask.payments[refund.place];
  if (!named) throw new Error('a refund of no payment');
  const { amount, held } = refund;
  // The unavailable part has become available if the rest of its payment has.
  const unavailable = named.releasedOn === null ? refund.heldUnavailable : 0;
  named.refunding -= amount;
  if (!isDone) {
    refund.state = 'failed';
    named.unreleased += unavailable;
    ask.asides.push({ taken: unavailable - held, on: book.today });
    return;
  }
  refund.state = 'done';
  const { lines, fee, vat, fromHolder } = sharesOf(book, { type: 'refund', amount }, named);
  const borne = unavailableShare(fromHolder, named.unreleased + unavailable, named);
  ask.backs.push({
    ...{ type: 'refund', amount, channel: named.channel, fee, vat, lines, on: book.today },
    fromUnavailable: borne - unavailable,
    fromAvailable: fromHolder - borne - (held - unavailable),
    transferred: refund.transferred,
  });
  named.unreleased += unavailable - borne;
  named.refunded += amount;
  settleState(ask, 'refund');
}
