import type { ClosedDays } from './days.ts';

/**
 * Returns Easter Sunday of a Gregorian year (anonymous algorithm, Meeus, Astronomical Algorithms
 * 8).
 */
export function easterOf(year: number): Temporal.PlainDate {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const leap = 2 * (century % 4) + 2 * Math.floor(ofCentury / 4);
  const weekday = (32 + leap - epact - (ofCentury % 4)) % 7;
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const marchDays = epact + weekday - 7 * shift + 22; // Counted from 1 March.
  return new Temporal.PlainDate(year, 3, 1).add({ days: marchDays - 1 });
}

const fixed = ['01-01', '03-24', '04-02', '05-01', '05-25', '06-20', '07-09', '12-08', '12-25'];
const movable = [
  [6, 17],
  [8, 17],
  [10, 12],
  [11, 20],
] as const;
const bankWorkersDay = '11-06';

/**
 * Returns the observed day of a movable holiday (law 27.399): Tuesday and Wednesday move to the
 * Monday before, Thursday and Friday to the Monday after.
 */
function observed(day: Temporal.PlainDate): Temporal.PlainDate {
  if (day.dayOfWeek === 2 || day.dayOfWeek === 3) return day.subtract({ days: day.dayOfWeek - 1 });
  if (day.dayOfWeek === 4 || day.dayOfWeek === 5) return day.add({ days: 8 - day.dayOfWeek });
  return day; // On a weekend it moves only by decree.
}

function monthDay(day: Temporal.PlainDate): string {
  return day.toString().slice(-5);
}

/** Returns the closed days that follow from the law alone, for years without a published list. */
export function closedByLaw(year: number): ClosedDays {
  const easter = easterOf(year);
  const holidays = [
    ...[48, 47, 2].map((days) => monthDay(easter.subtract({ days }))), // Carnival and Good Friday.
    ...movable.map(([month, day]) => monthDay(observed(new Temporal.PlainDate(year, month, day)))),
  ];
  return {
    holiday: [...new Set([...fixed, ...holidays])].sort(),
    bridge: [],
    'no-laborable': [monthDay(easter.subtract({ days: 3 }))], // Maundy Thursday.
    bank: [bankWorkersDay],
  };
}
