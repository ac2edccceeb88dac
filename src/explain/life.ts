import type { RunView } from '../debit-requests/index.ts';
import type { ResultRow } from '../money/collections/index.ts';
import type { DisputeRow } from '../money/disputes/index.ts';
import type { RequestJournal } from '../money/ledger/index.ts';
import type { PayoutRow } from '../money/payouts/index.ts';
import type { RefundRow } from '../money/refunds/index.ts';
import type { TimelineStep } from '../payment-requests/index.ts';
import type { RailFile, RailLine } from '../rails/index.ts';
import type { RequestRow, RequestState } from '../requests/index.ts';
import type { EntityDelivery } from '../webhooks/index.ts';

/** A fault of the books: none happens unless somebody changed them by other means. */
export type Fault =
  | { what: 'forged' | 'unbalanced' | 'unsealed'; journal: number }
  | { what: 'figures'; journal: number; result: number }
  | { what: 'missing' | 'repeated'; result: number };

/** Parts that were cut because there is too much of them. */
export interface LeftOut {
  /** Events between the first and the last ones. */
  events: number;
  /** Older results, and all that hangs on them. */
  results: boolean;
  deliveries: boolean;
  /** Journals of a day that has too many to look through. */
  journals: boolean;
}

/** All that is known of one payment. */
export interface Life {
  row: RequestRow;
  /** By the clock. */
  state: RequestState;
  steps: TimelineStep[];
  results: ResultRow[];
  journals: RequestJournal[];
  refunds: RefundRow[];
  disputes: DisputeRow[];
  runs: RunView[];
  /** The first payout behind what became available of each result. */
  payouts: { result: ResultRow; payout: PayoutRow }[];
  deliveries: EntityDelivery[];
  /** Lines that said something of it, and files that carried it to a bank. */
  lines: { file: RailFile; line: RailLine }[];
  sent: RailFile[];
  faults: Fault[];
  leftOut: LeftOut;
}
