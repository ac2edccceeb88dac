import { daysToSecond } from './barcode-dues.ts';
import {
  type BarcodeFormat,
  type BarcodeLayout,
  type CashCoupon,
  collectorDigits,
  digitsOf,
  largest,
  yearDigits,
} from './barcode-layout.ts';
import { isoDay } from './dates.ts';
import { centavos } from './money.ts';

interface SiroWidths {
  /** Width of the concept before the client. We write zeros there. */
  concept: number;
  client: number;
  /** Width of each total. */
  total: number;
  /** Width of the unused third due date and total. */
  third: number;
}

/** Parses AAMMDD as a day of this century, or returns null. */
function dueDay(digits: string): Temporal.PlainDate | null {
  const [year, month, day] = [0, 2, 4].map((index) => Number(digits.slice(index, index + 2)));
  const last = new Temporal.PlainDate(2000 + (year ?? 0), 1, 1);
  if (!month || month > 12 || !day || day > last.with({ month }).daysInMonth) return null;
  return last.with({ month, day });
}

const dueDigits = (day: Temporal.PlainDate): string =>
  yearDigits(day) + isoDay(day).slice(5).replace('-', '');

function firstDigits({ firstDue, firstTotal }: CashCoupon, width: number): string {
  if (firstDue === null && firstTotal === null) return '0'.repeat(6 + width);
  if (firstDue === null || firstTotal === null || firstTotal === 0) {
    throw new RangeError('The first due date and a first total above zero come together.');
  }
  return dueDigits(firstDue) + digitsOf(firstTotal, width, 'first total');
}

function secondDigits(coupon: CashCoupon, width: number): string {
  const days = daysToSecond(coupon);
  if (days === null || coupon.secondTotal === null) return '0'.repeat(2 + width);
  return digitsOf(days, 2, 'days') + digitsOf(coupon.secondTotal, width, 'second total');
}

/**
 * Builds a layout of SIRO coupons: format 4, concept, client, first due AAMMDD 6, first total, days
 * to the second due date 2, second total, space for a third due date, agreement 10. Unused digits
 * are zeros.
 */
function layout(
  format: BarcodeFormat,
  { concept, client, total, third }: SiroWidths,
): BarcodeLayout {
  const clientAt = 4 + concept;
  const firstAt = clientAt + client;
  const secondAt = firstAt + 6 + total;
  const conventionAt = secondAt + 2 + total + third;
  return {
    length: conventionAt + 12,
    telling: conventionAt,
    client: { from: clientAt, to: firstAt },
    bounds: {
      client: largest(client),
      firstTotal: centavos(largest(total)),
      secondTotal: () => centavos(largest(total)),
    },
    write: (coupon) =>
      [
        format,
        '0'.repeat(concept),
        digitsOf(coupon.client, client, 'client'),
        firstDigits(coupon, total),
        secondDigits(coupon, total),
        '0'.repeat(third),
        collectorDigits(coupon.collector, 10),
      ].join(''),
    read(digits) {
      const numberAt = (from: number, to: number) => Number(digits.slice(from, to));
      const firstDue = dueDay(digits.slice(firstAt, firstAt + 6));
      const days = numberAt(secondAt, secondAt + 2);
      return {
        format,
        client: numberAt(clientAt, firstAt),
        firstDue,
        firstTotal: firstDue && centavos(numberAt(firstAt + 6, secondAt)),
        secondDue: firstDue && days > 0 ? firstDue.add({ days }) : null,
        secondTotal: days > 0 ? centavos(numberAt(secondAt + 2, secondAt + 2 + total)) : null,
        collector: digits.slice(conventionAt, conventionAt + 10),
      };
    },
  };
}

export const siroLayouts: ReadonlyMap<string, BarcodeLayout> = new Map([
  ['0444', layout('0444', { concept: 0, client: 9, total: 7, third: 9 })],
  ['0447', layout('0447', { concept: 1, client: 8, total: 7, third: 9 })],
  ['0448', layout('0448', { concept: 0, client: 15, total: 10, third: 0 })],
  ['0449', layout('0449', { concept: 0, client: 9, total: 8, third: 10 })],
]);
