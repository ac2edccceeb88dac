import type { Channel, ChargeOutcome } from '../channels/index.ts';
import type { AttemptRow } from './attempt.ts';

/** A payer let the time of their step pass. */
export const abandonedRefusal = {
  code: 'expired',
  text: 'The payer did not finish the payment in time.',
} as const;

const isOver = (until: Temporal.Instant | null, now: Temporal.Instant): boolean =>
  until !== null && Temporal.Instant.compare(until, now) <= 0;

/** True if the outcome leaves a payer's step open whose time is over. */
function isAbandoned(
  { action_until: until }: AttemptRow,
  outcome: ChargeOutcome,
  now: Temporal.Instant,
): boolean {
  // A restarted step, with a time of its own, is not over.
  if (outcome.outcome === 'action_required') return isOver(outcome.action.until, now);
  const isOpen = outcome.outcome === 'unknown' || (outcome.outcome === 'unheard' && outcome.early);
  return isOpen === true && isOver(until, now);
}

/**
 * Ends a charge whose payer never came back. It cancels the charge if the channel can: until the
 * channel confirms, the charge goes on, as somebody may have paid. If it cannot, the channel's
 * answer that it still waits for an expired step ends it; an unknown outcome ends nothing. A late
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
