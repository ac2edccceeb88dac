import { compareDays } from '../kernel/dates.ts';
import type { Centavos } from '../kernel/money.ts';
import {
  type RequestKind,
  type RequestState,
  type StateOf,
  type Transition,
  transitionOf,
} from './states.ts';

/** A stored request. `details` contains the kind's own fields. */
export interface RequestRow {
  account_id: string;
  id: number;
  kind: RequestKind;
  state: RequestState;
  version: number;
  created_at: Temporal.Instant;
  reference: string | null;
  payer: string;
  description: string;
  due1: Temporal.PlainDate;
  total1: Centavos;
  due2: Temporal.PlainDate | null;
  total2: Centavos | null;
  last_due: Temporal.PlainDate;
  /** Id that the creator chose, such as a QR's. Null for kinds without one. */
  code: string | null;
  /** The mandate of a debit. Null for other kinds. */
  mandate_id: number | null;
  /** Reason for its state, if recorded. */
  state_comment?: string | null;
  details: Record<string, unknown>;
}

export type RequestOf<K extends RequestKind, Details extends RequestRow['details']> = Omit<
  RequestRow,
  'kind' | 'state' | 'details'
> & { kind: K; state: StateOf<K>; details: Details };

/** Returns true for a request that accepts many payments, such as a printed QR. */
const staysOpen = (row: Pick<RequestRow, 'details'>): boolean =>
  row.details.multiple_payment === true;

/**
 * Returns the transition that a payment makes, or null for a request that accepts many payments.
 */
export const collectMove = (row: Pick<RequestRow, 'kind' | 'details'>): Transition | null =>
  staysOpen(row) ? null : transitionOf(row.kind, 'collect');

export interface RequestKey {
  accountId: string;
  id: number;
}

/** Returns the last day to pay on time. */
export const lastDueOf = (due1: Temporal.PlainDate, due2: Temporal.PlainDate | null) =>
  due2 ?? due1;

const isAfter = (a: Temporal.PlainDate, b: Temporal.PlainDate): boolean => compareDays(a, b) > 0;

/** Returns the amount due on a day: the first total through its due date, then the second. */
export function amountDue(
  row: Pick<RequestRow, 'due1' | 'total1' | 'total2'>,
  day: Temporal.PlainDate,
): Centavos {
  return isAfter(day, row.due1) && row.total2 !== null ? row.total2 : row.total1;
}

/**
 * Returns the amount to list on a day: what is due for a pending or expired request, else the first
 * total.
 */
export const amountOn = (
  row: Pick<RequestRow, 'state' | 'due1' | 'total1' | 'total2'>,
  day: Temporal.PlainDate,
): Centavos =>
  row.state === 'pending' || row.state === 'expired' ? amountDue(row, day) : row.total1;

/**
 * Returns the state by the clock. An expirable request is expired after its last due day, swept or
 * not.
 */
export function stateOn<S extends RequestState>(
  row: Pick<RequestRow, 'kind' | 'last_due'> & { state: S },
  day: Temporal.PlainDate,
): S | 'expired' {
  const late = row.state === 'pending' && isAfter(day, row.last_due);
  return late && transitionOf(row.kind, 'expire') ? 'expired' : row.state;
}
