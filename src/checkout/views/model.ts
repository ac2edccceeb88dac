import type { CardBrand } from '../../kernel/card-number.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { PayerFact } from '../../money/channels/index.ts';
import type { Issuer, Lang, PageModel } from '../../platform/pages/model.ts';

export type { Issuer, Lang, PageModel };

export type RequestModel = PageModel & {
  readonly issuer: Issuer;
  readonly id: number;
  readonly sandbox: boolean;
};

export type Item = {
  readonly quantity?: number;
  readonly description: string;
  readonly amount: Centavos;
};

export type Due = { readonly day: Temporal.PlainDate; readonly amount: Centavos };

/** An installment option: `count` times `amount`, `total` in all. */
export type InstallmentOption = {
  readonly count: number;
  readonly amount: Centavos;
  readonly total: Centavos;
  /** Total financial cost, as an effective annual rate in parts per million. */
  readonly annualCostPpm?: number;
};

export type BrandPlans = {
  /** Without a family, the plans stay visible for every card. */
  readonly brand: { readonly code: string; readonly name: string; readonly family?: CardBrand };
  readonly options: readonly InstallmentOption[];
};

/** A drawing in black: SVG path data inside `width` by `height` units. */
export type Drawing = { readonly width: number; readonly height: number; readonly path: string };

/** The form in which the payer enters the card or account to charge. */
export type Way = {
  /** Facts that the acquirer requires. */
  readonly asks: readonly PayerFact[];
} & (
  | { readonly kind: 'typed' }
  | {
      readonly kind: 'redirect';
      /** Label of a wallet's button. Null for the default. */
      readonly label: string | null;
    }
  | {
      readonly kind: 'frame';
      readonly url: string;
      readonly origin: string;
      /** True if the frame offers the installments itself. */
      readonly asksPlan: boolean;
      /** True if it works without scripts and redirects back with the card. */
      readonly plain: boolean;
    }
);

/** A processor of a channel's cards, with its brands. */
export type CardTaker = {
  readonly connector: string;
  /** Prefix of its form's ids. */
  readonly scope: string;
  readonly way: Way;
  readonly brands: readonly { readonly family: CardBrand; readonly name: string }[];
  /** Installments of its credit card brands. */
  readonly plans: readonly BrandPlans[];
};

/** A channel open to the payer, with the content of its section. */
export type ChannelModel =
  | { readonly code: 'credit_card' | 'debit_card'; readonly takers: readonly CardTaker[] }
  | { readonly code: 'DEBIN'; readonly way: Way }
  | {
      readonly code: 'qr';
      readonly drawing: Drawing;
      /** The text of the code. */
      readonly payload: string;
      readonly imageUrl: string;
    }
  | {
      readonly code: 'wire_transfer';
      readonly cvu: string;
      readonly alias?: string;
      readonly holder: string;
      readonly holderCuit?: string;
    }
  | { readonly code: 'banelco_pmc'; readonly company: string; readonly paymentCode: string }
  | { readonly code: 'link_pagos'; readonly company: string; readonly paymentCode: string }
  | {
      readonly code: 'non_banking';
      readonly barcode: string;
      readonly barcodeUrl: string;
      readonly pdfUrl: string;
      readonly networks: readonly string[];
    };

export type ChannelCode = ChannelModel['code'];

export type FieldName =
  | 'card_number'
  | 'holder_email'
  | 'installments'
  | 'account'
  | 'holder_cuit'
  | PayerFactField;

/** Facts that acquirers may require of payers. */
export type PayerFactField =
  | 'payer_id_number'
  | 'payer_phone'
  | 'payer_street'
  | 'payer_city'
  | 'payer_postal_code'
  | 'payer_province';

/** A fault of a value. The texts contain its message. */
export type FieldFault =
  | 'required'
  | 'card_not_accepted'
  | 'card_is_credit'
  | 'card_is_debit'
  | 'email'
  | 'installments'
  | 'account'
  | 'cuit'
  | 'id_number'
  | 'phone'
  | 'line'
  | 'postal_code';

/**
 * A form to show again: its channel, faults by field, and values to keep. Not always rejected: the
 * payer may have switched the language.
 */
export type FormState = {
  readonly channel: ChannelCode;
  /** The processor named by the form, if any. */
  readonly connector?: string;
  readonly faults: Readonly<Partial<Record<FieldName, FieldFault>>>;
  readonly values: Readonly<Partial<Record<FieldName, string>>>;
  /** The card that a frame passed on. Not charged yet, so its token is valid. */
  readonly handed?: HandedCard;
};

/** A frame's card. Everything but the token is a hint. */
export type HandedCard = {
  readonly token: string;
  readonly brand: CardBrand | null;
  readonly bin: string | null;
  readonly lastFour: string | null;
  readonly holderName: string | null;
};

export type TestCard = {
  readonly number: string;
  readonly brand: string;
  readonly outcome: 'approved' | 'insufficient_funds' | 'rejected';
};

export type PayModel = RequestModel & {
  readonly payerName: string;
  readonly reference?: string;
  readonly description: string;
  readonly items: readonly Item[];
  /** The amount due today, and its deadline. */
  readonly due: Due;
  /** The second due date and its amount, until the first has passed. */
  readonly later?: Due;
  /** The first due date, if it has passed. */
  readonly missed?: Temporal.PlainDate;
  readonly channels: readonly ChannelModel[];
  /**
   * Addresses of forms: `pay` with the fields, `check` for faults only, `language` to switch the
   * language, `simulate` (sandbox) with the channel only.
   */
  readonly actions: {
    readonly pay: string;
    readonly check: string;
    readonly language: string;
    readonly simulate?: string;
  };
  readonly form?: FormState;
  readonly testCards?: readonly TestCard[];
};

/** The total paid on a request, and the amount that was due. See `settlementOf`. */
export type Settlement = { readonly paid: Centavos; readonly due: Centavos };

type WithBack = { readonly backUrl?: string };

export type ReceiptModel = RequestModel &
  WithBack & {
    readonly payerName: string;
    readonly description: string;
    readonly reference?: string;
    readonly amount: Centavos;
    readonly paidAt: Temporal.Instant;
    /** Name for people: `Visa`, `Pago Fácil`, `Transferencia`. */
    readonly channel: string;
    readonly cardLastFour?: string;
    readonly installments?: InstallmentOption;
    readonly authorizationCode?: string;
    /** The total paid and the amount due, if they differ. */
    readonly settlement?: Settlement;
    readonly pdfUrl: string;
  };

export type BarcodeModel = RequestModel & {
  readonly amount: Centavos;
  readonly barcode: string;
  readonly drawing: Drawing;
};

export type RejectionReason =
  | 'insufficient_funds'
  | 'no_balance'
  | 'rejected_by_issuer'
  | 'rejected_by_bank'
  | 'stop_debit'
  | 'unavailable'
  | 'never'
  | 'other_instrument'
  | 'same_later'
  | 'same_now'
  | 'call_issuer'
  | 'expired'
  | 'canceled'
  | 'not_captured'
  | 'other';

export type RejectedModel = RequestModel &
  WithBack & {
    readonly reason: RejectionReason;
    /** Path of the pay page. Default: the page's own. */
    readonly payPath?: string;
  };

/** Without `until`, no further attempt is allowed. */
export type PausedModel = RequestModel & { readonly until?: Temporal.Instant };

export type ActionModel = RequestModel & {
  readonly amount: Centavos;
  readonly action:
    | { readonly kind: 'redirect'; readonly url: string }
    | { readonly kind: 'frame'; readonly url: string; readonly origin: string }
    | { readonly kind: 'show_qr'; readonly text: string; readonly drawing: Drawing | null };
  /** The address that checks whether the step is done. */
  readonly doneUrl: string;
  /** Address for choosing another way to pay, if the channel can cancel. */
  readonly cancelUrl?: string;
};

export type PendingModel = RequestModel &
  WithBack & {
    readonly amount: Centavos;
    /** True for a DEBIN, which the payer must accept at their bank. */
    readonly isDebin?: boolean;
  };

export type PaidModel = RequestModel &
  WithBack & {
    readonly settlement: Settlement;
    /** When the last payment was made. */
    readonly paidAt?: Temporal.Instant;
    readonly receiptUrl?: string;
  };

export type ExpiredModel = RequestModel & WithBack & { readonly lastDay: Temporal.PlainDate };

/** `requestId` is the `Request-Id` of the response, to quote in support requests. */
export type ErrorModel = PageModel & {
  /** `unreadable`: the browser's data were malformed, so nothing was tried. */
  readonly kind: 'busy' | 'failed' | 'too_many' | 'unavailable' | 'unreadable';
  readonly requestId?: string;
};
