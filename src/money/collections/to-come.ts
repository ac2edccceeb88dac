import type { Centavos } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';

export interface ComingDay {
  day: Temporal.PlainDate;
  amount: Centavos;
  payments: number;
}

/** Sums the unreleased amounts by the day on which they become available, nearest first. */
export const readToCome = (sql: Queryable, accountId: string): Promise<ComingDay[]> =>
  sql<ComingDay[]>`
    select available_on as day, sum(unreleased)::bigint as amount, count(*) as payments
    from results
    where account_id = ${accountId} and type = 'collected' and released_on is null
    group by available_on order by available_on`;
