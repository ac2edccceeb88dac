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

/** Money that came in. */
export interface Payment {
  /** The result's id, learnt from the service. */
  id: number;
  channel: Channel;
  /** Of a debit's run, or of money that was found to be one's: that run's reference. */
  run: string | null;
  amount: number;
  net: number;
  vat: number;
  lines: Line[];
  paidOn: Day;
  informedOn: Day;
  available: Day;
  /** Business days until then, by the terms that were known when it was recorded. */
  days: number;
  /** The first day that was promised: what reports of past days say. */
  promised: Day;
  releasedOn: Day | null;
  released: number;
  unreleased: number;
  refunded: number;
  /** On its way back by refunds that were asked for. */
  refunding: number;
  chargedBack: boolean;
  /** Charged by us, so that its channel gives it back; otherwise a transfer does. */
  charged: boolean;
  /** The charge of an acquirer's connector that it came by. */
  attempt: string | null;
  /** A part of it was charged back. */
  disputedInPart: boolean;
  /** The service gave it back itself: it came too late, or beside another payment. */
  unwanted: boolean;
}

/** A charge that was ordered of an acquirer's connector. */
export interface Charge {
  /** Its name; of a debit's charge its number among them, until it is learnt. */
  attempt: string;
  amount: number;
  /** It is authorised first: captured only if the request can be paid with its amount then. */
  isHeld: boolean;
  /** The day that an approval counts for that does not say when it was decided. */
  orderedOn: Day;
  isOpen: boolean;
  isApproved: boolean;
  /** When it is closed because nobody heard of it, in business milliseconds. */
  closesAt: number | null;
}

export type BackType = 'refund' | 'chargeback';

/** Money that went back. */
export interface Back {
  type: BackType;
  amount: number;
  channel: Channel;
  fee: number;
  vat: number;
  lines: Line[];
  fromUnavailable: number;
  /** On top of what was put aside for it. */
  fromAvailable: number;
  on: Day;
  /** It left by a transfer from the operator's bank account. */
  transferred: boolean;
}

/** A refund that was asked for by the holder's call. */
export interface Refund {
  /** The service's own id; 0 until it is learnt. */
  id: number;
  place: number;
  amount: number;
  state: 'requested' | 'done' | 'failed';
  transferred: boolean;
  /** Taken from the balances for it, and the part of that which was not available yet. */
  held: number;
  heldUnavailable: number;
}

/**
 * A pending refund's effect on the available balance: out with the request, back with a failure.
 */
export interface Aside {
  taken: number;
  on: Day;
}

/** An acquirer's answer to an order to charge a card on file. */
export type CardWord =
  | { says: 'approved'; amount: number }
  | { says: 'rejected' | 'pending' | 'unheard' };

/** One time that a debit is put to its bank or processor. */
export interface Run {
  no: 1 | 2;
  submitOn: Day;
  runOn: Day;
  amount: number;
  state: 'waiting' | 'submitted' | 'done';
  /** The bank's last code. */
  code: string | null;
  /** The decision; null if it is still open or nobody decides it. */
  end: 'paid' | 'refused' | null;
  /** It went out in a file, so the simulator says nothing. */
  filed: boolean;
  /** Its card on file was charged. */
  charged: boolean;
}

/** An attempt or a refund that is not answered yet, or a payment that its holder will take back. */
export interface Pending {
  what: 'answer' | 'reversal' | 'refund';
  /** Business time in milliseconds, to within some seconds. */
  at: number;
  channel: Channel;
  amount: number;
  /** Of a reversal: the payment's place; null: the last that can go back. Of a refund: its place. */
  payment: number | null;
}

/** A request for money, of any kind. */
export interface Ask {
  id: number;
  kind: Kind;
  /** Of a QR: its id. */
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
  /** Refusals, by amount. */
  rejections: number[];
  /** Those of them that a second due follows. */
  retried: number;
  /** Ends that money came behind. */
  endings: State[];
  pending: Pending[];
  charges: Charge[];
  runs: Run[];
  mandate: number | null;
  month: { month: number; year: number } | null;
  /** Of a card debit: the cut day when it was made. */
  cutDay: number;
  /** Of a debit of a card on file: what each order comes to. */
  words: CardWord[];
  /** Of a transaction of a static QR: that one, and when it runs out. */
  staticId: string | null;
  expiresAt: number | null;
  barcode: string | null;
  texts: Record<string, string>;
  /** References of reversals reported in files. */
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
/** The refundable rest of a payment: neither returned nor on its way. */
export const leftOf = ({ amount, refunded, refunding }: Payment): number =>
  amount - refunded - refunding;
export const dueOn = (ask: Ask, day: Day): number =>
  day > ask.due1 && ask.total2 !== null ? ask.total2 : ask.total1;
/** Paid by money that did not go back at once. */
export const isPaidOtherwise = ({ staysOpen, payments }: Ask): boolean =>
  !staysOpen && payments.some(({ unwanted }) => !unwanted);
export const hasOpenAttempt = (ask: Ask): boolean =>
  ask.pending.some(({ what }) => what === 'answer') || ask.charges.some(({ isOpen }) => isOpen);

/** The state by the clock. */
export function stateAt(ask: Ask, today: Day, now: number): State {
  if (ask.state !== 'pending') return ask.state;
  if (ask.expiresAt !== null) return now >= ask.expiresAt ? 'expired' : 'pending';
  const expires = ask.kind === 'payment_request' || ask.kind === 'qr';
  return expires && today > (ask.due2 ?? ask.due1) ? 'expired' : 'pending';
}
