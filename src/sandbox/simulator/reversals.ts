import { resultFrom } from '../../money/collections/index.ts';
import type { Reverse } from '../../money/reversals/index.ts';
import { system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Sweep } from '../../platform/sweeps.ts';

/** Simulates holders who reverse a payment after a day (amounts that end in .95). */
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
          if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error;
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
