import type { Centavos } from '../../kernel/money.ts';

/** One line of the charge. */
export type CouponItem = {
  readonly quantity?: number;
  readonly description: string;
  readonly amount: Centavos;
};

/** An amount and the last day (Argentine) on which it settles the request. */
export type CouponDue = { readonly day: Temporal.PlainDate; readonly total: Centavos };

/** A way to pay that the coupon offers, in the order in which it is printed. */
export type CouponChannel = {
  readonly code: string;
  readonly label: string;
  readonly instruction: string;
  /** A text to type or copy: a payment code, a CVU, an alias. */
  readonly value?: string;
};

/** All that a coupon shows. */
export type CouponModel = {
  readonly issuer: {
    readonly name: string;
    readonly cuit: string;
    /** Legal name, address and contact. */
    readonly about?: readonly string[];
    /** The colour of its lines. */
    readonly accent?: string;
    /** Identifies the logo next to the issuer's name. */
    readonly logo?: { readonly hash: string; readonly width: number; readonly height: number };
  };
  readonly id: number;
  readonly reference?: string;
  readonly payerName: string;
  readonly description: string;
  readonly items: readonly CouponItem[];
  readonly dues: readonly [CouponDue] | readonly [CouponDue, CouponDue];
  /** The digits of the payment code; printed only when cash is allowed. */
  readonly barcode: string;
  readonly checkoutUrl: string;
  /** The text of a payment QR for wallets; null: the QR has the checkout's address. */
  readonly paymentQr: string | null;
  readonly channels: readonly CouponChannel[];
  readonly cashAllowed: boolean;
  readonly issuedOn: Temporal.PlainDate;
};
