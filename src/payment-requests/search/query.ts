import { endOf, midnightOf } from '../../kernel/dates.ts';
import { type ChannelCode, channelCodes } from '../../money/channels/index.ts';
import { amount, day, integer, oneOf, text } from '../../platform/http/fields.ts';
import { type Filled, form, optional } from '../../platform/http/form.ts';
import type { RequestFilters, RequestOrder } from '../../requests/index.ts';
import { listedStates } from '../list.ts';

const anyDay = () => optional(day({ iso: true }));
const anyAmount = () => optional(amount({ min: 0 }));

/**
 * Orders besides newest first: by first due day or first amount. A dash means latest or largest
 * first.
 */
export const listOrders = ['due', '-due', 'amount', '-amount'] as const;

const members = {
  /** Word prefixes, or a number. */
  q: optional(text({ max: 100 })),
  state: optional(oneOf([...listedStates, 'overdue'] as const)),
  created_at_gte: anyDay(),
  created_at_lte: anyDay(),
  first_due_date_gte: anyDay(),
  first_due_date_lte: anyDay(),
  first_total_gte: anyAmount(),
  first_total_lte: anyAmount(),
  /** The payment's channel. */
  channel: optional(oneOf(channelCodes)),
  external_reference: optional(text({ max: 255 })),
  sort: optional(oneOf(listOrders)),
  /** Cursor: the last id of the previous page. */
  before: optional(integer({ min: 1, max: Number.MAX_SAFE_INTEGER, digits: true })),
};

export type SearchName = keyof typeof members;

/** Filters of the portal, named as in the API's lists. Days and amounts are inclusive. */
export const searchForm = form(members);

export type PaymentRequestSearch = Filled<typeof members>;

/** Splits a query into filters of all requests and those of payment requests. */
export function soughtIn(query: PaymentRequestSearch): {
  text: string;
  filters: RequestFilters;
  channel: ChannelCode | null;
  before: number | null;
  order: RequestOrder | null;
} {
  const { q, state, channel, before, sort } = query;
  return {
    text: q ?? '',
    channel,
    before,
    order: sort && {
      by: sort.endsWith('due') ? 'due1' : 'total1',
      descending: sort.startsWith('-'),
    },
    filters: {
      id: null,
      state: state === 'overdue' ? null : state,
      ...(state === 'overdue' && { overdue: true }),
      external_reference: query.external_reference,
      payer: null,
      createdFrom: query.created_at_gte && midnightOf(query.created_at_gte),
      createdBefore: query.created_at_lte && endOf(query.created_at_lte),
      dueFrom: query.first_due_date_gte,
      dueUntil: query.first_due_date_lte,
      totalFrom: query.first_total_gte,
      totalUntil: query.first_total_lte,
    },
  };
}
