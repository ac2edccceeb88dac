import { daysToSecond } from './barcode-dues.ts';
import {
  type BarcodeLayout,
  type CashCoupon,
  collectorDigits,
  digitsOf,
  largest,
  yearDigits,
} from './barcode-layout.ts';
import { centavos } from './money.ts';

/** Formats a day as AADDD: year and day of the year. */
const dueDigits = (day: Temporal.PlainDate): string =>
  yearDigits(day) + String(day.dayOfYear).padStart(3, '0');

/** Parses AADDD as a day of this century, or returns null. */
function dueDay(digits: string): Temporal.PlainDate | null {
  const newYear = new Temporal.PlainDate(2000 + Number(digits.slice(0, 2)), 1, 1);
  const day = Number(digits.slice(2));
  return day >= 1 && day <= newYear.daysInYear ? newYear.add({ days: day - 1 }) : null;
}

function secondDigits(coupon: CashCoupon): string {
  const { firstTotal, secondTotal } = coupon;
  const days = daysToSecond(coupon);
  if (days === null || firstTotal === null || secondTotal === null) return '0'.repeat(8);
  return digitsOf(secondTotal - firstTotal, 6, 'surcharge') + digitsOf(days, 2, 'days');
}

/**
 * Pago Fácil's own layout: company 4, first total 6+2, first due AADDD 5, customer 14, currency 0,
 * surcharge of the second due date 4+2, days until then 2. It has no open amount.
 */
export const pagoFacilLayout: BarcodeLayout = {
  length: 42,
  telling: 42,
  client: { from: 17, to: 31 },
  bounds: {
    client: largest(14),
    firstTotal: centavos(largest(8)),
    secondTotal: (first) => centavos(first + largest(6)),
  },
  write(coupon) {
    const { firstDue, firstTotal, client, collector } = coupon;
    if (firstDue === null || firstTotal === null || firstTotal === 0) {
      throw new RangeError('A barcode of Pago Fácil has a first due date and total.');
    }
    return [
      collectorDigits(collector, 4),
      digitsOf(firstTotal, 8, 'first total'),
      dueDigits(firstDue),
      digitsOf(client, 14, 'client'),
      '0',
      secondDigits(coupon),
    ].join('');
  },
  read(digits) {
    const firstTotal = Number(digits.slice(4, 12));
    const firstDue = dueDay(digits.slice(12, 17));
    const days = Number(digits.slice(38, 40));
    return {
      format: 'pago-facil',
      client: Number(digits.slice(17, 31)),
      firstDue,
      firstTotal: centavos(firstTotal),
      secondDue: firstDue && days > 0 ? firstDue.add({ days }) : null,
      secondTotal: days > 0 ? centavos(firstTotal + Number(digits.slice(32, 38))) : null,
      collector: digits.slice(0, 4),
    };
  },
};
