import { system } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { eachAccount } from '../platform/each-account.ts';
import { withinReach } from '../platform/postgres/distributed/owners.ts';
import type { Sweep } from '../platform/sweeps.ts';
import type { EndMandate } from './end.ts';
import type { MandateKind } from './mandate.ts';
import { comments } from './states.ts';

const atOnce = 500;

/** Cancels mandates that were not signed within seven days. */
export const unsignedSweep = ({ sql }: Base, end: EndMandate): Sweep => ({
  name: 'mandates canceled unsigned',
  async nextDue() {
    const [row] = await sql<{ due: Temporal.Instant | null }[]>`
      select min(sign_before) as due from mandates
      where state = 'pending_to_sign' ${withinReach(sql)}`;
    return row?.due ?? null;
  },
  async run(now) {
    const due = await sql<{ account_id: string; kind: MandateKind; id: number }[]>`
      select account_id, kind, id from mandates
      where state = 'pending_to_sign' and sign_before <= ${now}::timestamptz
        ${withinReach(sql)} order by sign_before limit ${atOnce}`;
    let ended = 0;
    const failed = 'unsigned mandates could not be canceled';
    await eachAccount(due, { atOnce: 1, failed }, async ({ account_id, kind, id }) => {
      const outcome = await end({
        key: { accountId: account_id, kind, id },
        move: 'expire',
        comment: comments.unsigned,
        actor: system,
        evidence: null,
      });
      ended += outcome.ended ? 1 : 0;
    });
    return ended;
  },
});
