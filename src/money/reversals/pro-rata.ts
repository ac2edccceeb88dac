import { type Centavos, centavos, minus } from '../../kernel/money.ts';

/** Returns part/whole of an amount, rounded half-up to the centavo. Exact at any size. */
export const proportion = (amount: Centavos, part: number, whole: number): Centavos =>
  centavos(Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole))));

export interface Span {
  before: number;
  after: number;
  whole: number;
}

/**
 * Returns the share of an amount that comes back as the reversed part grows from `before` to
 * `after`. It is a difference of rounded shares, so the shares of all parts of the whole add up to
 * exactly the amount.
 */
export const returnedBetween = (amount: Centavos, { before, after, whole }: Span): Centavos =>
  minus(proportion(amount, after, whole), proportion(amount, before, whole));
