import { Type } from 'typebox';
import { type Account, accountRefusal } from '../accounts/index.ts';
import { compareDays } from '../kernel/dates.ts';
import { toJsonNumber } from '../kernel/money.ts';
import { type CloseBooks, holderBalances, isClosed } from '../money/ledger/index.ts';
import type { BusinessClock } from '../platform/clocks.ts';
import type { Endpoints } from '../platform/http/endpoint.ts';
import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import { formatFor } from './formats.ts';
import type { ReadReport } from './read.ts';
import { reportAnswers, reportDay, reportNames } from './schema.ts';

const tag = 'Account';

const balances = {
  user_account_id: Type.String(),
  available_balance: Type.Number(),
  unavailable_balance: Type.Number(),
};

/** Serves GET /account/balances (interface 2.10) and GET /account. */
export function accountRoutes(
  endpoints: Endpoints,
  { sql, readAccount }: { sql: Sql; readAccount(id: string): Promise<Account | null> },
): void {
  const balancesOf = async (accountId: string) => {
    const { available, unavailable } = await holderBalances(sql, accountId);
    return {
      user_account_id: accountId,
      available_balance: toJsonNumber(available),
      unavailable_balance: toJsonNumber(unavailable),
    };
  };

  endpoints.add(
    {
      id: 'getAccountBalances',
      method: 'GET',
      path: '/account/balances',
      permission: 'account:read',
      tag,
      summary: 'Balances of the account',
      answer: { status: 200, schema: Type.Object(balances, { title: 'AccountBalances' }) },
    },
    async ({ ctx }) => ({ status: 200, body: await balancesOf(ctx.accountId) }),
  );

  endpoints.add(
    {
      id: 'getAccount',
      method: 'GET',
      path: '/account',
      permission: 'account:read',
      tag,
      summary: 'The account of the key, with its balances',
      answer: {
        status: 200,
        schema: Type.Object(
          { id: Type.String(), name: Type.String(), cuit: Type.String(), ...balances },
          { title: 'Account' },
        ),
      },
    },
    async ({ ctx }) => {
      const account = await readAccount(ctx.accountId);
      if (!account) throw accountRefusal('account.not_found', {});
      const { id, name, cuit } = account;
      return { status: 200, body: { id, name, cuit, ...(await balancesOf(id)) } };
    },
  );
}

const reportCalls = {
  collection: { id: 'getCollectionReport', summary: 'List the collections of a day' },
  chargeback: { id: 'getChargebackReport', summary: 'List the chargebacks of a day' },
  refund: { id: 'getRefundReport', summary: 'List the refunds of a day' },
  settlement: {
    id: 'getSettlementReport',
    summary: 'List the credits and debits of the available balance on a day',
  },
  retentions: {
    id: 'getRetentionsReport',
    summary: 'List the taxes withheld on a day, and those returned',
  },
} as const;

/** Serves GET /report/{name}/{date} (interface 2.9, 4.1). */
export function reportRoutes(
  endpoints: Endpoints,
  {
    readReport,
    closeBooks,
    business,
  }: { readReport: ReadReport; closeBooks: CloseBooks; business: BusinessClock },
): void {
  const params = reportDay(business.today);
  for (const name of reportNames) {
    endpoints.add(
      {
        id: reportCalls[name].id,
        method: 'GET',
        path: `/report/${name}/:date`,
        permission: 'reports:read',
        tag: 'Reports',
        summary: reportCalls[name].summary,
        description:
          'Days are Argentine days; an item belongs to the day on which the service recorded it. ' +
          'Today is provisional. Accept: text/csv returns CSV.',
        params,
        slow: true,
        answer: { status: 200, schema: reportAnswers[name], otherTypes: ['text/csv'] },
      },
      async ({ ctx, params: { date }, accept }) => {
        const isPast = compareDays(date, business.today()) < 0;
        if (isPast) await closeBooks(date);
        const scope = { accountId: ctx.accountId, day: date };
        // Closed days never change, so any replica on which the day is closed may answer.
        const holds = isPast ? (sql: Queryable) => isClosed(sql, date) : undefined;
        const document = await readReport({ name, scope, format: formatFor(accept), holds });
        return { status: 200, body: null, document };
      },
    );
  }
}
