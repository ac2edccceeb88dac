import type {
  RefundOrder as ProtocolOrder,
  RefundOutcome as Told,
} from '../../connectors/protocol/messages.ts';
import { raiseMoneyAlarm } from '../money/alarms/index.ts';
import type { GiveBack, RefundOrder, RefundOutcome } from '../money/channels/index.ts';
import type { Base } from '../platform/base.ts';
import type { Caller, CallResult } from './call.ts';
import { refundOutcomeIn } from './check.ts';
import { attemptText } from './order.ts';

/** Delay before inquiring about a lost answer. */
const askAfter = { minutes: 2 };

export interface GiveBackParts {
  base: Base;
  connector: string;
  caller: Caller;
  /** Returns the longest time for an answer, in milliseconds. */
  timeoutMs(): number;
  settingsOf(accountId: string): Promise<Record<string, unknown>>;
}

/** Returns the outcome in an answer about a refund, or null without a valid answer. */
function outcomeIn(result: CallResult): Told | null {
  return result.kind === 'answer' && result.status === 200 ? refundOutcomeIn(result.body) : null;
}

/** Refunds through a connector. Repeated with the same id, a refund counts once. */
export function createGiveBack({
  base,
  connector,
  caller,
  timeoutMs,
  settingsOf,
}: GiveBackParts): GiveBack {
  const { clocks } = base;
  const alarm = (order: RefundOrder, message: string): Promise<void> =>
    raiseMoneyAlarm(base, {
      kind: 'refund',
      fact: `refund ${order.accountId}-${order.refundId}`,
      message,
      amount: order.amount,
      connector,
      accountId: order.accountId,
      attemptId: order.attemptId,
    });
  const pathOf = (order: RefundOrder): string =>
    `/charges/${attemptText(order)}/refunds/${order.refundId}`;
  const nowText = (): string => clocks.business.now().toString({ smallestUnit: 'millisecond' });
  const later = (): RefundOutcome => ({
    outcome: 'unknown',
    askAgainAt: clocks.business.now().add(askAfter),
  });

  const outcomeOf = async (
    order: RefundOrder,
    answered: Exclude<Told, { outcome: 'unheard' }>,
  ): Promise<RefundOutcome> => {
    switch (answered.outcome) {
      case 'done':
        return { outcome: 'done', reference: answered.reference };
      case 'failed':
        if (answered.alarm !== undefined) await alarm(order, answered.alarm);
        return { outcome: 'failed', code: answered.code, text: answered.text };
      case 'pending': {
        const askAgainAt = clocks.business.now().add({ seconds: answered.ask_after_s });
        return { outcome: 'unknown', askAgainAt };
      }
    }
  };

  return {
    async refund(order) {
      const { accountId, reference } = order;
      const body: ProtocolOrder = {
        attempt: attemptText(order),
        refund: String(order.refundId),
        business_time: nowText(),
        account: { id: accountId, settings: await settingsOf(accountId) },
        reference: reference ?? attemptText(order),
        charged: order.charged,
        refunded_before: order.refundedBefore,
        amount: order.amount,
        currency: 'ARS',
      };
      const path = pathOf(order);
      const answer = await caller.call({ method: 'PUT', path, body, timeoutMs: timeoutMs() });
      const outcome = outcomeIn(answer);
      if (!outcome) {
        const why = answer.kind === 'none' ? answer.why : `it was answered with ${answer.status}`;
        await alarm(order, `Whether refund ${order.refundId} arrived is not known: ${why}`);
        return later();
      }
      return outcome.outcome === 'unheard' ? later() : await outcomeOf(order, outcome);
    },
    async inquire(order) {
      const settings = await settingsOf(order.accountId);
      const query = new URLSearchParams({
        account: order.accountId,
        business_time: nowText(),
        settings: Buffer.from(JSON.stringify(settings)).toString('base64url'),
      });
      const path = `${pathOf(order)}?${query}`;
      const answer = await caller.call({ method: 'GET', path, timeoutMs: timeoutMs() });
      // The order may be repeated, because its id and the sum of earlier refunds make it count
      // once.
      if (answer.kind === 'answer' && answer.status === 404) return { outcome: 'unheard' };
      const outcome = outcomeIn(answer);
      if (!outcome) return later();
      return outcome.outcome === 'unheard' ? outcome : await outcomeOf(order, outcome);
    },
  };
}
