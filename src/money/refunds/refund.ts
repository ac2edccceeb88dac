import type { Centavos } from '../../kernel/money.ts';
import type { ResultRow } from '../collections/index.ts';

/** A refund lives from its request to the confirmation of the channel or the operator. */
export type RefundState = 'requested' | 'done' | 'failed';

/** A stored refund of a payment, whole or in part. */
export interface RefundRow {
  account_id: string;
  id: number;
  request_id: number;
  /** The refunded payment. */
  result_id: number;
  /** The caller's own name for it. */
  reference: string;
  amount: Centavos;
  state: RefundState;
  /**
   * `channel`: the taker of the payment refunds it; `transfer`: the operator sends it to the CBU.
   */
  way: 'channel' | 'transfer';
  cbu: string | null;
  /** The amount set aside from the holder's balances, and its part that was not available yet. */
  held: Centavos;
  held_unavailable: Centavos;
  /** Earlier reversals of the payment. */
  refunded_before: Centavos;
  requested_at: Temporal.Instant;
  ask_at: Temporal.Instant | null;
  ended_at: Temporal.Instant | null;
  comment: string | null;
  /** The requesting portal user; null: an API key, or the service itself. */
  asked_by: number | null;
}

/** A payment that is not fully refunded. */
export interface Refundable {
  result: ResultRow;
  left: Centavos;
  /** See `RefundRow`. */
  way: RefundRow['way'];
}

export interface RefundKey {
  accountId: string;
  id: number;
}
