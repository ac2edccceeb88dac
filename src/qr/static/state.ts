import type { QrState } from '../row.ts';
import type { StaticState, TransactionRow } from './store.ts';

/** Lifetime of a transaction in minutes. */
export const activePeriod = { standard: 2, longest: 1440 } as const;

/** Returns the state by the clock. A transaction is expired from its end on, swept or not. */
export function transactionState(
  row: Pick<TransactionRow, 'state' | 'expires_at'>,
  now: Temporal.Instant,
): QrState {
  const over = Temporal.Instant.compare(now, row.expires_at) >= 0;
  return row.state === 'pending' && over ? 'expired' : row.state;
}

/**
 * Returns a static QR's state: its payment's, or pending if it accepts many payments or has none
 * yet.
 */
export const staticState = ({ row, paid }: StaticState): QrState =>
  row.multiple_payment || paid === null ? 'pending' : paid.state;

/** Returns the transaction payable now, or null. */
export const liveTransaction = (
  { open }: StaticState,
  now: Temporal.Instant,
): TransactionRow | null =>
  open !== null && transactionState(open, now) === 'pending' ? open : null;
