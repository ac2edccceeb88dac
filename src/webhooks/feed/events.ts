import { type FeedRow, readEvent, readFeed } from '../../events/index.ts';
import { endOf, midnightOf } from '../../kernel/dates.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { refusal } from '../codes.ts';
import type { FeedQuery } from '../schema.ts';
import { type DeliveryRow, readDeliveries } from '../store.ts';

const defaultLimit = 25;

export interface FeedPage {
  rows: FeedRow[];
  /** The next page's `after`. Pages neither repeat nor skip events. */
  next: number;
}

/** Lists the account's events in the feed's order. */
export const listEvents =
  ({ reads }: Base) =>
  async ({ accountId }: Ctx, query: FeedQuery): Promise<FeedPage> => {
    const fromNow = query.after === 'latest';
    const after = typeof query.after === 'number' ? query.after : 0;
    const limit = fromNow ? 0 : (query.limit ?? defaultLimit);
    const filters = {
      type: query.type,
      entity_name: query.entity_name,
      entity_id: query.entity_id,
      from: query.created_at_gte && midnightOf(query.created_at_gte),
      before: query.created_at_lte && endOf(query.created_at_lte),
    };
    const { rows, last } = await reads.read({ accountId }, ({ sql }) =>
      readFeed(sql, accountId, filters, { after, limit }),
    );
    const full = !fromNow && rows.length === limit;
    return { rows, next: (full ? rows.at(-1)?.position : undefined) ?? Math.max(after, last) };
  };

/** Lists an event's deliveries. Throws 404 if the feed does not contain the event. */
export const listDeliveries =
  ({ sql }: Base) =>
  async ({ accountId }: Pick<Ctx, 'accountId'>, id: number): Promise<DeliveryRow[]> => {
    const event = await readEvent(sql, accountId, id);
    if (!event) throw refusal('event.not_found', {});
    return await readDeliveries(sql, accountId, event);
  };
