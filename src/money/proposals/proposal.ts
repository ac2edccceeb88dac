import { type Centavos, centavos, minus, plus } from '../../kernel/money.ts';

/** What takes two people above a limit. */
export type ProposalKind = 'payout' | 'correction' | 'refund';

/** What one person proposed, as it is stored. */
export interface Proposal {
  account_id: string;
  id: number;
  kind: ProposalKind;
  /** The name of what is to be done. */
  reference: string;
  amount: Centavos;
  /** What else it takes to do it. */
  terms: Readonly<Record<string, unknown>>;
  state: 'waiting' | 'approved' | 'rejected';
  /** Users. */
  proposed_by: number;
  proposed_at: Temporal.Instant;
  decided_by: number | null;
  decided_at: Temporal.Instant | null;
  reason: string | null;
  /** What it came to. */
  outcome: Readonly<Record<string, unknown>> | null;
}

export interface ProposalKey {
  accountId: string;
  id: number;
}

/**
 * What the account has available before and after it is done: worked out while it waits, as it was
 * kept once it is done; null: it was not kept, or nothing is done.
 */
export function balancesAround(
  { kind, state, amount, outcome }: Proposal,
  available: Centavos,
): { before: Centavos; after: Centavos } | null {
  if (state === 'waiting') {
    const after = kind === 'correction' ? plus(available, amount) : minus(available, amount);
    return { before: available, after };
  }
  const { available_before: before, available_after: after } = outcome ?? {};
  if (typeof before !== 'number' || typeof after !== 'number') return null;
  return { before: centavos(before), after: centavos(after) };
}
