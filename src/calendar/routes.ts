import { Type } from 'typebox';
import { isoMidnight } from '../kernel/dates.ts';
import type { Endpoints } from '../platform/http/endpoint.ts';
import { day, integer } from '../platform/http/fields.ts';
import { form, required } from '../platform/http/form.ts';
import type { Calendar } from './business-days.ts';
import { refusal } from './codes.ts';

const tag = 'Helpers';

const nextBusinessDayForm = form({
  date: required(day({ iso: true })),
  days: required(integer({ min: 0, max: 366, digits: true })),
});

/** Serves the next business day (interface 2.8). */
export function calendarRoutes(
  endpoints: Endpoints,
  { loadCalendar }: { loadCalendar(): Promise<Calendar> },
): void {
  endpoints.add(
    {
      id: 'getNextBusinessDay',
      method: 'POST',
      path: '/validator/next-business-day',
      permission: 'helpers:read',
      tag,
      summary: 'The next business day of Argentine banks',
      description:
        'Counts business days strictly after the date; 0 gives the first on or after it.',
      body: { wrapper: 'next_business_day', form: nextBusinessDayForm, context: () => undefined },
      answer: { status: 200, schema: Type.String() },
    },
    async ({ body }) => {
      const calendar = await loadCalendar();
      const found = calendar.nextBusinessDay(body.date, body.days);
      if (found.year > 9999) throw refusal('calendar.after_last_year', {});
      return { status: 200, body: JSON.stringify(isoMidnight(found)) };
    },
  );
}
