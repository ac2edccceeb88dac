import type { Centavos } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';

/** The amount that becomes available on a day. */
export interface ComingDay {
  day: Temporal.PlainDate;
  amount: Centavos;
  payments: number;
}

/** Amounts on their way to an account's available balance, by day, the next one first. */
export const readToCome = (sql: Queryable, accountId: string): Promise<ComingDay[]> =>
  sql<ComingDay[]>`
    select available_on as day, sum(unreleased)::bigint as amount, count(*) as payments
    from results
    where account_id = ${accountId} and type = 'collected' and released_on is null
    group by available_on order by available_on`;
