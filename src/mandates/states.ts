import { dayOf, midnightOf } from '../kernel/dates.ts';
import type { MandateState } from './mandate.ts';

interface MandateTransition {
  from: readonly MandateState[];
  to: MandateState;
}

/** Transitions of a mandate. The service cancels it after seven days unsigned. */
export const mandateTransitions = {
  sign: { from: ['pending_to_sign'], to: 'signed' },
  decline: { from: ['pending_to_sign'], to: 'canceled' },
  expire: { from: ['pending_to_sign'], to: 'canceled' },
  revoke: { from: ['signed'], to: 'canceled' },
  cancel: { from: ['pending_to_sign', 'signed'], to: 'canceled' },
} as const satisfies Record<string, MandateTransition>;

const daysToSign = 7;

/** Returns the deadline for signing: the end of the seventh day after today, in Argentina. */
export const signBefore = (now: Temporal.Instant): Temporal.Instant =>
  midnightOf(dayOf(now).add({ days: daysToSign + 1 }));

/** Returns the last day on which the holder can answer. */
export const lastDayToSign = ({ sign_before }: { sign_before: Temporal.Instant }) =>
  dayOf(sign_before.subtract({ seconds: 1 }));

/** Texts for `state_comment`. */
export const comments = {
  byCollector: 'Canceled by the collector.',
  declined: 'Declined by the holder.',
  revoked: 'Revoked by the holder.',
  unsigned: 'Not signed within 7 days.',
  accountClosed: 'Canceled because the account was closed.',
} as const;
