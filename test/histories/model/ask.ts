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
  /** The first day that was promised: what reports of past days say. */
  promised: Day;
  releasedOn: Day | null;
  released: number;
  unreleased: number;
  refunded: number;
  chargedBack: boolean;
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
  fromAvailable: number;
  on: Day;
}

/** One time that a debit is put to its bank or processor. */
export interface Run {
  no: 1 | 2;
  submitOn: Day;
  runOn: Day;
  amount: number;
  state: 'waiting' | 'submitted' | 'done';
  /** What its bank said last. */
  code: string | null;
  /** How it was decided; null: not at all, or by nobody. */
  end: 'paid' | 'refused' | null;
  /** It went out in a file, so the simulator says nothing. */
  filed: boolean;
}

/** An attempt that is not answered yet, or a payment that its holder will take back. */
export interface Pending {
  what: 'answer' | 'reversal';
  /** Business time in milliseconds, to within some seconds. */
  at: number;
  channel: Channel;
  amount: number;
  /** Of a reversal: the payment's place; null: the last that can go back. */
  payment: number | null;
}

/** What an account asks somebody to pay. */
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
  /** Refusals, by amount. */
  rejections: number[];
  pending: Pending[];
  runs: Run[];
  mandate: number | null;
  month: { month: number; year: number } | null;
  /** Of a transaction of a static QR: that one, and when it runs out. */
  staticId: string | null;
  expiresAt: number | null;
  barcode: string | null;
  texts: Record<string, string>;
  /** References of reversals that files told. */
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
  rejections: [],
  pending: [],
  runs: [],
  mandate: null,
  month: null,
  staticId: null,
  expiresAt: null,
  barcode: null,
  texts: {},
  told: [],
};

export const isLive = (one: Payment): boolean => !one.chargedBack && one.refunded < one.amount;
export const dueOn = (ask: Ask, day: Day): number =>
  day > ask.due1 && ask.total2 !== null ? ask.total2 : ask.total1;
export const hasOpenAttempt = (ask: Ask): boolean =>
  ask.pending.some(({ what }) => what === 'answer');

/** The state by the clock. */
export function stateAt(ask: Ask, today: Day, now: number): State {
  if (ask.state !== 'pending') return ask.state;
  if (ask.expiresAt !== null) return now >= ask.expiresAt ? 'expired' : 'pending';
  const expires = ask.kind === 'payment_request' || ask.kind === 'qr';
  return expires && today > (ask.due2 ?? ask.due1) ? 'expired' : 'pending';
}
