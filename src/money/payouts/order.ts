import { dayOf, midnightOf } from '../../kernel/dates.ts';
import { type Centavos, minus } from '../../kernel/money.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { posting } from '../ledger/index.ts';
import {
  approveFirst,
  approveIn,
  type Decision,
  findProposal,
  findProposed,
  isOfAccount,
  noProposal,
  type Proposal,
  propose,
  standingOf,
} from '../proposals/index.ts';
import { refusal } from './codes.ts';
import { type Independence, refuseAlone, refuseChanger, refuseDecider } from './independence.ts';
import { lockPayoutCbu, type NewPayout, paidOutSince, sendIn } from './payouts.ts';
import type { PayoutRow } from './reads.ts';

/** A person's order for a payout. */
export interface PayoutOrder extends NewPayout {
  /** The proposing user, if a second person must approve. Null if not named. */
  by: number | null;
}

/** `proposed`: awaits a second person. */
export type Ordered =
  | { outcome: 'sent' | 'known'; payout: PayoutRow }
  | { outcome: 'proposed'; proposal: Proposal };

export type OrderPayout = (order: PayoutOrder) => Promise<Ordered>;

/** The limit for a second approval, and rules for approvers. */
export interface ApprovalTerms extends Independence {
  above: Centavos;
}

/**
 * Returns the pending proposal with the reference, so that it is not paid twice, or null if there
 * is none. Throws 409 if it has another amount.
 */
async function waitingFor(
  tx: Queryable,
  { accountId, reference, amount }: PayoutOrder,
): Promise<Proposal | null> {
  const found = await findProposed(tx, { accountId, kind: 'payout', reference });
  if (found?.state !== 'waiting') return null;
  if (amount === null || amount === found.amount) return found;
  throw refusal('payout.reference_waits', { reference, amount: found.amount });
}

/**
 * Pays out at once up to the limit, which counts all payouts by the same person to the account that
 * day. Above it, proposes the payout. A repeated reference returns the first outcome. Throws 403 if
 * the account is suspended, or two people are needed and the proposer recently changed the account,
 * 404 for an unknown account, 409 if it has no CBU, the balance is insufficient, anything in its
 * books is forged, the reference has another amount, or two people are needed and no proposer is
 * named.
 */
export const orderPayout =
  ({ sql, clocks, recordIds }: Base, terms: ApprovalTerms): OrderPayout =>
  async (order) => {
    const { above } = terms;
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
      if (by === null) {
        const paid = before > 0 ? 'yes' : 'no';
        throw refusal('payout.takes_two', { above, before, paid });
      }
      await refuseChanger(tx, terms, { accountId: account_id, by, at });
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
 * Returns how many operators must approve a payout, not counting one who proposed it. Throws like
 * `refuseDecider` if this operator may not approve it.
 */
async function decidersOf(
  tx: Queryable,
  terms: ApprovalTerms,
  { row, by, at }: { row: Proposal; by: number; at: Temporal.Instant },
): Promise<'one' | 'two'> {
  const { account_id: accountId, amount } = row;
  const ofAccount = isOfAccount(row);
  const before = await paidOutSince(tx, { accountId, by }, midnightOf(dayOf(at)));
  if (ofAccount && row.first_approved_by === null && amount <= minus(terms.above, before)) {
    return 'one';
  }
  await refuseDecider(tx, terms, { row, by, at });
  return ofAccount ? 'two' : 'one';
}

/**
 * Approves a payout and sends it. An account's request above the limit needs two operators, and the
 * first approval leaves it pending. Throws 403 if the account is suspended, or the approver
 * proposed it or is not independent, 404 for an unknown proposal, 409 if it is already decided,
 * there is no second operator, the balance is insufficient, anything in the account's books is
 * forged, the CBU changed, or the reference was paid before.
 */
export const approvePayout =
  ({ sql, clocks, recordIds }: Base, terms: ApprovalTerms): ApprovePayout =>
  async (decision) => {
    const [payoutId = 0, journal = 0, event = 0, eventId = 0] = await recordIds.take(4);
    return await posting(sql, async (tx) => {
      const { id, accountId, by, actor } = decision;
      const named = await findProposal(tx, 'payout', id);
      if (named?.account_id !== accountId) throw noProposal();
      // Lock the account before the proposal, like every other payout, then read the current CBU.
      const cbu = await lockPayoutCbu(tx, accountId);
      const found = (await findProposal(tx, 'payout', id)) ?? named;
      const deciding = { at: clocks.business.now(), actor, eventId };
      const { at } = deciding;
      const waits = standingOf(found, at) === 'waiting';
      if (waits && found.proposed_by === by) await refuseAlone(tx);
      const other = waits && found.proposed_by !== by;
      const takes = other ? await decidersOf(tx, terms, { row: found, by, at }) : 'one';
      if (takes === 'two' && (found.first_approved_by ?? by) === by) {
        return await approveFirst(tx, found, decision, deciding);
      }
      return await approveIn(tx, 'payout', decision, deciding, async (row) => {
        if (cbu !== row.terms.cbu) {
          throw refusal('payout.cbu_changed', {});
        }
        const { amount, reference } = row;
        const lockedPayout = { accountId, amount, reference, actor, cbu, at, by: row.proposed_by };
        const sent = await sendIn(tx, lockedPayout, { id: payoutId, journal, event });
        if (sent.outcome === 'sent') return { payout_id: sent.payout.id };
        throw refusal('payout.paid_before', { reference });
      });
    });
  };
