import type { Channel, ChargeOutcome } from '../channels/index.ts';
import type { AttemptRow } from './attempt.ts';

export const abandonedRefusal = {
  code: 'expired',
  text: 'The payer did not finish the payment in time.',
} as const;

const isOver = (until: Temporal.Instant | null, now: Temporal.Instant): boolean =>
  until !== null && Temporal.Instant.compare(until, now) <= 0;

/** Returns true if the payer's step is still open after its deadline. */
function isAbandoned(
  { action_until: until }: AttemptRow,
  outcome: ChargeOutcome,
  now: Temporal.Instant,
): boolean {
  if (outcome.outcome === 'unknown' && outcome.isUnasked) return false;
  // A restarted step has its own deadline.
  if (outcome.outcome === 'action_required') return isOver(outcome.action.until, now);
  const isOpen = outcome.outcome === 'unknown' || (outcome.outcome === 'unheard' && outcome.early);
  return isOpen === true && isOver(until, now);
}

/**
 * Ends a charge whose payer never returned. Cancels it if the channel can, and leaves it open until
 * the channel confirms, because the payer may have paid. If the channel cannot cancel, an answer
 * that it still awaits an expired step ends the charge, but an unknown outcome does not. A late
 * approval is recorded as an additional payment.
 */
export async function endAbandoned(
  channel: Channel,
  attempt: AttemptRow,
  outcome: ChargeOutcome,
  now: Temporal.Instant,
): Promise<ChargeOutcome> {
  if (!isAbandoned(attempt, outcome, now)) return outcome;
  const ended: ChargeOutcome = { outcome: 'rejected', ...abandonedRefusal };
  if (!channel.cancels(attempt.channel)) {
    return outcome.outcome === 'action_required' ? ended : outcome;
  }
  const { account_id: accountId, id: attemptId, started_at: startedAt } = attempt;
  const called = await channel.cancel({ accountId, attemptId, startedAt }, attempt.channel);
  if (called.outcome === 'canceled') return ended;
  return ['approved', 'authorized', 'rejected'].includes(called.outcome) ? called : outcome;
}
