export {
  type Calendar,
  type CalendarDay,
  closedDaysOf,
  createCalendar,
} from './business-days.ts';
export {
  type CalendarChange,
  calendarWith,
  laterOf,
  liesWithin,
  reachDays,
  type Shift,
} from './change.ts';

export {
  addCalendarDay,
  type CalendarBounds,
  calendarBounds,
  changeDay,
  checkCalendarDays,
  listCalendarDays,
  loadCalendar,
  removeCalendarDay,
} from './store.ts';
