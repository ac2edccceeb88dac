/**
 * Represents days as strings such as 2026-11-21, which sort by date. Uses no code of the service.
 */
export type Day = string;

const dayMs = 86_400_000;
/** Argentina is three hours behind UTC. */
const offsetMs = 3 * 3_600_000;

export const addDays = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
export const daysFrom = (from: Day, to: Day): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);
export const dayAt = (ms: number): Day => new Date(ms - offsetMs).toISOString().slice(0, 10);
export const midnight = (day: Day): number => Date.parse(`${day}T00:00:00Z`) + offsetMs;
export const hourOn = (day: Day, hour: number): number => midnight(day) + hour * 3_600_000;
/** Formats a day as dd-mm-yyyy, as calls expect it. */
export const asSent = (day: Day): string => day.split('-').toReversed().join('-');
/** Formats a day as YYYYMMDD, as files have it. */
export const compact = (day: Day): string => day.replaceAll('-', '');
export const laterOf = (a: Day, b: Day): Day => (a > b ? a : b);

/** Bank holidays from November 2026 to the end of 2027, from the decrees, without weekends. */
const closed = new Set([
  ...['2026-11-06', '2026-11-23', '2026-12-07', '2026-12-08', '2026-12-25'],
  ...['2027-01-01', '2027-02-08', '2027-02-09', '2027-03-24', '2027-03-25', '2027-03-26'],
  ...['2027-04-02', '2027-05-25', '2027-06-21', '2027-07-09', '2027-08-16', '2027-10-11'],
  ...['2027-12-08'],
]);

/** The bank calendar, with the days that an operator declared. */
export class BankDays {
  /** True if declared closed, false if declared open. */
  readonly declared = new Map<Day, boolean>();

  isOpen(day: Day): boolean {
    const declared = this.declared.get(day);
    if (declared !== undefined) return !declared;
    const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
    return weekday !== 0 && weekday !== 6 && !closed.has(day);
  }

  /** Returns the nth open day after a day; with 0 the first one on or after it. */
  after(day: Day, n: number): Day {
    let found = day;
    let left = n;
    while (left > 0 || !this.isOpen(found)) {
      found = addDays(found, 1);
      if (left > 0 && this.isOpen(found)) left -= 1;
    }
    return found;
  }

  before(day: Day, n: number): Day {
    let found = day;
    for (let left = n; left > 0; ) {
      found = addDays(found, -1);
      if (this.isOpen(found)) left -= 1;
    }
    return found;
  }
}
