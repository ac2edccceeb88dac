// Longer than 300 lines: a channel's capabilities, with the shapes of its input and answers.
import type { CardBrand } from '../../kernel/card-number.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { Province } from '../../kernel/provinces.ts';
import type { CardKind } from './card-kinds.ts';
import type { ChannelCode } from './codes.ts';

/** The account that a DEBIN debits. */
export interface BankAccountInstrument {
  /** CBU, CVU or alias. */
  account: string;
  holderIdNumber: string;
}

/** A card token from the acquirer's own form; the form's data on the card is a hint. */
export interface TokenInstrument {
  /** Good for one charge. */
  token: string;
  brand: CardBrand | null;
  bin: string | null;
  lastFour: string | null;
  holderName: string | null;
  holderEmail: string | null;
  /**
   * The payer's installments and their sum, in centavos. Null if the acquirer's own form chose
   * them.
   */
  plan: { installments: number; each: Centavos; total: Centavos } | null;
}

/** A card on file, with the connector's reference in place of its number. */
export interface KeptCard {
  reference: string;
  /** By which it is charged there. */
  channel: CardChannel;
  brand: CardBrand;
  bin: string | null;
  lastFour: string;
  /** Data for the card networks on a debit of a card on file. */
  onFile: {
    reason: OnFileReason;
    /** The network's id of the payment with the holder's consent; null if unknown. */
    networkTransactionId: string | null;
  };
}

/** The holder's consent for a card on file, in the networks' terms. */
export const onFileReasons = ['recurring', 'instalments', 'unscheduled'] as const;
export type OnFileReason = (typeof onFileReasons)[number];

export type CardChannel = 'credit_card' | 'debit_card';

export type Instrument =
  | { type: 'token'; card: TokenInstrument }
  | { type: 'kept_card'; card: KeptCard }
  /** The payer is sent to a page of the acquirer. */
  | { type: 'redirect' }
  | { type: 'bank_account'; account: BankAccountInstrument }
  | { type: 'wallet' };

/** The payer, as far as known. */
export interface Payer {
  name: string | null;
  email: string | null;
  /** Of the browser that the payment came from. */
  ip: string | null;
  userAgent: string | null;
  /** Extra data for the acquirer; never stored. */
  idNumber?: string;
  /** With the prefix of its country. */
  phone?: string;
  address?: PayerAddress;
}

export interface PayerAddress {
  street: string;
  city: string;
  postalCode: string;
  province: Province;
}

/** A fact that an acquirer's manifest may require of payers. */
export type PayerFact = 'id_number' | 'phone' | 'address';

/** One attempt to take an amount. The attempt's id makes a repeated charge harmless. */
export interface Charge {
  accountId: string;
  attemptId: number;
  requestId: number;
  channel: ChannelCode;
  amount: Centavos;
  instrument: Instrument;
  payer: Payer;
  description: string;
  /** The account holder's own reference. */
  reference: string | null;
  /** The address to which a redirected payer returns; null if no page is involved. */
  returnUrl: string | null;
}

export interface ChargeReference {
  accountId: string;
  attemptId: number;
  startedAt: Temporal.Instant;
}

/** The end of an issuer's hold. The attempt's id makes a repeated order harmless. */
export interface HoldOrder extends ChargeReference {
  end: 'capture' | 'void';
  channel: ChannelCode;
  /** The whole held amount. */
  amount: Centavos;
  /** The acquirer's id of the charge. */
  reference: string;
}

/** A channel's data on an approved charge; it overrides the payer's form. */
export interface ChargeAnswer {
  authorizationCode?: string;
  /** The card's actual kind, which sets the recorded channel and the fee. */
  cardKind?: CardKind;
  cardBrand?: CardBrand;
  bin?: string;
  lastFour?: string;
  /** The amount charged, in centavos; missing: the requested one. */
  amount?: Centavos;
  /** The acquirer's ids of the charge. */
  reference?: string;
  ticket?: string;
  tid?: string;
  threeDs?: ThreeDs;
  /** The network's id of the charge, which later debits of the card refer to. */
  networkTransactionId?: string;
}

/** The same for an authorised charge that is not captured yet. */
export type HoldAnswer = ChargeAnswer & { reference: string; amount: Centavos };

export const threeDsResults = [
  'authenticated',
  'attempted',
  'not_enrolled',
  'failed',
  'unavailable',
] as const;

/** The result of 3-D Secure, and the bearer of fraud losses. */
export interface ThreeDs {
  result: (typeof threeDsResults)[number];
  liability: 'issuer' | 'merchant';
  version?: string;
}

/** The payer's step before the decision. */
export interface PayerAction {
  kind: 'redirect' | 'frame' | 'show_qr';
  /** The address of a redirect or a frame. */
  url?: string;
  /** The text of the displayed code. */
  data?: string;
  /** After this moment of the business clock it is of no use. */
  until: Temporal.Instant;
}

/** The payer's options after a refusal. */
export type Retry = 'never' | 'other_instrument' | 'same_later' | 'same_now' | 'call_issuer';

/** The time of the channel's decision, on the business clock, if known; else that of the call. */
interface Decided {
  decidedAt?: Temporal.Instant;
}

export type ChargeOutcome =
  | (Decided & { outcome: 'approved'; answer: ChargeAnswer })
  /** The issuer holds the amount until then; no money moved. */
  | { outcome: 'authorized'; answer: HoldAnswer; expiresAt: Temporal.Instant }
  | (Decided & { outcome: 'rejected'; code: string; text: string; retry?: Retry })
  /** Undecided; without a time, the attempts' schedule sets the next inquiry. */
  | { outcome: 'unknown'; askAgainAt?: Temporal.Instant }
  /** Decided once the payer has done something. */
  | { outcome: 'action_required'; action: PayerAction }
  /** Canceled, or refunded whole. */
  | { outcome: 'canceled' }
  /**
   * Unknown to the channel: nothing was taken. `early`: too early to be sure; `unsent`: no order
   * left this process.
   */
  | { outcome: 'unheard'; early?: boolean; unsent?: boolean };

/** A refund of a charge, whole or in part. Its id makes a repeated order harmless. */
export interface RefundOrder extends Omit<ChargeReference, 'startedAt'> {
  refundId: number;
  amount: Centavos;
  /** The charged amount, and the sum of its earlier refunds. */
  charged: Centavos;
  refundedBefore: Centavos;
  /** The acquirer's id of the charge; null if it has none. */
  reference: string | null;
}

export type RefundOutcome =
  | { outcome: 'done'; reference?: string }
  | { outcome: 'failed'; code: string; text: string }
  /** Not decided yet: ask again at that moment of the business clock. */
  | { outcome: 'unknown'; askAgainAt: Temporal.Instant };

/** The channel's way to refund. */
export interface GiveBack {
  /** True if only the whole charge can be refunded. */
  wholeOnly?: boolean;
  refund(order: RefundOrder): Promise<RefundOutcome>;
  inquire(order: RefundOrder): Promise<RefundOutcome | { outcome: 'unheard' }>;
}

/** A card that its holder handed over, to be charged again and again. */
export interface CardToKeep {
  accountId: string;
  /** Its name at the keeper: the same one again is the same card. */
  cardId: string;
  channel: CardChannel;
  token: Pick<TokenInstrument, 'token' | 'brand' | 'bin' | 'lastFour' | 'holderName'>;
  payer: Payer;
  reason: OnFileReason;
}

export type KeepOutcome =
  | ({
      outcome: 'kept';
      kind: CardKind | null;
      /** The last valid month, as 2028-04; null if unknown. */
      expires: string | null;
      networkTransactionId: string | null;
    } & Omit<KeptCard, 'channel' | 'onFile'>)
  /** The issuer closed the stored card. */
  | { outcome: 'closed'; code: string; text: string }
  | { outcome: 'rejected'; code: string; text: string; retry: Retry }
  /** Not known yet: ask. */
  | { outcome: 'unknown' }
  | { outcome: 'forgotten' }
  /** It never arrived. */
  | { outcome: 'unheard' };

/** Stores cards on file. */
export interface CardKeeper {
  keep(card: CardToKeep): Promise<KeepOutcome>;
  find(card: Pick<CardToKeep, 'accountId' | 'cardId'>): Promise<KeepOutcome>;
  /** Charges it no more; false: not known whether. */
  forget(card: Pick<CardToKeep, 'accountId' | 'cardId'> & { reference: string }): Promise<boolean>;
}

/** Opens accounts for the transfers of a single request. */
export interface AccountOpener {
  /** Returns the account's CVU, the same each time; null if there is none for now. */
  open(account: {
    accountId: string;
    requestId: number;
    /** The owner of the account. */
    holder: { name: string; cuit: string };
  }): Promise<string | null>;
}

/**
 * The payer's way to name the account to charge: typed on our page, in a frame of the acquirer's,
 * or on its page.
 */
export type PayerForm = {
  /** Further facts that the payer enters. */
  asks: readonly PayerFact[];
} & (
  | { kind: 'typed' }
  | {
      kind: 'frame';
      /** It hands over a token. */
      url: string;
      origin: string;
      asksPlan: boolean;
      /** True if it works without scripts, and redirects the payer back with its token. */
      plain: boolean;
    }
  | {
      kind: 'redirect';
      /** Label of the button, for a wallet. */
      label: string | null;
    }
);

/** A connector's fault for an operator to fix. Faults of money are money alarms. */
export type AlarmKind =
  | 'unreachable'
  | 'manifest'
  | 'configuration'
  | 'conflict'
  | 'protocol'
  | 'card';

/** A taker of online payments: a card processor, the DEBIN scheme, a wallet scheme. */
export interface Channel {
  /** Stored with each attempt, to find the taker again. */
  readonly name: string;
  /** Longest time to answer a charge, in seconds. */
  readonly answersWithinS: number;
  /** Returns the payer form of a channel. */
  form(code: ChannelCode): PayerForm;
  charge(charge: Charge): Promise<ChargeOutcome>;
  inquire(reference: ChargeReference): Promise<ChargeOutcome>;
  /** True if it can cancel a charge that waits for its payer. */
  cancels(code: ChannelCode): boolean;
  /** Cancels a charge that waits for its payer, if the channel can. */
  cancel(reference: ChargeReference, code: ChannelCode): Promise<ChargeOutcome>;
  /** Captures or voids an authorised charge. */
  endHold(order: HoldOrder): Promise<ChargeOutcome>;
  /** Returns its way to refund on a channel; null if it cannot. */
  giveBack(code: ChannelCode): GiveBack | null;
  /** Returns the card keeper of a channel; null or missing: none. */
  keeper?(code: ChannelCode): CardKeeper | null;
  /** Returns the account opener of a channel; null or missing: none. */
  opener?(code: ChannelCode): AccountOpener | null;
}

/** Requirements of a charge on its taker; unset: any taker of the channel. */
export interface ChannelWish {
  brand?: CardBrand | null;
  /** The taker that made the token. */
  name?: string;
  /** Only takers that keep cards on file. */
  keeps?: boolean;
  /** Only takers that open accounts for transfers. */
  opens?: boolean;
}

/** The online channels that this deployment is connected to. */
export interface Channels {
  /** Configured channels: the offer while all is well. */
  readonly codes: ReadonlySet<ChannelCode>;
  /** Chooses the taker of a new charge; null if there is none. */
  choose(code: ChannelCode, wish?: ChannelWish): Channel | null;
  /** True if some taker of a channel opens accounts for it, also while it takes no charges. */
  opens?(code: ChannelCode): boolean;
  /** Returns the taker of an earlier charge; null if no taker of that name is connected. */
  named(name: string): Channel | null;
}

/** Takes charges in the sandbox if no connector does. */
export const simulatorName = 'simulator';

/** One that takes all charges of some channels. */
export const soleChannel = (channel: Channel, codes: Iterable<ChannelCode>): Channels => {
  const taken = new Set(codes);
  return {
    codes: taken,
    choose: (code, { name = channel.name, keeps = false, opens = false } = {}) => {
      const fits = taken.has(code) && name === channel.name;
      const can = (!keeps || channel.keeper?.(code)) && (!opens || channel.opener?.(code));
      return fits && can ? channel : null;
    },
    named: (name) => (name === channel.name ? channel : null),
  };
};

/** Several together: of those that take a channel, the first that is configured for it rules. */
export function channelsTogether(all: readonly Channels[]): Channels {
  const first = (code: ChannelCode) => all.find(({ codes }) => codes.has(code));
  return {
    codes: new Set(all.flatMap(({ codes }) => [...codes])),
    choose: (code, wish) => first(code)?.choose(code, wish) ?? null,
    opens: (code) => all.some((one) => one.opens?.(code) ?? false),
    named: (name) => all.map((one) => one.named(name)).find((found) => found !== null) ?? null,
  };
}
