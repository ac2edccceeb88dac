import { maxDaysBetweenDues } from '../kernel/barcode.ts';
import { compareDays, daysBetween } from '../kernel/dates.ts';
import type { Centavos } from '../kernel/money.ts';
import type { LocalizedText } from '../language/localized-text.ts';
import { fault } from './codes.ts';

/** Valid fields. Null or undefined for an absent or invalid one. */
interface Dues {
  firstDue: Temporal.PlainDate | null;
  firstTotal: Centavos | null;
  /** Undefined if invalid, null if absent. */
  secondDue: Temporal.PlainDate | null | undefined;
  secondTotal: Centavos | null | undefined;
}

/** Barcodes have two-digit years of this century. */
const latestDue = Temporal.PlainDate.from('2099-12-31');

const tooFar = (due: Temporal.PlainDate): LocalizedText | undefined =>
  compareDays(due, latestDue) > 0 ? fault('request.due_too_far', { latest: latestDue }) : undefined;

const secondDueFault = ({ firstDue, secondDue, secondTotal }: Dues): LocalizedText | undefined => {
  if (secondDue === null && secondTotal !== null) {
    return fault('request.second_due_missing', {});
  }
  if (!firstDue || !secondDue) return undefined;
  const days = daysBetween(firstDue, secondDue);
  if (days <= 0) return fault('request.second_due_not_later', { first: firstDue });
  if (days > maxDaysBetweenDues) {
    const bound = firstDue.add({ days: maxDaysBetweenDues });
    const latest = compareDays(bound, latestDue) < 0 ? bound : latestDue;
    return fault('request.second_due_too_late', { days: maxDaysBetweenDues, latest });
  }
  return tooFar(secondDue);
};

const secondTotalFault = ({
  firstTotal,
  secondDue,
  secondTotal,
}: Dues): LocalizedText | undefined => {
  if (secondTotal === null && secondDue !== null) {
    return fault('request.second_total_missing', {});
  }
  if (!firstTotal || !secondTotal || secondTotal >= firstTotal) return undefined;
  return fault('request.second_total_lower', { first: firstTotal });
};

const firstDueFault = (
  firstDue: Temporal.PlainDate | null,
  today: Temporal.PlainDate,
): LocalizedText | undefined => {
  if (!firstDue) return undefined;
  return compareDays(firstDue, today) < 0
    ? fault('request.first_due_past', { today })
    : tooFar(firstDue);
};

/** Checks a request's due days and totals against each other. Returns faults by field. */
export const checkDues = (dues: Dues, today: Temporal.PlainDate) => ({
  first_due_date: firstDueFault(dues.firstDue, today),
  second_due_date: secondDueFault(dues),
  second_total: secondTotalFault(dues),
});
