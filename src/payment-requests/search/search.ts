import { paidThrough, withResults } from '../../money/collections/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { findRequestsByWords, type RequestTotal, totalOfRequests } from '../../requests/index.ts';
import type { PaymentRequestRow } from '../details.ts';
import type { RequestWithResults } from '../get.ts';
import { type PaymentRequestSearch, soughtIn } from './query.ts';

const kind = 'payment_request';

/** Converts a query to a search of the account's payment requests. */
const filterOf = (
  sql: Queryable,
  { clocks }: Base,
  { accountId }: Ctx,
  query: PaymentRequestSearch,
) => {
  const { channel, ...sought } = soughtIn(query);
  const named = channel === null ? null : paidThrough(sql, { accountId, kind, channel });
  return { ...sought, accountId, kind, named, today: clocks.business.today() } as const;
};

/**
 * Finds the account's payment requests by words and filters, with results, newest first unless the
 * query sorts.
 */
export const searchPaymentRequests =
  (base: Base) =>
  async (ctx: Ctx, query: PaymentRequestSearch, limit: number): Promise<RequestWithResults[]> =>
    await base.reads.read(ctx, async ({ sql }) => {
      const sought = { ...filterOf(sql, base, ctx, query), limit };
      return await withResults(sql, await findRequestsByWords<PaymentRequestRow>(sql, sought));
    });

/**
 * Finds the requests of a search that payers can still pay, in the order of the search. A filter by
 * another state finds none.
 */
export const payablePaymentRequests =
  (base: Base) =>
  async (ctx: Ctx, query: PaymentRequestSearch, limit: number): Promise<PaymentRequestRow[]> => {
    const { state } = query;
    if (state !== null && state !== 'pending' && state !== 'overdue') return [];
    return await base.reads.read(ctx, ({ sql }) => {
      const { filters, ...sought } = filterOf(sql, base, ctx, query);
      return findRequestsByWords<PaymentRequestRow>(sql, {
        ...sought,
        filters: { ...filters, state: 'pending' },
        limit,
      });
    });
  };

/** Counts and adds up what a search finds. Returns null if that would take too many reads. */
export const totalPaymentRequests =
  (base: Base) =>
  async (ctx: Ctx, query: PaymentRequestSearch): Promise<RequestTotal | null> =>
    await base.reads.read(ctx, ({ sql }) => totalOfRequests(sql, filterOf(sql, base, ctx, query)));
