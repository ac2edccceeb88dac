export {
  type Calendar,
  type CalendarDay,
  closedDaysOf,
  createCalendar,
} from './business-days.ts';
export { calendarRoutes } from './routes.ts';
export { addCalendarDay, listCalendarDays, loadCalendar, removeCalendarDay } from './store.ts';
