import { maxDaysBetweenDues } from '../kernel/barcode.ts';
import { compareDays, daysBetween, formatDay } from '../kernel/dates.ts';
import { type Centavos, toJsonNumber } from '../kernel/money.ts';

/** Valid fields; null or undefined where a field was not sent or is not valid by itself. */
interface Dues {
  firstDue: Temporal.PlainDate | null;
  firstTotal: Centavos | null;
  /** undefined: sent, but not valid; null: not sent. */
  secondDue: Temporal.PlainDate | null | undefined;
  secondTotal: Centavos | null | undefined;
}

/** Barcodes write the year with two digits, of this century. */
const latestDue = Temporal.PlainDate.from('2099-12-31');

const secondDueFault = ({ firstDue, secondDue, secondTotal }: Dues): string | undefined => {
  if (secondDue === null && secondTotal !== null) {
    return 'This field is required when second_total is sent: the two come together.';
  }
  if (!firstDue || !secondDue) return undefined;
  const days = daysBetween(firstDue, secondDue);
  if (days <= 0) return `The second due date must be later than the first, ${formatDay(firstDue)}.`;
  if (days > maxDaysBetweenDues) {
    const latest = formatDay(firstDue.add({ days: maxDaysBetweenDues }));
    return `The second due date must be at most ${maxDaysBetweenDues} days after the first: the latest is ${latest}.`;
  }
  if (compareDays(secondDue, latestDue) > 0) {
    return `The second due date must be ${formatDay(latestDue)} or earlier.`;
  }
  return undefined;
};

const secondTotalFault = ({ firstTotal, secondDue, secondTotal }: Dues): string | undefined => {
  if (secondTotal === null && secondDue !== null) {
    return 'This field is required when second_due_date is sent: the two come together.';
  }
  if (!firstTotal || !secondTotal || secondTotal >= firstTotal) return undefined;
  return `The second total must not be lower than the first, ${toJsonNumber(firstTotal)}.`;
};

const firstDueFault = (
  firstDue: Temporal.PlainDate | null,
  today: Temporal.PlainDate,
): string | undefined => {
  if (!firstDue) return undefined;
  if (compareDays(firstDue, today) < 0) {
    return `The first due date must be today, ${formatDay(today)}, or later.`;
  }
  return compareDays(firstDue, latestDue) > 0
    ? `The first due date must be ${formatDay(latestDue)} or earlier.`
    : undefined;
};

/** The rules between the due days and totals of what an account asks to be paid, by field. */
export const checkDues = (dues: Dues, today: Temporal.PlainDate) => ({
  first_due_date: firstDueFault(dues.firstDue, today),
  second_due_date: secondDueFault(dues),
  second_total: secondTotalFault(dues),
});
