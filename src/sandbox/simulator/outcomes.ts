import type { ChargeOrder, Outcome } from '../../../connectors/protocol/messages.ts';
import { cardOfToken, outcomeOfCard, type TokenisedCard, testCards } from './test-cards.ts';

type Rejected = Extract<Outcome, { outcome: 'rejected' }>;
type Approved = Extract<Outcome, { outcome: 'approved' }>;

/** A stored decision on a charge. */
export type Decision =
  | Omit<Rejected, 'alarm'>
  | Omit<Approved, 'reference' | 'amount' | 'decided_at' | 'ticket' | 'tid'>;

/** The simulated bank's or processor's final decision on a charge. */
export interface SimulatedOutcome {
  outcome: Decision;
  /** Business time until the answer. */
  answersAfter: Temporal.DurationLike;
  /** Business time after which the holder reverses the payment, or null for never. */
  reversesAfter: Temporal.DurationLike | null;
}

const atOnce: Temporal.DurationLike = { milliseconds: 0 };

const refusals = {
  insufficientFunds: {
    code: 'insufficient_funds',
    text: 'Insufficient funds.',
    retry: 'same_later',
  },
  rejected: { code: 'rejected', text: 'Rejected by the issuer.', retry: 'other_instrument' },
  stopDebit: { code: 'stop_debit', text: 'The holder ordered not to pay.', retry: 'never' },
} as const;

type Refusal = Pick<Rejected, 'code' | 'text' | 'retry'>;

/** The refusal of a token that was already charged. */
export const spentToken: Decision = {
  outcome: 'rejected',
  code: 'spent_token',
  text: 'The token was charged before.',
  retry: 'same_now',
};

const byOutcome: Record<TokenisedCard['outcome'], Refusal | undefined> = {
  approved: undefined,
  rejected: refusals.rejected,
  insufficient_funds: refusals.insufficientFunds,
};

/** Refusals by the cents of the amount, for any instrument. */
const refusedCents: Record<number, Refusal> = {
  91: refusals.insufficientFunds,
  92: refusals.rejected,
  93: refusals.stopDebit,
};

export const answersNextDayCents = 94;
export const reversedNextDayCents = 95;

interface TestCbu {
  /** Last digits of the account number, which is in positions 9 to 21 of the CBU. */
  ending: string;
  refusal: Pick<Refusal, 'code' | 'text'>;
}

/** Bank accounts that refuse, with the clearing's codes. All others accept debits. */
const testCbus: readonly TestCbu[] = [
  { ending: '9902', refusal: { code: 'R02', text: 'Account closed or suspended.' } },
  { ending: '9910', refusal: { code: 'R10', text: 'Insufficient funds.' } },
  { ending: '9915', refusal: { code: 'R15', text: 'Service canceled by the holder.' } },
  { ending: '9924', refusal: { code: 'R24', text: 'Duplicate transaction.' } },
];

const refusalOfCbu = (cbu: string): TestCbu['refusal'] | undefined =>
  testCbus.find(({ ending }) => cbu.slice(8, 21).endsWith(ending))?.refusal;

function refusedInstrument(
  { instrument }: Pick<ChargeOrder, 'instrument'>,
  card: TokenisedCard | null,
): Refusal | undefined {
  if (card) return byOutcome[card.outcome];
  if (instrument.type !== 'bank_account') return undefined;
  const refusal = refusalOfCbu(instrument.account);
  return refusal && { ...refusal, retry: 'other_instrument' };
}

/** Returns six digits that look like an authorization code, constant per charge. */
const authorizationCode = ({ attempt }: Pick<ChargeOrder, 'attempt'>): string =>
  attempt
    .slice(attempt.indexOf('-') + 1)
    .slice(-6)
    .padStart(6, '0');

const rejected = (refusal: Refusal): SimulatedOutcome => ({
  outcome: { outcome: 'rejected', ...refusal },
  answersAfter: atOnce,
  reversesAfter: null,
});

/** Decides deterministically: approves everything except the listed cases. */
export function decide(
  order: Pick<ChargeOrder, 'attempt' | 'amount' | 'instrument'>,
): SimulatedOutcome {
  const { instrument, amount } = order;
  const cents = amount % 100;
  const card = instrument.type === 'token' ? cardOfToken(instrument.token) : null;
  const refusal = refusedInstrument(order, card) ?? refusedCents[cents];
  if (refusal) return rejected(refusal);
  return {
    outcome: {
      outcome: 'approved',
      authorization_code: authorizationCode(order),
      ...(card && { brand: card.brand, bin: card.bin, last_four: card.lastFour }),
      ...(card?.kind && { kind: card.kind }),
    },
    answersAfter: cents === answersNextDayCents ? { hours: 24 } : atOnce,
    reversesAfter: cents === reversedNextDayCents ? { hours: 24 } : null,
  };
}

/** Decides a refund by its cents: .91 to .93 are refused, .94 takes a day. */
export function decideRefund(amount: number, refundId: string) {
  const cents = amount % 100;
  const refusal = refusedCents[cents];
  return {
    outcome: refusal
      ? ({ outcome: 'failed', code: refusal.code, text: refusal.text } as const)
      : ({ outcome: 'done', reference: `simulated refund ${refundId}` } as const),
    answersAfter: cents === answersNextDayCents ? { hours: 24 } : atOnce,
  };
}

/** Returns the simulated bank's refusal of a transfer to an account, or null. */
export const decideTransfer = (cbu: string): { code: string; text: string } | null =>
  refusalOfCbu(cbu) ?? null;

/** The debited account or card. */
export type DebitedInstrument = { type: 'cbu'; cbu: string } | { type: 'card'; number: string };

/** Clearing codes by cents, for any instrument. */
const debitCents: Readonly<Record<number, string>> = { 91: 'R10', 92: 'R02', 93: 'R08' };

const cardCodes = { approved: null, insufficient_funds: 'R10', rejected: 'R02' } as const;

/** Returns the clearing code that refuses a debit, or null if it is paid. */
export function decideDebit(
  amount: number,
  instrument: DebitedInstrument,
): { code: string; text: string } | null {
  const byInstrument =
    instrument.type === 'cbu'
      ? refusalOfCbu(instrument.cbu)?.code
      : cardCodes[outcomeOfCard(instrument.number)];
  const code = byInstrument ?? debitCents[amount % 100];
  return code ? { code, text: '' } : null;
}

/** These rules, for the documentation. */
export const simulatedRules = {
  cards: testCards.map((card) => ({ ...card, debitCode: cardCodes[card.outcome] })),
  cbus: testCbus,
  cents: [
    ...Object.entries(refusedCents).map(([cents, refusal]) => ({
      cents,
      text: `refused: ${refusal.text}`,
      debitCode: debitCents[Number(cents)] ?? null,
    })),
    {
      cents: String(answersNextDayCents),
      text: 'no answer for one day, then paid',
      debitCode: null,
    },
    {
      cents: String(reversedNextDayCents),
      text: 'paid, then reversed by the account holder the next day',
      debitCode: null,
    },
  ],
};
