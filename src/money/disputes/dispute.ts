import type { Centavos } from '../../kernel/money.ts';

/** States of a dispute, as reported by its acquirer. */
export const disputeStates = [
  'opened',
  'evidence_due',
  'won',
  'lost',
  'partial',
  'reversed',
] as const;
export type DisputeState = (typeof disputeStates)[number];

/** States before the acquirer's decision. */
export const undecidedStates: readonly DisputeState[] = ['opened', 'evidence_due'];

/** A payment that its payer disputes with the issuer. */
export interface DisputeRow {
  account_id: string;
  id: number;
  request_id: number;
  attempt_id: number;
  connector: string;
  /** Id of the dispute at the connector. */
  name: string;
  state: DisputeState;
  revision: number;
  amount: Centavos;
  /** The amount that the acquirer withholds for it. */
  taken: Centavos;
  reason: string | null;
  evidence_due_at: Temporal.Instant | null;
  opened_at: Temporal.Instant;
  changed_at: Temporal.Instant;
}

/** A change to a dispute, as a connector reports it. */
export type DisputeChange = Omit<DisputeRow, 'id' | 'opened_at' | 'changed_at'>;
