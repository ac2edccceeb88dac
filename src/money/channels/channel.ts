import type { CardBrand } from '../../kernel/card-number.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { CardKind } from './card-kinds.ts';
import type { ChannelCode } from './codes.ts';

/** A card as the payer typed it; lives in memory for the length of one call. */
export interface CardInstrument {
  number: string;
  brand: CardBrand;
  holderName: string;
  holderEmail: string | null;
  expiry: { month: number; year: number };
  securityCode: string;
  /** How the payer splits it: between payer and card, not part of what is due. */
  installments: number;
  /** Each installment and their sum, in centavos. */
  installmentAmount: Centavos;
  financedTotal: Centavos;
}

/** The account that a DEBIN debits. */
export interface BankAccountInstrument {
  /** CBU, CVU or alias. */
  account: string;
  holderIdNumber: string;
}

export type Instrument =
  | { type: 'card'; card: CardInstrument }
  | { type: 'bank_account'; account: BankAccountInstrument }
  | { type: 'wallet' };

/** One attempt to take an amount. The attempt's id makes a repeated charge harmless. */
export interface Charge {
  accountId: string;
  attemptId: number;
  requestId: number;
  channel: ChannelCode;
  amount: Centavos;
  instrument: Instrument;
}

export interface ChargeReference {
  accountId: string;
  attemptId: number;
}

/** What a channel tells of a charge that it decided. */
export interface ChargeAnswer {
  authorizationCode?: string;
  /** What the card turned out to be; the payment is recorded and charged as that. */
  cardKind?: CardKind;
}

/** When the channel decided, on the business clock, if it tells; else when it was asked to charge. */
interface Decided {
  decidedAt?: Temporal.Instant;
}

export type ChargeOutcome =
  | (Decided & { outcome: 'approved'; answer: ChargeAnswer })
  | (Decided & { outcome: 'rejected'; code: string; text: string })
  /** Not decided yet: ask again at that moment of the business clock. */
  | { outcome: 'unknown'; askAgainAt: Temporal.Instant }
  /** The channel never heard of it: nothing was taken. */
  | { outcome: 'unheard' };

/** A charge, or a part of it, on its way back. The refund's id makes a repeated order harmless. */
export interface RefundOrder extends ChargeReference {
  refundId: number;
  amount: Centavos;
  /** What the charge took, and what earlier refunds of it came to. */
  charged: Centavos;
  refundedBefore: Centavos;
}

export type RefundOutcome =
  | { outcome: 'done'; reference?: string }
  | { outcome: 'failed'; code: string; text: string }
  /** Not decided yet: ask again at that moment of the business clock. */
  | { outcome: 'unknown'; askAgainAt: Temporal.Instant };

/** What a channel that can give money back is asked. */
export interface GiveBack {
  refund(order: RefundOrder): Promise<RefundOutcome>;
  inquire(order: RefundOrder): Promise<RefundOutcome | { outcome: 'unheard' }>;
}

/** Someone who can take money online: a card processor, the DEBIN scheme, a wallet scheme. */
export interface Channel {
  charge(charge: Charge): Promise<ChargeOutcome>;
  inquire(reference: ChargeReference): Promise<ChargeOutcome>;
  /** Missing where it cannot give money back. */
  giveBack?: GiveBack;
}

/** The online channels that this deployment is connected to. */
export type Channels = Partial<Record<ChannelCode, Channel>>;
