import type { Ctx } from '../../platform/base.ts';
import {
  type RequestKey,
  type RequestKind,
  readRequests,
  requestRefusal,
} from '../../requests/index.ts';
import type { ResultRow } from '../collections/index.ts';
import type { Decision, Proposal } from '../proposals/index.ts';
import { canBeRefunded, leftOf } from '../reversals/index.ts';
import { createRefundAsker } from './channel.ts';
import { refusal } from './codes.ts';
import { type EndRefund, endRefund } from './end.ts';
import { approveRefund, type OrderedRefund, orderRefund, type RefundOrder } from './order.ts';
import type { Refundable, RefundRow } from './refund.ts';
import { giveBackOf, type RefundParts, type RefundRequest, requestRefund } from './request.ts';
import { findRefund, readRefunds } from './store-reads.ts';

/** A request, and the kind that the caller expects it to be. */
export interface Refunded {
  key: RequestKey;
  kind: RequestKind;
}

export interface RefundVerbs {
  /** Requests a refund and returns its state after the channel's first answer. */
  request(ctx: Ctx, refundRequest: Omit<RefundRequest, 'actor'>): Promise<RefundRow>;
  /** Requests a refund for the service itself. */
  order(refundRequest: RefundRequest): Promise<RefundRow>;
  /** Requests a refund for a user of the account. See `orderRefund`. */
  orderByPerson(order: RefundOrder): Promise<OrderedRefund>;
  /** Approves a proposed refund. See `approveRefund`. */
  approve(decision: Decision): Promise<Proposal>;
  /**
   * Returns a refund. Throws 404 for an unknown request of this kind, or an unknown refund of it.
   */
  get(of: Refunded, id: number): Promise<RefundRow>;
  list(of: Refunded): Promise<RefundRow[]>;
  /** Returns the refundable payments among results, latest first. */
  refundable(results: readonly ResultRow[]): Refundable[];
  end: EndRefund;
  sweep: ReturnType<typeof createRefundAsker>['sweep'];
}

export function createRefundVerbs(parts: RefundParts): RefundVerbs {
  const { base } = parts;
  const request = requestRefund(parts);
  const orderOf = orderRefund(parts);
  const approve = approveRefund(parts);
  const end = endRefund(base);
  const asker = createRefundAsker(parts, end);

  const mustBe = async ({ key, kind }: Refunded): Promise<void> => {
    const [row] = await readRequests(base.sql, [key]);
    if (row?.kind !== kind) throw requestRefusal('request.not_found', {});
  };

  /** Orders the refund from its channel and returns its state. */
  const begun = async (refund: RefundRow): Promise<RefundRow> => {
    await asker.begin(refund);
    const { account_id: accountId, id } = refund;
    return (await findRefund(base.sql, { accountId, id })) ?? refund;
  };

  const order = async (refundRequest: RefundRequest): Promise<RefundRow> => {
    const { outcome, refund } = await request(refundRequest);
    if (outcome === 'known') return refund;
    return await begun(refund);
  };

  return {
    request: ({ actor }, refundRequest) => order({ ...refundRequest, actor }),
    order,
    async orderByPerson(refundOrder) {
      const ordered = await orderOf(refundOrder);
      if (ordered.outcome !== 'requested') return ordered;
      return { ...ordered, refund: await begun(ordered.refund) };
    },
    async approve(decision) {
      const { proposal, refund } = await approve(decision);
      await asker.begin(refund);
      return proposal;
    },
    async get(of, id) {
      await mustBe(of);
      const { accountId } = of.key;
      const refund = await findRefund(base.sql, { accountId, id });
      if (refund?.request_id !== of.key.id) throw refusal('refund.not_found', {});
      return refund;
    },
    async list(of) {
      await mustBe(of);
      return await readRefunds(base.sql, of.key);
    },
    refundable: (results) =>
      results
        .filter(canBeRefunded)
        .map((result): Refundable => {
          const way = giveBackOf(parts.connected, result) === null ? 'transfer' : 'channel';
          return { result, left: leftOf(result), way };
        })
        .reverse(),
    end,
    sweep: asker.sweep,
  };
}
