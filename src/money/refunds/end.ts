import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Transaction } from '../../platform/postgres/connect.ts';
import { lockRequest, type RequestRow } from '../../requests/index.ts';
import { channels } from '../channels/index.ts';
import { lockPayment, type ResultRow } from '../collections/index.ts';
import { entry, ledgerAccounts, posting } from '../ledger/index.ts';
import { type ReservedRefund, reversalIds, reverseIn, setAside } from '../reversals/index.ts';
import { refusal } from './codes.ts';
import type { RefundKey, RefundRow } from './refund.ts';
import { refundData } from './request.ts';
import { type Aside, endRow, giveBackAside } from './store.ts';
import { findRefund, refuseForged } from './store-reads.ts';

/**
 * The end of a refund. `comment` is the channel's or operator's id, or the reason for the failure.
 */
export interface RefundEnd extends RefundKey {
  state: 'done' | 'failed';
  comment: string;
  actor: Actor;
}

export type EndRefund = (end: RefundEnd) => Promise<'ended' | 'known'>;

interface Ended {
  refund: RefundRow;
  request: RequestRow;
  target: ResultRow;
  ids: Awaited<ReturnType<typeof reversalIds>>;
}

/**
 * Returns the reserved amounts, and the ledger account that the money leaves from. The operator's
 * transfers leave from its own bank account, as payouts do.
 */
const reservationOf = (refund: RefundRow, target: ResultRow): ReservedRefund => ({
  id: refund.id,
  reserved: refund.held,
  reservedUnavailable: refund.held_unavailable,
  from:
    refund.way === 'transfer' ? ledgerAccounts.clearingPayouts : channels[target.channel].clearing,
});

/** Books a completed refund by reversing the payment out of the reserved amount. */
async function book(
  tx: Transaction,
  base: Base,
  { refund, target, ids }: Ended,
  { actor, comment }: RefundEnd,
): Promise<void> {
  const { account_id: accountId, request_id: id } = refund;
  await reverseIn(
    tx,
    base,
    {
      key: { accountId, id },
      type: 'refund',
      resultId: refund.result_id,
      amount: refund.amount,
      actor,
      source: 'refund',
      sourceRef: String(refund.id),
      comment,
      ends: reservationOf(refund, target),
    },
    ids,
  );
}

/**
 * Undoes a failed refund by returning the reserved amount to its balances. If the payment was
 * released in between, all of it becomes available.
 */
async function undo(
  tx: Transaction,
  { clocks }: Base,
  { refund, request, target, ids }: Ended,
  { actor, comment }: RefundEnd,
): Promise<void> {
  const at = clocks.business.now();
  const { unavailable, available } = setAside(reservationOf(refund, target), target);
  const aside: Aside = {
    journalId: ids.journal,
    kind: 'refund_undone',
    amount: -refund.amount,
    unavailable: -unavailable,
    entry: entry([
      [ledgerAccounts.refundsInProgress, refund.held],
      [ledgerAccounts.holderUnavailable, -unavailable],
      [ledgerAccounts.holderAvailable, -available],
    ]),
  };
  await giveBackAside(tx, refund, aside, {
    id: ids.event,
    kind: request.kind,
    what: 'fail_refund',
    at,
    actor,
    data: { ...refundData(refund, request, target), reason: comment },
  });
}

/**
 * Records how a refund ended. Returns `known` for a repeat. Throws 404 for an unknown refund, 409
 * if it ended differently or is forged.
 */
export const endRefund =
  (base: Base): EndRefund =>
  async (end) => {
    const ids = await reversalIds(base);
    return await posting(base.sql, async (tx) => {
      const refund = await findRefund(tx, end);
      if (!refund) throw refusal('refund.not_found', {});
      const key = { accountId: refund.account_id, id: refund.request_id };
      const request = await lockRequest(tx, key);
      const target = await lockPayment(tx, key, refund.result_id);
      if (!request || !target) throw refusal('refund.payment_not_found', {});
      const at = base.clocks.business.now();
      if (!(await endRow(tx, refund, { ...end, at }))) {
        const now = await findRefund(tx, end);
        if (now?.state === end.state) return 'known';
        throw refusal('refund.ended', { state: now?.state ?? 'gone' });
      }
      await refuseForged(tx, [refund]);
      const ended = { refund, request, target, ids };
      if (end.state === 'done') await book(tx, base, ended, end);
      else await undo(tx, base, ended, end);
      return 'ended';
    });
  };
