import type { Day } from './days.ts';

/** A channel's fee and settlement terms, as documented, in centavos and business days. */
export interface Terms {
  ppm: number;
  fixed: number;
  minimum: number;
  days: number;
}

const terms = (ppm: number, days: number): Terms => ({ ppm, fixed: 0, minimum: 0, days });

export const standard = {
  credit_card: terms(50_000, 10),
  debit_card: terms(25_000, 2),
  banelco_pmc: terms(15_000, 1),
  link_pagos: terms(15_000, 1),
  DEBIN: terms(8_000, 0),
  wire_transfer: terms(8_000, 0),
  non_banking: terms(25_000, 4),
  qr: terms(8_000, 0),
  direct_debit: terms(12_000, 2),
  card_debit: terms(30_000, 9),
} as const;

export type Channel = keyof typeof standard;
export const allChannels = Object.keys(standard) as Channel[];

/** Clearing accounts in the chart of docs/explanation/money.md. */
export const clearing: Record<Channel, number> = {
  credit_card: 101,
  debit_card: 102,
  banelco_pmc: 103,
  link_pagos: 104,
  DEBIN: 105,
  wire_transfer: 106,
  non_banking: 107,
  qr: 108,
  direct_debit: 109,
  card_debit: 110,
};

/** Returns a × b ÷ c, rounded half up. */
export const rounded = (a: number, b: number, c: number): number =>
  Number((2n * BigInt(a) * BigInt(b) + BigInt(c)) / (2n * BigInt(c)));

export function feeOf(
  amount: number,
  { ppm, fixed, minimum }: Terms,
): { net: number; vat: number } {
  const net = Math.max(rounded(amount, ppm, 1_000_000) + fixed, minimum);
  return { net, vat: rounded(net, 21, 100) };
}

/** A row of a register of withholdings. */
export interface Rate {
  regime: string;
  place: string;
  from: Day;
  to: Day | null;
  ppm: number;
}

/** A withholding, or its refunded part (negative). */
export interface Line {
  name: string;
  base: number;
  ppm: number;
  amount: number;
}

/**
 * Returns an amount's withholdings on a day, without those of zero. Among rows of one regime and
 * place, the latest start wins.
 */
export function linesOn(amount: number, rates: readonly Rate[], day: Day): Line[] {
  const inForce = new Map<string, Rate>();
  for (const rate of rates.toSorted((a, b) => a.from.localeCompare(b.from))) {
    const covers = rate.from <= day && (rate.to === null || day <= rate.to);
    if (covers) inForce.set(`${rate.regime} ${rate.place}`, rate);
  }
  return [...inForce]
    .map(([name, { ppm }]) => ({
      name,
      base: amount,
      ppm,
      amount: rounded(amount, ppm, 1_000_000),
    }))
    .filter((line) => line.amount > 0);
}

/**
 * Returns the refunded part of a figure when the refunded amount grows from `before` to `after`.
 */
export const cameBack = (figure: number, before: number, after: number, whole: number): number =>
  rounded(figure, after, whole) - rounded(figure, before, whole);

/** An account's own terms from a day on; null restores the standard ones. */
export interface OwnTerms {
  channel: Channel;
  from: Day;
  terms: Terms | null;
}

/** Returns the latest terms of a channel on a day. */
export function termsOn(own: readonly OwnTerms[], channel: Channel, day: Day): Terms {
  const said = own
    .filter((one) => one.channel === channel && one.from <= day)
    .toSorted((a, b) => a.from.localeCompare(b.from))
    .at(-1);
  return said?.terms ?? standard[channel];
}
