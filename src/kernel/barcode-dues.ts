import type { CashCoupon } from './barcode-layout.ts';
import { daysBetween } from './dates.ts';

/** A barcode stores the days from the first due date to the second in two digits. */
export const maxDaysBetweenDues = 99;

/**
 * Returns the days from the first due date to the second, or null without a second. Throws
 * RangeError for an incomplete pair, a distance out of range, or a second total below the first.
 */
export function daysToSecond(coupon: CashCoupon): number | null {
  const { firstDue, firstTotal, secondDue, secondTotal } = coupon;
  if (secondDue === null && secondTotal === null) return null;
  if (firstDue === null || firstTotal === null || secondDue === null || secondTotal === null) {
    throw new RangeError('The second due date and total come together, after the first ones.');
  }
  const days = daysBetween(firstDue, secondDue);
  if (days < 1 || days > maxDaysBetweenDues) {
    throw new RangeError(`The second due date is 1 to ${maxDaysBetweenDues} days after the first.`);
  }
  if (secondTotal < firstTotal) throw new RangeError('The second total is below the first.');
  return days;
}
