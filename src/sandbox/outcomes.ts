import type { CardKind, Charge, ChargeOutcome } from '../money/channels/index.ts';

/** What the simulated bank or processor decides about a charge, once and for all. */
export interface SimulatedOutcome {
  outcome: Extract<ChargeOutcome, { outcome: 'approved' | 'rejected' }>;
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

interface Refusal {
  code: string;
  text: string;
}

interface TestCard {
  number: string;
  brand: string;
  outcome: 'approved' | 'insufficient_funds' | 'rejected';
}

/** The public test cards (docs/sandbox.md); any other valid number is approved. */
export const testCards: readonly TestCard[] = [
  { number: '4507990000004905', brand: 'Visa', outcome: 'approved' },
  { number: '5299910010000015', brand: 'Mastercard', outcome: 'approved' },
  { number: '5896570000000008', brand: 'Cabal', outcome: 'approved' },
  { number: '4517721004856075', brand: 'Visa Débito', outcome: 'approved' },
  { number: '373953192351004', brand: 'American Express', outcome: 'approved' },
  { number: '4546400044997331', brand: 'Visa', outcome: 'rejected' },
  { number: '5455330200000016', brand: 'Mastercard', outcome: 'rejected' },
  { number: '4258210000474094', brand: 'Visa', outcome: 'insufficient_funds' },
  { number: '5204230010000012', brand: 'Mastercard', outcome: 'insufficient_funds' },
  { number: '4517720194823929', brand: 'Visa Débito', outcome: 'insufficient_funds' },
];

const byOutcome: Record<TestCard['outcome'], Refusal | undefined> = {
  approved: undefined,
  rejected: refusals.rejected,
  insufficient_funds: refusals.insufficientFunds,
};

/** Amounts whose cents decide, whatever the instrument. */
export const refusedCents: Record<number, Refusal> = {
  91: refusals.insufficientFunds,
  92: refusals.rejected,
  93: refusals.stopDebit,
};

export const answersNextDayCents = 94;
export const reversedNextDayCents = 95;

interface TestCbu {
  /** How the account number, positions 9 to 21 of the CBU, ends. */
  ending: string;
  refusal: Refusal;
}

/** Bank accounts that refuse, with the codes of the clearing; any other one is debited. */
const testCbus: readonly TestCbu[] = [
  { ending: '9902', refusal: { code: 'R02', text: 'Account closed or suspended.' } },
  { ending: '9910', refusal: { code: 'R10', text: 'Insufficient funds.' } },
  { ending: '9915', refusal: { code: 'R15', text: 'Service cancelled by the holder.' } },
  { ending: '9924', refusal: { code: 'R24', text: 'Duplicate transaction.' } },
];

const refusalOfCbu = (cbu: string): Refusal | undefined =>
  testCbus.find(({ ending }) => cbu.slice(8, 21).endsWith(ending))?.refusal;

const refusedInstrument = ({ instrument }: Charge): Refusal | undefined => {
  if (instrument.type === 'bank_account') return refusalOfCbu(instrument.account.account);
  if (instrument.type !== 'card') return undefined;
  const card = testCards.find((one) => one.number === instrument.card.number);
  return card && byOutcome[card.outcome];
};

/** What the acquirer of a test card says that it is; of other cards it says nothing. */
function kindOf({ instrument }: Charge): CardKind | null {
  if (instrument.type !== 'card') return null;
  const card = testCards.find((one) => one.number === instrument.card.number);
  if (!card) return null;
  return card.brand === 'Visa Débito' ? 'debit' : 'credit';
}

/** Six digits that look like an authorization code and are the same for the same charge. */
const authorizationCode = ({ attemptId }: Charge): string =>
  String(attemptId % 1_000_000).padStart(6, '0');

/** The payer simulator: deterministic, all is approved but for the listed cases. */
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
  const kind = kindOf(charge);
  return {
    outcome: {
      outcome: 'approved',
      answer: { authorizationCode: authorizationCode(charge), ...(kind && { cardKind: kind }) },
    },
    answersAfter: cents === answersNextDayCents ? { hours: 24 } : atOnce,
    reversesAfter: cents === reversedNextDayCents ? { hours: 24 } : null,
  };
}

/**
 * What the simulated channel decides about giving an amount back, by the same cents: .91 to .93 are
 * refused, .94 takes a day.
 */
export function decideRefund(amount: number, refundId: number) {
  const cents = amount % 100;
  const refusal = refusedCents[cents];
  return {
    outcome: refusal
      ? ({ outcome: 'failed', ...refusal } as const)
      : ({ outcome: 'done', reference: `simulated refund ${refundId}` } as const),
    answersAfter: cents === answersNextDayCents ? { hours: 24 } : atOnce,
  };
}

/** Whether the simulated bank takes a transfer to an account; null: it does. */
export const decideTransfer = (cbu: string): { code: string; text: string } | null =>
  refusalOfCbu(cbu) ?? null;

/** What is debited, as the simulated bank or processor sees it. */
export type DebitedInstrument = { type: 'cbu'; cbu: string } | { type: 'card'; number: string };

/** Codes of the clearing, by cents, whatever the instrument. */
const debitCents: Readonly<Record<number, string>> = { 91: 'R10', 92: 'R02', 93: 'R08' };

const cardCodes = { approved: null, insufficient_funds: 'R10', rejected: 'R02' } as const;

/** The refusal of a debit, by code of the clearing; null: it is paid. */
export function decideDebit(
  amount: number,
  instrument: DebitedInstrument,
): { code: string; text: string } | null {
  const byInstrument =
    instrument.type === 'cbu'
      ? refusalOfCbu(instrument.cbu)?.code
      : cardCodes[testCards.find((one) => one.number === instrument.number)?.outcome ?? 'approved'];
  const code = byInstrument ?? debitCents[amount % 100];
  return code ? { code, text: '' } : null;
}

/** The rules above for the documents. */
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
      text: 'paid, then reverted by the holder the next day',
      debitCode: null,
    },
  ],
};
