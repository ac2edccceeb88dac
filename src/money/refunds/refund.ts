import type { Centavos } from '../../kernel/money.ts';
import type { ResultRow } from '../collections/index.ts';

/** `requested` until the channel or the operator confirms its end. */
export type RefundState = 'requested' | 'done' | 'failed';

export interface RefundRow {
  account_id: string;
  id: number;
  request_id: number;
  /** The refunded payment. */
  result_id: number;
  /** The caller's idempotency reference. */
  reference: string;
  amount: Centavos;
  state: RefundState;
  /**
   * `channel`: the payment's processor refunds it. `transfer`: the operator sends it to the CBU.
   */
  way: 'channel' | 'transfer';
  cbu: string | null;
  /** The amount reserved from the holder's balances, and the part of it that was unavailable. */
  held: Centavos;
  held_unavailable: Centavos;
  /** Sum of the payment's refunds that were done before. */
  refunded_before: Centavos;
  requested_at: Temporal.Instant;
  ask_at: Temporal.Instant | null;
  ended_at: Temporal.Instant | null;
  comment: string | null;
  /** The requesting portal user. Null for an API key or the service itself. */
  asked_by: number | null;
}

/** A payment with an amount left to refund. */
export interface Refundable {
  result: ResultRow;
  left: Centavos;
  way: RefundRow['way'];
}

export interface RefundKey {
  accountId: string;
  id: number;
}
