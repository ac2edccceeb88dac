import type { GiveBack, RefundOutcome } from '../money/channels/index.ts';
import { type EndRefund, readTransfers } from '../money/refunds/index.ts';
import { system } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Sweep } from '../platform/sweeps.ts';
import { decideRefund, decideTransfer } from './outcomes.ts';

type Decided = Exclude<RefundOutcome, { outcome: 'unknown' }>;

interface SimulatedRefund {
  outcome: Decided;
  answers_at: Temporal.Instant;
}

/** How the sandbox's third parties give money back: one refund by its id, however often it is asked. */
export function simulatedGiveBack({ sql, clocks }: Base): GiveBack {
  const answerOf = ({ outcome, answers_at }: SimulatedRefund): RefundOutcome =>
    Temporal.Instant.compare(answers_at, clocks.business.now()) > 0
      ? { outcome: 'unknown', askAgainAt: answers_at }
      : outcome;

  const find = async (accountId: string, refundId: number): Promise<SimulatedRefund | null> => {
    const [known] = await sql<SimulatedRefund[]>`
      select outcome, answers_at from simulated_refunds
      where account_id = ${accountId} and refund_id = ${refundId}`;
    return known ?? null;
  };

  return {
    async refund({ accountId, refundId, amount }) {
      const { outcome, answersAfter } = decideRefund(amount, refundId);
      const answersAt = clocks.business.now().add(answersAfter);
      await sql`
        insert into simulated_refunds (account_id, refund_id, outcome, answers_at)
        values (${accountId}, ${refundId}, ${JSON.stringify(outcome)}::text::json,
          ${answersAt}::timestamptz)
        on conflict (account_id, refund_id) do nothing`;
      const known = await find(accountId, refundId);
      return answerOf(known ?? { outcome, answers_at: answersAt });
    },
    async inquire({ accountId, refundId }) {
      const known = await find(accountId, refundId);
      return known ? answerOf(known) : { outcome: 'unheard' };
    },
  };
}

/** Plays the operator, who transfers what no channel gives back. */
export function simulatedTransfers({ sql }: Base, end: EndRefund): Sweep {
  return {
    name: 'refunds transferred by the simulator',
    async nextDue() {
      const [row] = await readTransfers(sql, null, 1);
      return row?.requested_at ?? null;
    },
    async run() {
      const due = await readTransfers(sql, null, 100);
      for (const { account_id: accountId, id, cbu } of due) {
        const refused = cbu === null ? null : decideTransfer(cbu);
        await end({
          accountId,
          id,
          state: refused ? 'failed' : 'done',
          comment: refused ? `${refused.code}: ${refused.text}` : `simulated transfer ${id}`,
          actor: system,
        });
      }
      return due.length;
    },
  };
}
