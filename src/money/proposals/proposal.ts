import { type Centavos, centavos, minus, plus } from '../../kernel/money.ts';

/** Operations that need two people above a limit. */
export type ProposalKind = 'payout' | 'correction' | 'refund';

export interface Proposal {
  account_id: string;
  id: number;
  kind: ProposalKind;
  /** Idempotency reference of the proposed operation. */
  reference: string;
  /** The request to refund, or null. */
  request_id: number | null;
  amount: Centavos;
  /** Further parameters of the operation. */
  terms: Readonly<Record<string, unknown>>;
  state: 'waiting' | 'approved' | 'rejected' | 'expired';
  /** Id of the proposing user. */
  proposed_by: number;
  proposed_at: Temporal.Instant;
  /** The first of two approvers. Null if one suffices or none has approved. */
  first_approved_by: number | null;
  first_approved_at: Temporal.Instant | null;
  decided_by: number | null;
  decided_at: Temporal.Instant | null;
  reason: string | null;
  /** Result of the operation, once carried out. */
  outcome: Readonly<Record<string, unknown>> | null;
  /** Null for operators' proposals, which never expire. */
  expires_at: Temporal.Instant | null;
}

export interface ProposalKey {
  accountId: string;
  id: number;
}

/** Lifetime of a proposal by an account's own users. */
const proposalLife = { days: 7 } as const;

/** Returns the expiry of an account's proposal made now, on the business clock. */
export const lapseOf = (now: Temporal.Instant): Temporal.Instant =>
  now.add({ hours: proposalLife.days * 24 });

/** Returns true if the account's own users made it. */
export const isOfAccount = ({ expires_at }: Pick<Proposal, 'expires_at'>): boolean =>
  expires_at !== null;

/**
 * Returns the state at a moment. Past its deadline a proposal is expired, even before the sweep
 * runs.
 */
export const standingOf = (
  { state, expires_at }: Pick<Proposal, 'state' | 'expires_at'>,
  now: Temporal.Instant,
): Proposal['state'] =>
  state === 'waiting' && expires_at !== null && Temporal.Instant.compare(expires_at, now) <= 0
    ? 'expired'
    : state;

/**
 * Returns the balance before and after the operation: computed while pending, stored once done. It
 * is the available balance or, for a refund, the sum of both balances. Returns null if unknown, as
 * for a pending refund.
 */
export function balancesAround(
  { kind, state, amount, outcome }: Proposal,
  available: Centavos,
): { before: Centavos; after: Centavos } | null {
  // Fees and the payment's day determine how a refund affects the available balance.
  if (state === 'waiting' && kind === 'refund') return null;
  if (state === 'waiting') {
    const after = kind === 'correction' ? plus(available, amount) : minus(available, amount);
    return { before: available, after };
  }
  const { available_before, available_after, balance_before, balance_after } = outcome ?? {};
  const [before, after] =
    kind === 'refund' ? [balance_before, balance_after] : [available_before, available_after];
  if (typeof before !== 'number' || typeof after !== 'number') return null;
  return { before: centavos(before), after: centavos(after) };
}
