import { type EndRefund, readTransfers } from '../money/refunds/index.ts';
import { system } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Sweep } from '../platform/sweeps.ts';
import { decideTransfer } from './simulator/outcomes.ts';

/** Simulates the operator, who refunds by transfer if the channel cannot. */
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
