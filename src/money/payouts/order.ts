import { dayOf, midnightOf } from '../../kernel/dates.ts';
import { type Centavos, decimalText, minus } from '../../kernel/money.ts';
import type { Base } from '../../platform/base.ts';
import { conflict, type Refusal } from '../../platform/errors.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { posting } from '../ledger/index.ts';
import {
  approveIn,
  type Decision,
  findProposal,
  findProposed,
  type Proposal,
  propose,
} from '../proposals/index.ts';
import { lockPayoutCbu, type NewPayout, type PayoutRow, paidOutSince, sendIn } from './payouts.ts';

/** A payout that is asked for by somebody. */
export interface PayoutOrder extends NewPayout {
  /** The user who proposes it, should it take a second one; null: nobody is named. */
  by: number | null;
}

/** `proposed`: it waits for a second person. */
export type Ordered =
  | { outcome: 'sent' | 'known'; payout: PayoutRow }
  | { outcome: 'proposed'; proposal: Proposal };

export type OrderPayout = (order: PayoutOrder) => Promise<Ordered>;

/** Above how much a second person approves. */
export interface ApprovalTerms {
  above: Centavos;
}

const nobodyNamed = (above: Centavos, before: Centavos): Refusal => {
  const together =
    before > 0 ? `, with the ${decimalText(before)} that the account was paid out today,` : '';
  return conflict(
    `A payout of more than ${decimalText(above)}${together} takes two people: name the operator ` +
      'who proposes it with --operator, and another one approves it.',
  );
};

/** What waits under the reference, if anything does: it is not paid beside that. */
async function waitingFor(
  tx: Queryable,
  { accountId, reference, amount }: PayoutOrder,
): Promise<Proposal | null> {
  const found = await findProposed(tx, { accountId, kind: 'payout', reference });
  if (found?.state !== 'waiting') return null;
  if (amount === null || amount === found.amount) return found;
  throw conflict(
    `The reference ${reference} names a payout of ${decimalText(found.amount)}, which waits to be ` +
      'approved.',
  );
}

/**
 * Pays out at once up to the limit, which all that the same person paid out to the account that day
 * counts against; above it proposes the payout, of what is available now. The same reference again
 * answers the first. 404: no such account; 409: no CBU, not that much available, the reference was
 * used for another amount, or it takes two people and nobody is named.
 */
export const orderPayout =
  ({ sql, clocks, recordIds }: Base, { above }: ApprovalTerms): OrderPayout =>
  async (order) => {
    const [id = 0, journal = 0, event = 0] = await recordIds.take(3);
    return await posting(sql, async (tx): Promise<Ordered> => {
      const { accountId: account_id, reference, by, actor } = order;
      const cbu = await lockPayoutCbu(tx, account_id);
      const waiting = await waitingFor(tx, order);
      if (waiting) return { outcome: 'proposed', proposal: waiting };
      const at = clocks.business.now();
      const before = await paidOutSince(tx, { accountId: account_id, by }, midnightOf(dayOf(at)));
      const most = minus(above, before);
      const sent = await sendIn(tx, { ...order, cbu, at, most }, { id, journal, event });
      if (sent.outcome !== 'above') return sent;
      if (by === null) throw nobodyNamed(above, before);
      const { amount } = sent;
      const proposal = await propose(
        tx,
        { account_id, kind: 'payout', reference, amount, terms: { cbu }, proposed_by: by },
        { id, at, actor, eventId: event },
      );
      return { outcome: 'proposed', proposal };
    });
  };

export type ApprovePayout = (decision: Decision) => Promise<Proposal>;

/**
 * Approves a payout and sends it. 403: by who proposed it; 404: no such; 409: it was decided, the
 * balance does not cover it any more, or the account's CBU is another one by now.
 */
export const approvePayout =
  ({ sql, clocks, recordIds }: Base): ApprovePayout =>
  async (decision) => {
    const [payoutId = 0, journal = 0, event = 0, eventId = 0] = await recordIds.take(4);
    return await posting(sql, async (tx) => {
      const found = await findProposal(tx, 'payout', decision.id);
      // Held before the proposal, in the order in which all do; who it is of decides nothing.
      const cbu = found ? await lockPayoutCbu(tx, found.account_id) : null;
      const at = clocks.business.now();
      const { actor } = decision;
      return await approveIn(tx, 'payout', decision, { at, actor, eventId }, async (row) => {
        if (cbu !== row.terms.cbu) {
          throw conflict(
            'The CBU of the account was changed since: reject this and propose again.',
          );
        }
        const { account_id: accountId, amount, reference } = row;
        const wanted = { accountId, amount, reference, actor, cbu, at, by: row.proposed_by };
        const sent = await sendIn(tx, wanted, { id: payoutId, journal, event });
        if (sent.outcome === 'sent') return { payout_id: sent.payout.id };
        throw conflict(`The reference ${reference} was paid out before.`);
      });
    });
  };
