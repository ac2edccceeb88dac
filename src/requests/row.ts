import { compareDays } from '../kernel/dates.ts';
import type { Centavos } from '../kernel/money.ts';
import {
  type RequestKind,
  type RequestState,
  type StateOf,
  type Transition,
  transitionOf,
} from './states.ts';

/** A stored request; the kind's own fields are in `details`. */
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
  /** The match key of barcodes and payment codes. */
  code: string | null;
  /** The mandate that a debit is made on. */
  mandate_id: number | null;
  /** The reason of its state, if recorded; a new one has none. */
  state_comment?: string | null;
  details: Record<string, unknown>;
}

/** A request of some kinds, with their details and possible states. */
export type RequestOf<K extends RequestKind, Details extends RequestRow['details']> = Omit<
  RequestRow,
  'kind' | 'state' | 'details'
> & { kind: K; state: StateOf<K>; details: Details };

/** A request that stays open for more payments after one: a QR on a wall, for example. */
const staysOpen = (row: Pick<RequestRow, 'details'>): boolean =>
  row.details.multiple_payment === true;

/** The move that a payment makes on a request. */
export const collectMove = (row: Pick<RequestRow, 'kind' | 'details'>): Transition | null =>
  staysOpen(row) ? null : transitionOf(row.kind, 'collect');

export interface RequestKey {
  accountId: string;
  id: number;
}

/** The last day on which it can be paid on time. */
export const lastDueOf = (due1: Temporal.PlainDate, due2: Temporal.PlainDate | null) =>
  due2 ?? due1;

const isAfter = (a: Temporal.PlainDate, b: Temporal.PlainDate): boolean => compareDays(a, b) > 0;

/** Returns the amount due on a day: the first total up to its day inclusive, then the second. */
export function amountDue(
  row: Pick<RequestRow, 'due1' | 'total1' | 'total2'>,
  day: Temporal.PlainDate,
): Centavos {
  return isAfter(day, row.due1) && row.total2 !== null ? row.total2 : row.total1;
}

/** The state by the clock: after its last due day an expirable request is expired, swept or not. */
export function stateOn<S extends RequestState>(
  row: Pick<RequestRow, 'kind' | 'last_due'> & { state: S },
  day: Temporal.PlainDate,
): S | 'expired' {
  const late = row.state === 'pending' && isAfter(day, row.last_due);
  return late && transitionOf(row.kind, 'expire') ? 'expired' : row.state;
}
