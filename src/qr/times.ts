import { Type } from 'typebox';
import { dayOf, formatDay, isoDateTime } from '../kernel/dates.ts';
import { dateTime } from '../platform/http/shapes.ts';

/**
 * The QR service tells when something happened by its day, dd-mm-yyyy, as clients of it read dates;
 * the moment stands beside it, in a member whose name ends in `_time`.
 */
export const shownDay = (at: Temporal.Instant): string => formatDay(dayOf(at));

/** The shape of a day. */
export const dayText = Type.String({ description: 'dd-mm-yyyy' });

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

export const createdShape = { created_at: dayText, created_at_time: dateTime };

export const paidShape = {
  paid_at: Type.Optional(dayText),
  paid_at_time: Type.Optional(dateTime),
  refunded_at: Type.Optional(dayText),
  refunded_at_time: Type.Optional(dateTime),
};
