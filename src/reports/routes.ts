import { Type } from 'typebox';
import type { Account } from '../accounts/index.ts';
import { type Centavos, toJsonNumber } from '../kernel/money.ts';
import { holderBalances } from '../ledger/index.ts';
import { notFound } from '../platform/errors.ts';
import type { Endpoints } from '../platform/http/endpoint.ts';
import type { Sql } from '../platform/postgres/connect.ts';

const tag = 'Account';

const balances = {
  user_account_id: Type.String(),
  available_balance: Type.Number(),
  unavailable_balance: Type.Number(),
};

const pesos = (amount: number): number => toJsonNumber(amount as Centavos);

/** GET /account/balances (interface 2.10) and GET /account. */
export function accountRoutes(
  endpoints: Endpoints,
  { sql, readAccount }: { sql: Sql; readAccount(id: string): Promise<Account | null> },
): void {
  const balancesOf = async (accountId: string) => {
    const { available, unavailable } = await holderBalances(sql, accountId);
    return {
      user_account_id: accountId,
      available_balance: pesos(available),
      unavailable_balance: pesos(unavailable),
    };
  };

  endpoints.add(
    {
      method: 'GET',
      path: '/account/balances',
      permission: 'read',
      tag,
      summary: 'Balances of the account',
      answer: { status: 200, schema: Type.Object(balances) },
    },
    async ({ ctx }) => ({ status: 200, body: await balancesOf(ctx.accountId) }),
  );

  endpoints.add(
    {
      method: 'GET',
      path: '/account',
      permission: 'read',
      tag,
      summary: 'The account of the key, with its balances',
      answer: {
        status: 200,
        schema: Type.Object({
          id: Type.String(),
          name: Type.String(),
          cuit: Type.String(),
          ...balances,
        }),
      },
    },
    async ({ ctx }) => {
      const account = await readAccount(ctx.accountId);
      if (!account) throw notFound('account');
      const { id, name, cuit } = account;
      return { status: 200, body: { id, name, cuit, ...(await balancesOf(id)) } };
    },
  );
}
