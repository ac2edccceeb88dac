import { Type } from 'typebox';
import type { Calendar } from '../calendar/index.ts';
import { isoMidnight } from '../kernel/dates.ts';
import type { Centavos } from '../kernel/money.ts';
import { Refusal } from '../platform/errors.ts';
import type { Endpoints } from '../platform/http/endpoint.ts';
import { amount, day, integer } from '../platform/http/fields.ts';
import { form, required } from '../platform/http/form.ts';
import { type BrandPlans, presentPlans } from './plans.ts';

const tag = 'Helpers';

const plansAnswer = Type.Array(
  Type.Object({
    name: Type.String(),
    code: Type.String({ description: 'Usable in excluded_card_brands' }),
    installments: Type.Array(
      Type.Object({
        installments: Type.Integer(),
        description: Type.String(),
        total_amount: Type.Number(),
      }),
    ),
  }),
);

const nextBusinessDayForm = form({
  date: required(day({ iso: true })),
  days: required(integer({ min: 0, max: 366, digits: true })),
});

/** Plans and installments, next business day (interface 2.3, 2.8). */
export function helperRoutes(
  endpoints: Endpoints,
  {
    plansFor,
    loadCalendar,
  }: { plansFor(amount: Centavos): Promise<BrandPlans[]>; loadCalendar(): Promise<Calendar> },
): void {
  endpoints.add(
    {
      method: 'GET',
      path: '/helper/channel-installments/:amount',
      permission: 'read',
      tag,
      summary: 'Card plans and installments for an amount',
      params: form({ amount: required(amount()) }),
      answer: { status: 200, schema: plansAnswer },
    },
    async ({ params }) => ({ status: 200, body: presentPlans(await plansFor(params.amount)) }),
  );

  endpoints.add(
    {
      method: 'POST',
      path: '/validator/next-business-day',
      permission: 'read',
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
      if (found.year > 9999) throw new Refusal('invalid', 'The day lies behind the year 9999.');
      return { status: 200, body: JSON.stringify(isoMidnight(found)) };
    },
  );
}
