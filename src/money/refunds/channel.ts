import { system } from '../../platform/actor.ts';
import type { Sweep } from '../../platform/sweeps.ts';
import type { RefundOrder, RefundOutcome } from '../channels/index.ts';
import { readPayment } from '../collections/index.ts';
import type { EndRefund } from './end.ts';
import type { RefundRow } from './refund.ts';
import { askAfter, giveBackOf, type RefundParts } from './request.ts';
import { askAgain } from './store.ts';
import { nextInquiry, readDue, refuseForged } from './store-reads.ts';

/** Orders refunds from channels and tracks their outcomes. */
export interface RefundAsker {
  /**
   * Orders a stored refund, unless the operator transfers it. After any failure, the sweep takes
   * over.
   */
  begin(refund: RefundRow): Promise<void>;
  sweep: Sweep;
}

export function createRefundAsker({ base, connected }: RefundParts, end: EndRefund): RefundAsker {
  const { sql, clocks, log } = base;

  const orderOf = async (refund: RefundRow) => {
    const { account_id: accountId, request_id: id } = refund;
    const target = await readPayment(sql, { accountId, id }, refund.result_id);
    const adapter = target && giveBackOf(connected, target);
    if (!target || !adapter) return null;
    const order: RefundOrder = {
      accountId,
      refundId: refund.id,
      // The reference of an approval after a refusal has a suffix.
      attemptId: Number.parseInt(target.source_ref, 10),
      reference: target.details.payment_metadata?.reference ?? null,
      amount: refund.amount,
      charged: target.amount,
      refundedBefore: refund.refunded_before,
    };
    return { adapter, order };
  };

  const finish = async (refund: RefundRow, outcome: RefundOutcome): Promise<boolean> => {
    if (outcome.outcome === 'unknown') {
      await askAgain(sql, refund, outcome.askAgainAt);
      return false;
    }
    const done = outcome.outcome === 'done';
    await end({
      accountId: refund.account_id,
      id: refund.id,
      state: outcome.outcome,
      comment: done ? (outcome.reference ?? '') : `${outcome.code}: ${outcome.text}`,
      actor: system,
    });
    return true;
  };

  /**
   * Inquires about a refund, and orders it again if the channel never received it. Channels
   * deduplicate refunds by id. Returns true if it is settled.
   */
  const ask = async (refund: RefundRow): Promise<boolean> => {
    await refuseForged(sql, [refund]);
    const known = await orderOf(refund);
    if (!known) return false;
    const outcome = await known.adapter.inquire(known.order);
    if (outcome.outcome !== 'unheard') return await finish(refund, outcome);
    return await finish(refund, await known.adapter.refund(known.order));
  };

  return {
    async begin(refund) {
      if (refund.way !== 'channel') return;
      try {
        const known = await orderOf(refund);
        if (known) await finish(refund, await known.adapter.refund(known.order));
      } catch (error) {
        log.error({ err: error, refund: refund.id }, 'a channel failed to answer a refund');
      }
    },
    sweep: {
      name: 'unanswered refunds settled',
      nextDue: () => nextInquiry(sql),
      async run(now) {
        let settled = 0;
        for (const refund of await readDue(sql, now)) {
          // Reschedule first, so that a refund that keeps failing does not block the others.
          await askAgain(sql, refund, clocks.business.now().add(askAfter));
          try {
            if (await ask(refund)) settled += 1;
          } catch (error) {
            log.error({ err: error, refund: refund.id }, 'a channel failed to answer');
          }
        }
        return settled;
      },
    },
  };
}
