import type { Base } from '../../platform/base.ts';
import { posting } from '../ledger/index.ts';
import {
  expireIn,
  findNamed,
  lapseOf,
  type Proposal,
  pendingPayoutRequest,
  propose,
  standingOf,
} from '../proposals/index.ts';
import { refusal } from './codes.ts';
import { payableOf } from './payable.ts';
import { lockPayoutCbu, type NewPayout } from './payouts.ts';

/** A payout that an account's users request. */
export interface PayoutAsk extends NewPayout {
  /** The requesting user. */
  by: number;
}

export type AskPayout = (ask: PayoutAsk) => Promise<Proposal>;

/**
 * Requests a payout to the current CBU. Books nothing, and `approvePayout` checks balance and CBU
 * again. A repeated reference returns the first request, in any state. Throws 403 if the account is
 * suspended, 404 for an unknown account, 409 if a request is pending, the account has no CBU, the
 * balance is insufficient, or anything in its books is forged.
 */
export const askPayout =
  ({ sql, clocks, recordIds }: Base): AskPayout =>
  async (ask) => {
    const [id = 0, eventId = 0, lapsed = 0] = await recordIds.take(3);
    return await posting(sql, async (tx) => {
      const { accountId, reference, by, actor } = ask;
      const cbu = await lockPayoutCbu(tx, accountId);
      const known = await findNamed(tx, { accountId, kind: 'payout', reference });
      if (known) return known;
      const at = clocks.business.now();
      const open = await pendingPayoutRequest(tx, accountId);
      if (open && standingOf(open, at) === 'waiting') {
        throw refusal('payout.request_waits', { amount: open.amount });
      }
      if (open) await expireIn(tx, open, { at, eventId: lapsed });
      if (cbu === null) throw refusal('payout.no_cbu', {});
      const amount = await payableOf(tx, ask);
      return await propose(
        tx,
        {
          account_id: accountId,
          kind: 'payout',
          reference,
          amount,
          terms: { cbu },
          proposed_by: by,
          expires_at: lapseOf(at),
        },
        { id, at, actor, eventId },
      );
    });
  };
