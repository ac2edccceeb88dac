import { system } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { eachOfPages } from '../platform/each-account.ts';
import { withinReach } from '../platform/postgres/distributed/owners.ts';
import type { Sweep } from '../platform/sweeps.ts';
import type { EndMandate } from './end.ts';
import type { MandateKind } from './mandate.ts';
import { comments } from './states.ts';

const atOnce = 500;

interface Due {
  account_id: string;
  kind: MandateKind;
  id: number;
  sign_before: Temporal.Instant;
}

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
    const readDue = (after: Due | null) => sql<Due[]>`
      select account_id, kind, id, sign_before from mandates
      where state = 'pending_to_sign' and sign_before <= ${now}::timestamptz ${withinReach(sql)}
        ${
          after
            ? sql`and (sign_before, account_id, kind, id) > (${after.sign_before}::timestamptz,
                ${after.account_id}, ${after.kind}, ${after.id}::bigint)`
            : sql``
        }
      order by sign_before, account_id, kind, id limit ${atOnce}`;
    let ended = 0;
    const how = { most: atOnce, failed: 'unsigned mandates could not be canceled' };
    await eachOfPages(how, readDue, async ({ account_id, kind, id }) => {
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
