/**
 * Why banks are closed: decreed holiday, tourist bridge, optional day off that banks take, or banks
 * only.
 */
export type ClosedKind = 'holiday' | 'bridge' | 'no-laborable' | 'bank';

/** Closed days of a year by kind, each `mm-dd`. */
export type ClosedDays = Readonly<Record<ClosedKind, readonly string[]>>;

/**
 * Decreed days, as published until November 2026. Since Decree 614/2025 a movable holiday on a
 * weekend is moved case by case, so years are listed and not computed. Sources: law 27.399;
 * 2024: Decree 106/2023; 2025: Decree 1027/2024 and Resolution 139/2025 (10 October);
 * 2026: Resolution 164/2025; 2027: the law, bridges not yet decreed. Bank days: 6 November (bank
 * workers' day, collective agreement) and the leave of 24 and 31 December 2025.
 */
export const publishedYears: Readonly<Partial<Record<number, ClosedDays>>> = {
  2024: {
    holiday: [
      ...['01-01', '02-12', '02-13', '03-24', '03-29', '04-02', '05-01', '05-25', '06-17'],
      ...['06-20', '07-09', '08-17', '10-12', '11-18', '12-08', '12-25'],
    ],
    bridge: ['04-01', '06-21', '10-11'],
    'no-laborable': ['03-28'],
    bank: ['11-06'],
  },
  2025: {
    holiday: [
      ...['01-01', '03-03', '03-04', '03-24', '04-02', '04-18', '05-01', '05-25', '06-16'],
      ...['06-20', '07-09', '08-17', '10-10', '11-24', '12-08', '12-25'],
    ],
    bridge: [],
    'no-laborable': ['04-17', '05-02', '08-15', '11-21'],
    bank: ['11-06', '12-24', '12-31'],
  },
  2026: {
    holiday: [
      ...['01-01', '02-16', '02-17', '03-24', '04-02', '04-03', '05-01', '05-25', '06-15'],
      ...['06-20', '07-09', '08-17', '10-12', '11-23', '12-08', '12-25'],
    ],
    bridge: [],
    'no-laborable': ['03-23', '07-10', '12-07'],
    bank: ['11-06'],
  },
  2027: {
    holiday: [
      ...['01-01', '02-08', '02-09', '03-24', '03-26', '04-02', '05-01', '05-25', '06-20'],
      ...['06-21', '07-09', '08-16', '10-11', '11-20', '12-08', '12-25'],
    ],
    bridge: [],
    'no-laborable': ['03-25'],
    bank: ['11-06'],
  },
};

/**
 * Days that had another kind in an earlier release. Promises made under that release stay, so list
 * each day that a correction changes, and each day of a newly published year that differs from the
 * days by law.
 */
export const revisedDays: readonly Temporal.PlainDate[] = [];
