// Longer than 300 lines: a channel's capabilities belong with the shapes of their input and answers.
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

/** A card token from the acquirer's form. The form's data about the card is only a hint. */
export interface TokenInstrument {
  /** Valid for one charge. */
  token: string;
  brand: CardBrand | null;
  bin: string | null;
  lastFour: string | null;
  holderName: string | null;
  holderEmail: string | null;
  /** The payer's installments and total, in centavos. Null if chosen in the acquirer's form. */
  plan: { installments: number; each: Centavos; total: Centavos } | null;
}

/** A card on file: a connector's reference instead of a number. */
export interface StoredCard {
  reference: string;
  /** The channel that charges it. */
  channel: CardChannel;
  brand: CardBrand;
  bin: string | null;
  lastFour: string;
  /** Data for the card networks on a debit of a card on file. */
  onFile: {
    reason: OnFileReason;
    /** The network's id of the payment with the holder's consent. Null if unknown. */
    networkTransactionId: string | null;
  };
}

/** Purposes for which a holder consents to charges of a card on file, in the networks' terms. */
export const onFileReasons = ['recurring', 'instalments', 'unscheduled'] as const;
export type OnFileReason = (typeof onFileReasons)[number];

export type CardChannel = 'credit_card' | 'debit_card';

export type Instrument =
  | { type: 'token'; card: TokenInstrument }
  | { type: 'kept_card'; card: StoredCard }
  /** Payment on a page of the acquirer, to which the payer is redirected. */
  | { type: 'redirect' }
  | { type: 'bank_account'; account: BankAccountInstrument }
  | { type: 'wallet' };

/** The payer, as far as known. */
export interface Payer {
  name: string | null;
  email: string | null;
  /** IP address of the payer's browser. */
  ip: string | null;
  userAgent: string | null;
  /** This member and the next ones are additional data for the acquirer. They are never stored. */
  idNumber?: string;
  /** With the country prefix. */
  phone?: string;
  address?: PayerAddress;
}

export interface PayerAddress {
  street: string;
  city: string;
  postalCode: string;
  province: Province;
}

/** Facts about payers that an acquirer's manifest may require. */
export type PayerFact = 'id_number' | 'phone' | 'address';

/** An attempt to charge an amount. The attempt's id makes it idempotent. */
export interface Charge {
  accountId: string;
  attemptId: number;
  requestId: number;
  channel: ChannelCode;
  amount: Centavos;
  instrument: Instrument;
  payer: Payer;
  description: string;
  /** The account holder's reference. */
  reference: string | null;
  /** The address to which a redirected payer returns. Null if no page is involved. */
  returnUrl: string | null;
}

export interface ChargeReference {
  accountId: string;
  attemptId: number;
  startedAt: Temporal.Instant;
}

/** An order to capture or void an issuer's hold. The attempt's id makes it idempotent. */
export interface HoldOrder extends ChargeReference {
  end: 'capture' | 'void';
  channel: ChannelCode;
  /** The whole held amount. */
  amount: Centavos;
  /** The acquirer's id of the charge. */
  reference: string;
}

/** The channel's data about an approved charge. Overrides the payer's input. */
export interface ChargeAnswer {
  authorizationCode?: string;
  /** Actual kind of the card, which determines channel and fee. */
  cardKind?: CardKind;
  cardBrand?: CardBrand;
  bin?: string;
  lastFour?: string;
  /** Charged centavos, if different from the requested amount. */
  amount?: Centavos;
  /** The acquirer's ids of the charge. */
  reference?: string;
  ticket?: string;
  tid?: string;
  threeDs?: ThreeDs;
  /** The network's id of the charge, which later debits of the card quote. */
  networkTransactionId?: string;
}

/** The answer of an authorized charge that awaits capture. */
export type HoldAnswer = ChargeAnswer & { reference: string; amount: Centavos };

export const threeDsResults = [
  'authenticated',
  'attempted',
  'not_enrolled',
  'failed',
  'unavailable',
] as const;

/** Result of 3-D Secure. It determines who bears fraud losses. */
export interface ThreeDs {
  result: (typeof threeDsResults)[number];
  liability: 'issuer' | 'merchant';
  version?: string;
}

/** A step that the payer must take before the decision. */
export interface PayerAction {
  kind: 'redirect' | 'frame' | 'show_qr';
  /** Address to redirect to or to frame. */
  url?: string;
  /** Text of the displayed code. */
  data?: string;
  /** Deadline by the business clock. */
  until: Temporal.Instant;
}

/** The payer's options after a refusal. */
export type Retry = 'never' | 'other_instrument' | 'same_later' | 'same_now' | 'call_issuer';

/** Time of the channel's decision by the business clock. Default: the attempt's start. */
interface Decided {
  decidedAt?: Temporal.Instant;
}

export type ChargeOutcome =
  | (Decided & { outcome: 'approved'; answer: ChargeAnswer })
  /** The issuer holds the amount until `expiresAt`. No money has moved. */
  | { outcome: 'authorized'; answer: HoldAnswer; expiresAt: Temporal.Instant }
  | (Decided & { outcome: 'rejected'; code: string; text: string; retry?: Retry })
  /**
   * Undecided. Without `askAgainAt`, the attempts' schedule sets the next inquiry. `isUnasked`: the
   * inquiry never left this process.
   */
  | { outcome: 'unknown'; askAgainAt?: Temporal.Instant; isUnasked?: boolean }
  | { outcome: 'action_required'; action: PayerAction }
  /** Canceled, or refunded in full. */
  | { outcome: 'canceled' }
  /**
   * Unknown to the channel, so nothing was charged, unless `early`: too soon to be sure. `unsent`:
   * the order never left this process.
   */
  | { outcome: 'unheard'; early?: boolean; unsent?: boolean };

/** A full or partial refund of a charge. Its id makes it idempotent. */
export interface RefundOrder extends Omit<ChargeReference, 'startedAt'> {
  refundId: number;
  amount: Centavos;
  /** The charged amount, and the sum of earlier refunds. */
  charged: Centavos;
  refundedBefore: Centavos;
  /** The acquirer's id of the charge. Null if it has none. */
  reference: string | null;
}

export type RefundOutcome =
  | { outcome: 'done'; reference?: string }
  | { outcome: 'failed'; code: string; text: string }
  /** Undecided. Inquire again at `askAgainAt` on the business clock. */
  | { outcome: 'unknown'; askAgainAt: Temporal.Instant };

/** Refunds on a channel. */
export interface GiveBack {
  /** True if only full refunds are possible. */
  wholeOnly?: boolean;
  refund(order: RefundOrder): Promise<RefundOutcome>;
  inquire(order: RefundOrder): Promise<RefundOutcome | { outcome: 'unheard' }>;
}

/** A card to store for repeated charges. */
export interface CardToKeep {
  accountId: string;
  /** Name of the card at the connector. The same name is the same card. */
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
      /** The last valid month, such as 2028-04. Null if unknown. */
      expires: string | null;
      networkTransactionId: string | null;
    } & Omit<StoredCard, 'channel' | 'onFile'>)
  /** The issuer closed the card. */
  | { outcome: 'closed'; code: string; text: string }
  | { outcome: 'rejected'; code: string; text: string; retry: Retry }
  /** Undecided. Inquire again. */
  | { outcome: 'unknown' }
  | { outcome: 'forgotten' }
  /** The card never arrived. */
  | { outcome: 'unheard' };

export interface CardKeeper {
  keep(card: CardToKeep): Promise<KeepOutcome>;
  find(card: Pick<CardToKeep, 'accountId' | 'cardId'>): Promise<KeepOutcome>;
  /** Deletes the card. Returns false if the outcome is unknown. */
  forget(card: Pick<CardToKeep, 'accountId' | 'cardId'> & { reference: string }): Promise<boolean>;
}

/** Opens transfer accounts that each serve a single request. */
export interface AccountOpener {
  /** Opens the request's account, once. Returns its CVU, or null if none is available now. */
  open(account: {
    accountId: string;
    requestId: number;
    holder: { name: string; cuit: string };
  }): Promise<string | null>;
}

/**
 * The form for a payer's account or card: on our page, in the acquirer's frame, or on the
 * acquirer's page.
 */
export type PayerForm = {
  /** Further facts to request from the payer. */
  asks: readonly PayerFact[];
} & (
  | { kind: 'typed' }
  | {
      kind: 'frame';
      /** Address of the frame, whose form produces a token. */
      url: string;
      origin: string;
      asksPlan: boolean;
      /** True if the form works without scripts and redirects the payer back with the token. */
      plain: boolean;
    }
  | {
      kind: 'redirect';
      /** Label of a wallet's button. */
      label: string | null;
    }
);

/** Connector faults for an operator to fix. Problems with money are money alarms instead. */
export type AlarmKind =
  | 'unreachable'
  | 'manifest'
  | 'configuration'
  | 'conflict'
  | 'protocol'
  | 'card';

/** A processor of online payments: a card acquirer, the DEBIN scheme, or a wallet scheme. */
export interface Channel {
  /** Stored with each attempt, to find the processor again. */
  readonly name: string;
  /** Maximum time to answer a charge, in seconds. */
  readonly answersWithinS: number;
  form(code: ChannelCode): PayerForm;
  charge(charge: Charge): Promise<ChargeOutcome>;
  inquire(reference: ChargeReference): Promise<ChargeOutcome>;
  /** Returns true if the processor can cancel a charge that awaits its payer. */
  cancels(code: ChannelCode): boolean;
  cancel(reference: ChargeReference, code: ChannelCode): Promise<ChargeOutcome>;
  endHold(order: HoldOrder): Promise<ChargeOutcome>;
  /** Returns how to refund on a channel, or null if it cannot refund. */
  giveBack(code: ChannelCode): GiveBack | null;
  /** Returns the channel's card store, or null if it has none. */
  keeper?(code: ChannelCode): CardKeeper | null;
  /** Returns the channel's account opener, or null if it has none. */
  opener?(code: ChannelCode): AccountOpener | null;
}

/**
 * Constraints on the processor of a charge. Without any, every processor of the channel qualifies.
 */
export interface ChannelWish {
  brand?: CardBrand | null;
  /** The processor that made the token. */
  name?: string;
  /** Only processors that store cards. */
  keeps?: boolean;
  /** Only processors that open transfer accounts. */
  opens?: boolean;
}

/** Online channels that this deployment is connected to. */
export interface Channels {
  /** Configured channels, even those for which `choose` returns null during an outage. */
  readonly codes: ReadonlySet<ChannelCode>;
  /** Chooses the processor of a new charge. Returns null if there is none. */
  choose(code: ChannelCode, wish?: ChannelWish): Channel | null;
  /**
   * Returns true if a processor opens transfer accounts for the channel, even while it accepts no
   * charges.
   */
  opens?(code: ChannelCode): boolean;
  /** Returns the processor of an earlier charge, or null if it is not connected. */
  named(name: string): Channel | null;
}

/** The sandbox's processor where no connector is configured. */
export const simulatorName = 'simulator';

/** Returns channels that are all served by one processor. */
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

/**
 * Combines several sets of channels. For each code, the first set that has it chooses the
 * processor.
 */
export function channelsTogether(all: readonly Channels[]): Channels {
  const first = (code: ChannelCode) => all.find(({ codes }) => codes.has(code));
  return {
    codes: new Set(all.flatMap(({ codes }) => [...codes])),
    choose: (code, wish) => first(code)?.choose(code, wish) ?? null,
    opens: (code) => all.some((one) => one.opens?.(code) ?? false),
    named: (name) => all.map((one) => one.named(name)).find((found) => found !== null) ?? null,
  };
}
