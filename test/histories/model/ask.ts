import type { Day } from './days.ts';
import type { Channel, Line } from './terms.ts';

export type Kind = 'payment_request' | 'debit_request' | 'card_debit_request' | 'qr';
export type State =
  | 'pending'
  | 'in_process'
  | 'paid'
  | 'rejected'
  | 'expired'
  | 'canceled'
  | 'deleted'
  | 'reverted'
  | 'refunded';

/** A received payment. */
export interface Payment {
  /** The result's id, learned from the service. */
  id: number;
  channel: Channel;
  /** Reference of the run, for a debit's payment or for assigned suspense money. */
  run: string | null;
  amount: number;
  net: number;
  vat: number;
  lines: Line[];
  paidOn: Day;
  informedOn: Day;
  available: Day;
  /** Business days until the money is available, by the terms known at recording. */
  days: number;
  /** The first promised day, which reports of past days show. */
  promised: Day;
  releasedOn: Day | null;
  released: number;
  unreleased: number;
  refunded: number;
  /** Amount of pending refunds. */
  refunding: number;
  chargedBack: boolean;
  /** True if the service charged it, so that its channel refunds it; otherwise a transfer does. */
  charged: boolean;
  /** Charge of an acquirer's connector that brought it. */
  attempt: string | null;
  /** True after a partial chargeback. */
  disputedInPart: boolean;
  /** True if the service refunded it: it came too late, or in addition to another payment. */
  unwanted: boolean;
}

/** A charge ordered from an acquirer's connector. */
export interface Charge {
  /** Its name; for a debit's charge its index, until it is learned. */
  attempt: string;
  amount: number;
  /**
   * True if it is authorized first, and captured only if the request is payable with its amount
   * then.
   */
  isHeld: boolean;
  /** Day of the payment, if the approval does not say when it was decided. */
  orderedOn: Day;
  isOpen: boolean;
  isApproved: boolean;
  /** Business time in milliseconds at which it is closed if no response arrives. */
  closesAt: number | null;
}

export type BackType = 'refund' | 'chargeback';

/** A refund or chargeback. */
export interface Back {
  type: BackType;
  amount: number;
  channel: Channel;
  fee: number;
  vat: number;
  lines: Line[];
  fromUnavailable: number;
  /** Part taken from the available balance, in excess of what a pending refund had reserved. */
  fromAvailable: number;
  on: Day;
  /** True if it left by a transfer from the operator's bank account. */
  transferred: boolean;
}

/** A refund requested by the holder's call. */
export interface Refund {
  /** The service's id; 0 until it is learned. */
  id: number;
  place: number;
  amount: number;
  state: 'requested' | 'done' | 'failed';
  transferred: boolean;
  /** Amount reserved from the balances, and the part of it that was not available yet. */
  held: number;
  heldUnavailable: number;
}

/**
 * A pending refund's effect on the available balance: subtracted with the request, added back on
 * failure.
 */
export interface Aside {
  taken: number;
  on: Day;
}

/** An acquirer's response to an order to charge a card on file. */
export type CardWord =
  | { says: 'approved'; amount: number }
  | { says: 'rejected' | 'pending' | 'unheard' };

/** One submission of a debit to its bank or processor. */
export interface Run {
  no: 1 | 2;
  submitOn: Day;
  runOn: Day;
  amount: number;
  state: 'waiting' | 'submitted' | 'done';
  /** The bank's last code. */
  code: string | null;
  /** The decision; null if it is still open or never decided. */
  end: 'paid' | 'refused' | null;
  /** True if it went out in a file, so that the simulator does not respond. */
  filed: boolean;
  /** True if its card on file was charged. */
  charged: boolean;
}

/** An unanswered attempt or refund, or a payment that its holder will reverse. */
export interface Pending {
  what: 'answer' | 'reversal' | 'refund';
  /** Business time in milliseconds, accurate to a few seconds. */
  at: number;
  channel: Channel;
  amount: number;
  /**
   * For a reversal, the payment's index; null picks the last reversible one. For a refund, its
   * index.
   */
  payment: number | null;
}

/** A request for money, of any kind. */
export interface Ask {
  id: number;
  kind: Kind;
  /** Id of a QR. */
  code: string | null;
  state: State;
  staysOpen: boolean;
  due1: Day;
  total1: number;
  due2: Day | null;
  total2: number | null;
  payments: Payment[];
  backs: Back[];
  refunds: Refund[];
  asides: Aside[];
  /** Amounts of refusals. */
  rejections: number[];
  /** Number of refusals that a second due date follows. */
  retried: number;
  /** Final states that a payment followed. */
  endings: State[];
  pending: Pending[];
  charges: Charge[];
  runs: Run[];
  mandate: number | null;
  month: { month: number; year: number } | null;
  /** For a card debit: the cut-off day when it was created. */
  cutDay: number;
  /** For a debit of a card on file: the outcome of each order. */
  words: CardWord[];
  /** For a static QR's transaction: the static QR, and its expiry. */
  staticId: string | null;
  expiresAt: number | null;
  barcode: string | null;
  texts: Record<string, string>;
  /** References of reversals that files reported, and marks of runs whose money is in suspense. */
  told: string[];
}

export const blankAsk: Omit<Ask, 'id' | 'kind' | 'due1' | 'total1'> = {
  code: null,
  state: 'pending',
  staysOpen: false,
  due2: null,
  total2: null,
  payments: [],
  backs: [],
  refunds: [],
  asides: [],
  rejections: [],
  retried: 0,
  endings: [],
  pending: [],
  charges: [],
  runs: [],
  mandate: null,
  month: null,
  cutDay: 0,
  words: [],
  staticId: null,
  expiresAt: null,
  barcode: null,
  texts: {},
  told: [],
};

export const isLive = (one: Payment): boolean => !one.chargedBack && one.refunded < one.amount;
/** Returns the refundable rest of a payment: neither refunded nor being refunded. */
export const leftOf = ({ amount, refunded, refunding }: Payment): number =>
  amount - refunded - refunding;
export const dueOn = (ask: Ask, day: Day): number =>
  day > ask.due1 && ask.total2 !== null ? ask.total2 : ask.total1;
/** Returns true if the request takes one payment and has one that is not refunded automatically. */
export const isPaidOtherwise = ({ staysOpen, payments }: Ask): boolean =>
  !staysOpen && payments.some(({ unwanted }) => !unwanted);
export const hasOpenAttempt = (ask: Ask): boolean =>
  ask.pending.some(({ what }) => what === 'answer') || ask.charges.some(({ isOpen }) => isOpen);

/** Returns the state at a moment: a request that is stored as pending may have expired. */
export function stateAt(ask: Ask, today: Day, now: number): State {
  if (ask.state !== 'pending') return ask.state;
  if (ask.expiresAt !== null) return now >= ask.expiresAt ? 'expired' : 'pending';
  const expires = ask.kind === 'payment_request' || ask.kind === 'qr';
  return expires && today > (ask.due2 ?? ask.due1) ? 'expired' : 'pending';
}
