import {
  type Channel,
  type Channels,
  type ChargeOutcome,
  soleChannel,
} from '../money/channels/index.ts';
import { resultFrom } from '../money/collections/index.ts';
import type { Reverse } from '../money/reversals/index.ts';
import { system } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { isConnectionFailure, Refusal } from '../platform/errors.ts';
import type { Sweep } from '../platform/sweeps.ts';
import { decide } from './outcomes.ts';
import { simulatedGiveBack } from './refunds.ts';

interface SimulatedCharge {
  outcome: Extract<ChargeOutcome, { outcome: 'approved' | 'rejected' }>;
  answers_at: Temporal.Instant;
}

/**
 * The third parties of the sandbox: they answer through the same port as real ones and keep books
 * of their own, so that a repeated charge is one charge and a lost answer can be asked for.
 */
function simulatedChannel(base: Base): Channel {
  const { sql, clocks, log } = base;
  const giveBack = simulatedGiveBack(base);
  const answerOf = ({ outcome, answers_at }: SimulatedCharge): ChargeOutcome =>
    Temporal.Instant.compare(answers_at, clocks.business.now()) > 0
      ? { outcome: 'unknown', askAgainAt: answers_at }
      : { ...outcome, decidedAt: answers_at };

  return {
    name: 'simulator',
    answersWithinS: 10,
    form: () => ({ kind: 'typed' }),
    async charge(charge) {
      const { outcome, answersAfter, reversesAfter } = decide(charge);
      const now = clocks.business.now();
      await sql`
        insert into simulated_charges (account_id, attempt_id, outcome, answers_at, reverses_at)
        values (${charge.accountId}, ${charge.attemptId},
          ${JSON.stringify({ ...outcome, request_id: charge.requestId })}::text::json,
          ${now.add(answersAfter)}::timestamptz,
          ${reversesAfter ? now.add(reversesAfter) : null}::timestamptz)
        on conflict (account_id, attempt_id) do nothing`;
      return answerOf({ outcome, answers_at: now.add(answersAfter) });
    },
    async inquire({ accountId, attemptId }) {
      const [known] = await sql<SimulatedCharge[]>`
        select outcome, answers_at from simulated_charges
        where account_id = ${accountId} and attempt_id = ${attemptId}`;
      return known ? answerOf(known) : { outcome: 'unheard' };
    },
    giveBack: () => giveBack,
    // What it decided it does not take back, and it asks nothing of payers.
    cancels: () => false,
    cancel: async () => ({ outcome: 'unknown' }),
    alarm: (kind, text) => log.error({ kind }, `the simulator: ${text}`),
  };
}

/** Every online channel of the sandbox is answered by the simulator. */
export const simulatedChannels = (base: Base): Channels =>
  soleChannel(simulatedChannel(base), ['credit_card', 'debit_card', 'DEBIN', 'qr']);

/** Holders who take their money back a day later (amounts that end in .95). */
export function simulatedReversals({ sql, log }: Base, reverse: Reverse): Sweep {
  return {
    name: 'payments reversed by the simulator',
    async nextDue() {
      const [row] = await sql<{ due: Temporal.Instant | null }[]>`
        select min(reverses_at) as due from simulated_charges
        where reverses_at is not null and not reversed`;
      return row?.due ?? null;
    },
    async run(now) {
      const due = await sql<
        { account_id: string; attempt_id: number; request_id: number; result_id: number | null }[]
      >`
        select c.account_id, c.attempt_id, (c.outcome->>'request_id')::bigint as request_id,
          result.id as result_id
        from simulated_charges c
        left join ${resultFrom(sql, { of: 'c', sources: ['attempt'], ref: sql`c.attempt_id::text` })}
        where c.reverses_at <= ${now}::timestamptz and not c.reversed
        order by c.reverses_at limit 100`;
      for (const charge of due) {
        try {
          await reverse({
            key: { accountId: charge.account_id, id: charge.request_id },
            type: 'chargeback',
            resultId: charge.result_id,
            amount: null,
            actor: system,
            source: 'simulator',
            sourceRef: `reversal ${charge.attempt_id}`,
            comment: 'Reversed by the holder.',
          });
        } catch (error) {
          if (isConnectionFailure(error) || !(error instanceof Refusal)) throw error;
          log.info({ reason: error.message }, 'the simulator had nothing left to reverse');
        }
        await sql`
          update simulated_charges set reversed = true
          where account_id = ${charge.account_id} and attempt_id = ${charge.attempt_id}`;
      }
      return due.length;
    },
  };
}
