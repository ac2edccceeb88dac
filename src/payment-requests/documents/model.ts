import type { Centavos } from '../../kernel/money.ts';

export type CouponItem = {
  readonly quantity?: number;
  readonly description: string;
  readonly amount: Centavos;
};

/** An amount, and the last day in Argentina on which it settles the request. */
export type CouponDue = { readonly day: Temporal.PlainDate; readonly total: Centavos };

/** A channel on the coupon, in printing order. */
export type CouponChannel = {
  readonly code: string;
  readonly label: string;
  readonly instruction: string;
  /** Text to type or copy: a payment code, CVU or alias. */
  readonly value?: string;
};

/** Everything on a coupon. */
export type CouponModel = {
  readonly issuer: {
    readonly name: string;
    readonly cuit: string;
    /** Legal name, address and contact. */
    readonly about?: readonly string[];
    readonly accent?: string;
    /** Logo next to the issuer's name, by hash. */
    readonly logo?: { readonly hash: string; readonly width: number; readonly height: number };
  };
  readonly id: number;
  readonly reference?: string;
  readonly payerName: string;
  readonly description: string;
  readonly items: readonly CouponItem[];
  readonly dues: readonly [CouponDue] | readonly [CouponDue, CouponDue];
  /** Digits of the payment code. Printed only if cash is allowed. */
  readonly barcode: string;
  readonly checkoutUrl: string;
  /** Text of a payment QR for wallets. Null if the printed QR contains the checkout's address. */
  readonly paymentQr: string | null;
  readonly channels: readonly CouponChannel[];
  readonly cashAllowed: boolean;
  readonly issuedOn: Temporal.PlainDate;
};
