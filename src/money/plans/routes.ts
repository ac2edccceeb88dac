import { Type } from 'typebox';
import type { Centavos } from '../../kernel/money.ts';
import type { Endpoints } from '../../platform/http/endpoint.ts';
import { amount } from '../../platform/http/fields.ts';
import { form, required } from '../../platform/http/form.ts';
import { type BrandPlans, presentPlans } from './plans.ts';

const tag = 'Helpers';

const plansAnswer = Type.Array(
  Type.Object({
    name: Type.String(),
    code: Type.String({ description: 'Code for excluded_card_brands' }),
    installments: Type.Array(
      Type.Object({
        installments: Type.Integer(),
        description: Type.String(),
        total_amount: Type.Number(),
      }),
    ),
  }),
);

export function planRoutes(
  endpoints: Endpoints,
  { plansFor }: { plansFor(accountId: string, amount: Centavos): Promise<BrandPlans[]> },
): void {
  endpoints.add(
    {
      id: 'getChannelInstallments',
      method: 'GET',
      path: '/helper/channel-installments/:amount',
      permission: 'helpers:read',
      tag,
      summary: 'Card plans and installments for an amount',
      params: form({ amount: required(amount()) }),
      answer: { status: 200, schema: plansAnswer },
    },
    async ({ ctx, params }) => ({
      status: 200,
      body: presentPlans(await plansFor(ctx.accountId, params.amount)),
    }),
  );
}
