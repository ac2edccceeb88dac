import { listing } from '../platform/listings.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const calendarList = listing({
  name: 'calendar.list',
  act: 'health.see',
  whole: true,
  texts: { en, es },
  read: async (sql: Sql) => (await import('./store.ts')).listCalendarDays(sql),
  columns: {
    day: { kind: 'day', of: (row) => row.day },
    kind: { kind: 'text', of: (row) => row.kind },
  },
});
