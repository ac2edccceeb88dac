import type { Charge, ChargeOutcome } from '../collections/index.ts';

/** What the simulated bank or processor decides about a charge, once and for all. */
export interface SimulatedOutcome {
  outcome: ChargeOutcome;
  /** Business time until it answers. */
  answersAfter: Temporal.DurationLike;
  /** Business time after which the holder takes the money back; null: never. */
  reversesAfter: Temporal.DurationLike | null;
}

const atOnce: Temporal.DurationLike = { milliseconds: 0 };

export const refusals = {
  insufficientFunds: { code: 'insufficient_funds', text: 'Insufficient funds.' },
  rejected: { code: 'rejected', text: 'Rejected by the issuer.' },
  stopDebit: { code: 'stop_debit', text: 'The holder ordered not to pay.' },
} as const;

type Refusal = (typeof refusals)[keyof typeof refusals];

/** The public test cards of the sandbox that do not approve (docs/sandbox.md). */
export const refusedCards: Record<string, Refusal> = {
  '4546400044997331': refusals.rejected,
  '5455330200000016': refusals.rejected,
  '4258210000474094': refusals.insufficientFunds,
  '5204230010000012': refusals.insufficientFunds,
  '4517720194823929': refusals.insufficientFunds,
};

/** Amounts whose cents decide, whatever the instrument. */
export const refusedCents: Record<number, Refusal> = {
  91: refusals.insufficientFunds,
  92: refusals.rejected,
  93: refusals.stopDebit,
};

export const answersNextDayCents = 94;
export const reversedNextDayCents = 95;

const refusedInstrument = ({ instrument }: Charge): Refusal | undefined =>
  instrument.type === 'card' ? refusedCards[instrument.card.number] : undefined;

/** Six digits that look like an authorization code and are the same for the same charge. */
const authorizationCode = ({ attemptId }: Charge): string =>
  String(attemptId % 1_000_000).padStart(6, '0');

/** The payer simulator (decisions 9): deterministic, all is approved but for the listed cases. */
export function decide(charge: Charge): SimulatedOutcome {
  const cents = charge.amount % 100;
  const refusal = refusedInstrument(charge) ?? refusedCents[cents];
  if (refusal) {
    return {
      outcome: { outcome: 'rejected', ...refusal },
      answersAfter: atOnce,
      reversesAfter: null,
    };
  }
  return {
    outcome: {
      outcome: 'approved',
      answer: { authorizationCode: authorizationCode(charge) },
    },
    answersAfter: cents === answersNextDayCents ? { hours: 24 } : atOnce,
    reversesAfter: cents === reversedNextDayCents ? { hours: 24 } : null,
  };
}
