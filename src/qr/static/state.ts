import type { QrState } from '../row.ts';
import type { StaticState, TransactionRow } from './store.ts';

/** Lifetime of a transaction, in minutes: default two, at most a day. */
export const activePeriod = { standard: 2, longest: 1440 } as const;

/** The state by the clock: from its end on a transaction is expired, swept or not. */
export function transactionState(
  row: Pick<TransactionRow, 'state' | 'expires_at'>,
  now: Temporal.Instant,
): QrState {
  const over = Temporal.Instant.compare(now, row.expires_at) >= 0;
  return row.state === 'pending' && over ? 'expired' : row.state;
}

/** One for many payments stays pending; others take the state of their payment. */
export const staticState = ({ row, paid }: StaticState): QrState =>
  row.multiple_payment || paid === null ? 'pending' : paid.state;

/** The transaction that a payer can pay now. */
export const liveTransaction = (
  { open }: StaticState,
  now: Temporal.Instant,
): TransactionRow | null =>
  open !== null && transactionState(open, now) === 'pending' ? open : null;
