import { Changed } from '../../../connectors/protocol/charges.ts';
import type { RefundOrder, RefundOutcome } from '../../../connectors/protocol/messages.ts';
import { type RefundCalls, refundMeaning } from '../../../connectors/protocol/refunds.ts';
import { Faulty } from '../../../connectors/protocol/routes.ts';
import type { Base } from '../../platform/base.ts';
import { chargeKey } from './charges.ts';
import { decideRefund } from './outcomes.ts';

type Decided = Extract<RefundOutcome, { outcome: 'done' | 'failed' }>;

interface RefundRow {
  outcome: Decided;
  digest: string;
  answers_at: Temporal.Instant;
}

const notCharged: Decided = {
  outcome: 'failed',
  code: 'not_charged',
  text: 'There is no such charge.',
};
const overTheSum: Decided = {
  outcome: 'failed',
  code: 'over_the_sum',
  text: 'More would go back than was charged.',
};

function outcomeAt({ outcome, answers_at: answersAt }: RefundRow, businessTime: string) {
  const now = Temporal.Instant.from(businessTime);
  const ms = answersAt.epochMilliseconds - now.epochMilliseconds;
  if (ms <= 0) return outcome;
  return { outcome: 'pending', ask_after_s: Math.max(1, Math.ceil(ms / 1000)) } as const;
}

/** Returns the number of a refund, or null for an id that the service never uses. */
const refundKey = (refund: string): string | null =>
  /^[1-9][0-9]{0,17}$/.test(refund) ? refund : null;

/** Stores the refunds of the sandbox's simulated acquirer, once per id. */
export function simulatedRefunds({ sql }: Base): RefundCalls {
  const find = async (accountId: string, refund: string): Promise<RefundRow | null> => {
    const [row] = await sql<RefundRow[]>`
      select outcome, digest, answers_at from simulated_refunds
      where account_id = ${accountId} and refund_id = ${refund}::bigint`;
    return row ?? null;
  };

  // A single statement, so that a refund is decided even if its caller is gone.
  const insert = async (order: RefundOrder, refund: string, digest: string): Promise<void> => {
    const { accountId, attemptId } = chargeKey(order.attempt);
    const { outcome, answersAfter } = decideRefund(order.amount, order.refund);
    const answersAt = Temporal.Instant.from(order.business_time).add(answersAfter);
    const { amount, refunded_before: before } = order;
    await sql`
      with charge as (
        select outcome->>'outcome' = 'approved' as approved, amount
        from simulated_charges
        where account_id = ${accountId} and attempt_id = ${attemptId}::bigint
      ), given as (
        select greatest(coalesce(sum(amount), 0), ${before}) as sum from simulated_refunds
        where account_id = ${accountId} and attempt_id = ${attemptId}::bigint
          and outcome->>'outcome' = 'done'
      )
      insert into simulated_refunds (account_id, refund_id, attempt_id, amount, digest, outcome,
        answers_at)
      select ${accountId}, ${refund}::bigint, ${attemptId}::bigint, ${amount}, ${digest},
        case
          when not coalesce((select approved from charge), false)
            then ${JSON.stringify(notCharged)}::text::json
          when given.sum + ${amount} > (select amount from charge)
            then ${JSON.stringify(overTheSum)}::text::json
          else ${JSON.stringify(outcome)}::text::json
        end,
        ${answersAt}::timestamptz
      from given
      on conflict (account_id, refund_id) do nothing`;
  };

  return {
    async put(order) {
      const { accountId } = chargeKey(order.attempt);
      const refund = refundKey(order.refund);
      if (refund === null) {
        throw new Faulty('refund must be a number, as the service numbers them.');
      }
      const digest = refundMeaning(order);
      await insert(order, refund, digest);
      const row = await find(accountId, refund);
      if (!row) throw new Error('a refund was written, and is not there');
      if (row.digest !== digest) {
        throw new Changed(`The refund ${refund} was ordered before with another content.`);
      }
      return outcomeAt(row, order.business_time);
    },
    async get({ attempt, refund, businessTime }) {
      const key = refundKey(refund);
      const row = key && (await find(chargeKey(attempt).accountId, key));
      return row ? outcomeAt(row, businessTime) : { outcome: 'unheard' };
    },
  };
}
