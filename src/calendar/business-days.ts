import { compareDays } from '../kernel/dates.ts';
import { type ClosedKind, publishedYears } from './days.ts';
import { closedByLaw } from './rules.ts';

/** A day and its kind: `open` is a business day, any other kind a bank holiday. */
export interface CalendarDay {
  readonly day: Temporal.PlainDate;
  readonly kind: string;
}

export interface Calendar {
  /** Returns true if banks settle on the day. */
  isBusinessDay(day: Temporal.PlainDate): boolean;
  /**
   * Returns the nth business day strictly after `day`. With n = 0, returns the first one on or
   * after it. Throws RangeError unless n is a whole number from 0.
   */
  nextBusinessDay(day: Temporal.PlainDate, n: number): Temporal.PlainDate;
  /**
   * Returns the nth business day strictly before `day`. Throws RangeError unless n is a whole
   * number from 1.
   */
  businessDayBefore(day: Temporal.PlainDate, n: number): Temporal.PlainDate;
}

const kinds: readonly ClosedKind[] = ['holiday', 'bridge', 'no-laborable', 'bank'];

/** Returns a year's bank holidays in order. Some fall on weekends. */
export function closedDaysOf(year: number): CalendarDay[] {
  const closed = publishedYears[year] ?? closedByLaw(year);
  const days = kinds.flatMap((kind) =>
    closed[kind].map((monthDay) => {
      const [month, day] = monthDay.split('-').map(Number);
      return { kind, day: Temporal.PlainDate.from({ year, month: month ?? 0, day: day ?? 0 }) };
    }),
  );
  return days.sort((a, b) => compareDays(a.day, b.day));
}

/** Maximum results to cache per calendar. Files and runs ask for few distinct days. */
const mostReached = 4_096;

/**
 * Creates the bank calendar from each year's published holidays, or the statutory ones if none are
 * published. Operators' days override both.
 */
export function createCalendar(extra: readonly CalendarDay[]): Calendar {
  const added = new Map(extra.map(({ day, kind }) => [day.toString(), kind]));
  const years = new Map<number, ReadonlySet<string>>();

  const closedIn = (year: number): ReadonlySet<string> => {
    const known = years.get(year);
    if (known !== undefined) return known;
    const closed = new Set(closedDaysOf(year).map(({ day }) => day.toString()));
    years.set(year, closed);
    return closed;
  };
  const isBusinessDay = (day: Temporal.PlainDate): boolean => {
    const key = day.toString();
    const kind = added.get(key);
    if (kind !== undefined) return kind === 'open';
    return day.dayOfWeek < 6 && !closedIn(day.year).has(key);
  };
  const firstFrom = (day: Temporal.PlainDate): Temporal.PlainDate => {
    let candidate = day;
    while (!isBusinessDay(candidate)) candidate = candidate.add({ days: 1 });
    return candidate;
  };
  const count = (day: Temporal.PlainDate, n: number): Temporal.PlainDate => {
    if (n === 0) return firstFrom(day);
    let reached = day;
    for (let left = n; left > 0; left -= 1) reached = firstFrom(reached.add({ days: 1 }));
    return reached;
  };
  const businessDayBefore = (day: Temporal.PlainDate, n: number): Temporal.PlainDate => {
    if (!Number.isSafeInteger(n) || n < 1) throw new RangeError(`Not a count of days: ${n}`);
    let reached = day;
    for (let left = n; left > 0; ) {
      reached = reached.subtract({ days: 1 });
      if (isBusinessDay(reached)) left -= 1;
    }
    return reached;
  };
  const reachedBefore = new Map<string, Temporal.PlainDate>();
  const nextBusinessDay = (day: Temporal.PlainDate, n: number): Temporal.PlainDate => {
    if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`Not a count of days: ${n}`);
    const key = `${n} ${day}`;
    const known = reachedBefore.get(key);
    if (known !== undefined) return known;
    const reached = count(day, n);
    if (reachedBefore.size === mostReached) reachedBefore.clear();
    reachedBefore.set(key, reached);
    return reached;
  };
  return { isBusinessDay, nextBusinessDay, businessDayBefore };
}
