import { listing } from '../platform/listings.ts';
import { listCalendarDays } from './store.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const calendarList = listing({
  name: 'calendar.list',
  act: 'health.see',
  whole: true,
  texts: { en, es },
  read: listCalendarDays,
  columns: {
    day: { kind: 'day', of: (row) => row.day },
    kind: { kind: 'text', of: (row) => row.kind },
  },
});
