import { withResults } from '../money/collections/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { amount, day, oneOf, text } from '../platform/http/fields.ts';
import { type Filled, form, optional } from '../platform/http/form.ts';
import {
  createdIn,
  type PagedList,
  pageMembers,
  pageOf,
  pageRules,
  unknownAfter,
} from '../platform/http/paging.ts';
import { listRequests } from '../requests/index.ts';
import type { PaymentRequestRow } from './details.ts';
import type { RequestWithResults } from './get.ts';

/** States that lists can filter by. */
export const listedStates = ['pending', 'paid', 'expired', 'reverted', 'refunded'] as const;

const members = {
  ...pageMembers,
  state: optional(oneOf(listedStates)),
  payer_name: optional(text({ max: 255 })),
  first_due_date_gte: optional(day()),
  first_due_date_lte: optional(day()),
  first_total_gte: optional(amount({ min: 0 })),
  first_total_lte: optional(amount({ min: 0 })),
};

/** The query of GET /payment-request: days are inclusive. */
export const listQuery = form(members, pageRules);

export type ListQuery = Filled<typeof members>;

/**
 * Lists the account's payment requests in commit order. Skips the count when `after` is set, which
 * keeps deep pages fast.
 */
export const listPaymentRequests =
  ({ reads, clocks }: Base) =>
  async ({ accountId }: Ctx, query: ListQuery): Promise<PagedList<RequestWithResults>> => {
    const page = pageOf(query);
    const filters = {
      ...createdIn(query),
      id: query.id,
      state: query.state,
      external_reference: query.external_reference,
      payer: query.payer_name,
      dueFrom: query.first_due_date_gte,
      dueUntil: query.first_due_date_lte,
      totalFrom: query.first_total_gte,
      totalUntil: query.first_total_lte,
    };
    return await reads.read({ accountId }, async ({ sql, settled }) => {
      const listed = await listRequests<PaymentRequestRow>(
        sql,
        accountId,
        'payment_request',
        filters,
        { ...page, today: clocks.business.today(), settledHere: settled },
      );
      if (!listed) throw unknownAfter(members);
      const { rows, totalCount } = listed;
      return { ...page, rows: await withResults(sql, rows), totalCount };
    });
  };
