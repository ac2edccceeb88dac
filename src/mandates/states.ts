import type { MandateState } from './mandate.ts';

interface MandateTransition {
  from: readonly MandateState[];
  to: MandateState;
}

/** What moves a mandate. Unsigned for seven days it is canceled by the service. */
export const mandateTransitions = {
  sign: { from: ['pending_to_sign'], to: 'signed' },
  decline: { from: ['pending_to_sign'], to: 'canceled' },
  expire: { from: ['pending_to_sign'], to: 'canceled' },
  cancel: { from: ['pending_to_sign', 'signed'], to: 'canceled' },
} as const satisfies Record<string, MandateTransition>;

/** How long the holder has to sign. */
export const signWithin: Temporal.DurationLike = { hours: 7 * 24 };

/** Why a mandate ended, as `state_comment` tells it. */
export const comments = {
  byCollector: 'Canceled by the collector.',
  declined: 'Declined by the holder.',
  unsigned: 'Not signed within 7 days.',
} as const;
