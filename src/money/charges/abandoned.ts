import type { Channel, ChargeOutcome } from '../channels/index.ts';
import type { AttemptRow } from './attempt.ts';

/** A payer let the time of their step pass. */
export const abandonedRefusal = {
  code: 'expired',
  text: 'The payer did not finish the payment in time.',
} as const;

const isOver = (until: Temporal.Instant | null, now: Temporal.Instant): boolean =>
  until !== null && Temporal.Instant.compare(until, now) <= 0;

/** True if the payer's step is still open after its deadline. */
function isAbandoned(
  { action_until: until }: AttemptRow,
  outcome: ChargeOutcome,
  now: Temporal.Instant,
): boolean {
  // A restarted step has a new deadline.
  if (outcome.outcome === 'action_required') return isOver(outcome.action.until, now);
  const isOpen = outcome.outcome === 'unknown' || (outcome.outcome === 'unheard' && outcome.early);
  return isOpen === true && isOver(until, now);
}

/**
 * Ends a charge whose payer never came back. Cancels it if the channel can; until the channel
 * confirms, it stays open, as the payer may have paid. If the channel cannot cancel, its answer
 * that it still waits for an expired step ends the charge; an unknown outcome ends nothing. A late
 * approval is recorded as one more payment.
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
