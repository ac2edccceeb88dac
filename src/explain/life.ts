import type { RunView } from '../debit-requests/index.ts';
import type { ImportOrigin } from '../imports/index.ts';
import type { ResultRow } from '../money/collections/index.ts';
import type { DisputeRow } from '../money/disputes/index.ts';
import type { RequestJournal } from '../money/ledger/index.ts';
import type { PayoutRow } from '../money/payouts/index.ts';
import type { RefundRow } from '../money/refunds/index.ts';
import type { TimelineStep } from '../payment-requests/index.ts';
import type { RailFile, RailLine } from '../rails/index.ts';
import type { RequestRow, RequestState } from '../requests/index.ts';
import type { EntityDelivery } from '../webhooks/index.ts';

/** A fault in the books, which only a change outside the service can cause. */
export type Fault =
  | { what: 'forged' | 'unbalanced' | 'unsealed'; journal: number }
  | { what: 'figures'; journal: number; result: number }
  | { what: 'missing' | 'repeated'; result: number };

/** Counts and flags of the parts that were cut for length. */
export interface LeftOut {
  /** Events between the first and the last ones. */
  events: number;
  /** True if older results were cut, with everything that belongs to them. */
  results: boolean;
  deliveries: boolean;
  /** True if some day had too many journals to search, or too many were found. */
  journals: boolean;
}

export interface Life {
  row: RequestRow;
  /** State on the current business day: a pending request may have expired. */
  state: RequestState;
  /** The spreadsheet import that created it. Null if none did, or if that was too long ago. */
  origin: ImportOrigin | null;
  steps: TimelineStep[];
  results: ResultRow[];
  journals: RequestJournal[];
  refunds: RefundRow[];
  disputes: DisputeRow[];
  runs: RunView[];
  /** The first payout after the release of each result. */
  payouts: { result: ResultRow; payout: PayoutRow }[];
  deliveries: EntityDelivery[];
  /** Lines of files about it, and files that submitted it to a bank. */
  lines: { file: RailFile; line: RailLine }[];
  sent: RailFile[];
  faults: Fault[];
  leftOut: LeftOut;
}
