import { dayOf, formatDay, isoDateTime } from '../kernel/dates.ts';

/**
 * The QR service gives times as days, dd-mm-yyyy, as its clients read them; the instant is in a
 * member whose name ends in `_time`.
 */
export const shownDay = (at: Temporal.Instant): string => formatDay(dayOf(at));

export const paidTimes = ({
  paid_at,
  refunded_at,
}: {
  paid_at: Temporal.Instant | null;
  refunded_at: Temporal.Instant | null;
}) => ({
  ...(paid_at !== null && { paid_at: shownDay(paid_at), paid_at_time: isoDateTime(paid_at) }),
  ...(refunded_at !== null && {
    refunded_at: shownDay(refunded_at),
    refunded_at_time: isoDateTime(refunded_at),
  }),
});
