import { dayOf, formatDay, isoDateTime } from '../kernel/dates.ts';

/**
 * Formats an instant as its day, dd-mm-yyyy, as QR clients expect. Members that end in `_time`
 * contain the instant itself.
 */
export const dayOfInstant = (at: Temporal.Instant): string => formatDay(dayOf(at));

export const paidTimes = ({
  paid_at,
  refunded_at,
}: {
  paid_at: Temporal.Instant | null;
  refunded_at: Temporal.Instant | null;
}) => ({
  ...(paid_at !== null && { paid_at: dayOfInstant(paid_at), paid_at_time: isoDateTime(paid_at) }),
  ...(refunded_at !== null && {
    refunded_at: dayOfInstant(refunded_at),
    refunded_at_time: isoDateTime(refunded_at),
  }),
});
