import { midnightOf } from '../kernel/dates.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { amount, day, integer, oneOf, text } from '../platform/http/fields.ts';
import { type Filled, form, optional } from '../platform/http/form.ts';
import { listRequests } from '../requests/index.ts';
import type { PaymentRequestRow } from './details.ts';

const states = ['pending', 'paid', 'expired', 'reverted', 'refunded'] as const;
const largestId = Number.MAX_SAFE_INTEGER;
const id = integer({ min: 0, max: largestId, digits: true });

const members = {
  page: optional(integer({ min: 1, max: 1_000_000, digits: true })),
  limit: optional(integer({ min: 1, max: 100, digits: true })),
  after: optional(id),
  id: optional(id),
  state: optional(oneOf(states)),
  external_reference: optional(text({ max: 255 })),
  payer_name: optional(text({ max: 255 })),
  created_at_gte: optional(day()),
  created_at_lte: optional(day()),
  first_due_date_gte: optional(day()),
  first_due_date_lte: optional(day()),
  first_total_gte: optional(amount({ min: 0 })),
  first_total_lte: optional(amount({ min: 0 })),
};

const isSent = (value: unknown): boolean => value !== null && value !== undefined;

/** Where a day ends; null behind the last day that a query can name: nothing lies there. */
const endOf = (date: Temporal.PlainDate): Temporal.Instant | null => {
  const next = date.add({ days: 1 });
  return next.year > 9999 ? null : midnightOf(next);
};

/** The query of GET /payment-request: days are inclusive. */
export const listQuery = form(members, (valid) => ({
  after:
    isSent(valid.after) && isSent(valid.page) ? 'Send either page or after, not both.' : undefined,
}));

export type ListQuery = Filled<typeof members>;

export interface Listed {
  rows: PaymentRequestRow[];
  page: number | null;
  limit: number;
  totalCount: number | null;
}

const defaultLimit = 25;

/** Lists the account's payment requests by id. With `after` no count is made: it stays fast. */
export const listPaymentRequests =
  ({ sql, clocks }: Base) =>
  async (ctx: Ctx, query: ListQuery): Promise<Listed> => {
    const limit = query.limit ?? defaultLimit;
    const page = query.page ?? 1;
    const { rows, totalCount } = await listRequests(
      sql,
      ctx.accountId,
      'payment_request',
      {
        id: query.id,
        state: query.state,
        external_reference: query.external_reference,
        payer: query.payer_name,
        createdFrom: query.created_at_gte && midnightOf(query.created_at_gte),
        createdBefore: query.created_at_lte && endOf(query.created_at_lte),
        dueFrom: query.first_due_date_gte,
        dueUntil: query.first_due_date_lte,
        totalFrom: query.first_total_gte,
        totalUntil: query.first_total_lte,
      },
      {
        limit,
        from: query.after === null ? { offset: (page - 1) * limit } : { after: query.after },
        today: clocks.business.today(),
      },
    );
    return {
      rows: rows as unknown as PaymentRequestRow[],
      page: query.after === null ? page : null,
      limit,
      totalCount,
    };
  };
