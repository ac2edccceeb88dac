import { lockAccount } from '../../accounts/index.ts';
import { type Centavos, plus, sumOf } from '../../kernel/money.ts';
import type { Transaction } from '../../platform/postgres/connect.ts';
import { holderBalances, posting } from '../ledger/index.ts';
import {
  approveIn,
  type Decision,
  findNamed,
  lapseOf,
  type Proposal,
  propose,
  waitingOnRequest,
} from '../proposals/index.ts';
import { leftOf } from '../reversals/index.ts';
import { refusal } from './codes.ts';
import type { RefundRow } from './refund.ts';
import {
  type Prepared,
  prepare,
  put,
  type RefundIds,
  type RefundParts,
  type RefundRequest,
  refundIds,
} from './request.ts';
import { findByReference, requestedByPeople } from './store-reads.ts';

/** A person's order for a refund in the portal. */
export type RefundOrder = Omit<RefundRequest, 'uncovered' | 'why' | 'by'> & {
  /** The ordering user. */
  by: number;
};

/** `proposed`: needs a second person, or was decided by one. */
export type OrderedRefund =
  | { outcome: 'requested' | 'known'; refund: RefundRow }
  | { outcome: 'proposed'; proposal: Proposal };

export type OrderRefund = (order: RefundOrder) => Promise<OrderedRefund>;

/** Returns the sum of the pending proposals to refund a payment. */
async function waitingFor(tx: Transaction, { row }: Prepared): Promise<Centavos> {
  const of = { accountId: row.account_id, id: row.request_id };
  const proposals = await waitingOnRequest(tx, of, row.requested_at);
  return sumOf(
    proposals.filter(({ terms }) => terms.result_id === row.result_id).map(({ amount }) => amount),
  );
}

function refuseMoreThanLeft({ row, target }: Prepared, waiting: Centavos): void {
  const left = leftOf(target);
  if (plus(row.amount, waiting) <= left) return;
  throw refusal('refund.waits_for_approval', { left, waiting });
}

/** Returns true if a payment's refunds by people, including this one, exceed one person's limit. */
async function takesTwo(
  tx: Transaction,
  { row }: Prepared,
  { above, waiting }: { above: number | undefined; waiting: Centavos },
): Promise<boolean> {
  if (above === undefined) return false;
  const key = { accountId: row.account_id, id: row.request_id };
  const requestedSum = await requestedByPeople(tx, key, row.result_id);
  return plus(plus(row.amount, requestedSum), waiting) > above;
}

const proposed = (
  tx: Transaction,
  { row, request }: Prepared,
  { by, actor }: RefundOrder,
  ids: RefundIds,
): Promise<Proposal> =>
  propose(
    tx,
    {
      account_id: row.account_id,
      kind: 'refund',
      reference: row.reference,
      request_id: row.request_id,
      amount: row.amount,
      terms: { result_id: row.result_id, cbu: row.cbu, kind: request.kind },
      proposed_by: by,
      expires_at: lapseOf(row.requested_at),
    },
    { id: ids.refund, at: row.requested_at, actor, eventId: ids.event },
  );

/**
 * Requests a refund for a user of the account. Above one person's limit, it becomes a proposal
 * after the same checks. The limit counts earlier refunds of the payment by people, and its open
 * proposals. A repeated reference returns the first outcome. Refuses like `requestRefund`, and
 * throws 409 if the amount and open proposals exceed what is left.
 */
export const orderRefund =
  (parts: RefundParts): OrderRefund =>
  async (order) => {
    const ids = await refundIds(parts.base);
    return await posting(parts.base.sql, async (tx): Promise<OrderedRefund> => {
      const { key, reference } = order;
      const { accountId } = key;
      const account = await lockAccount(tx, accountId);
      const refund = await findByReference(tx, key, reference);
      if (refund) return { outcome: 'known', refund };
      const named = await findNamed(tx, { accountId, kind: 'refund', reference });
      if (named) return { outcome: 'proposed', proposal: named };
      const prepared = await prepare(tx, parts, order, { refundId: ids.refund, account });
      const waiting = await waitingFor(tx, prepared);
      refuseMoreThanLeft(prepared, waiting);
      const above = account.settings.refund_approval_above;
      return (await takesTwo(tx, prepared, { above, waiting }))
        ? { outcome: 'proposed', proposal: await proposed(tx, prepared, order, ids) }
        : { outcome: 'requested', refund: await put(tx, prepared, order, ids) };
    });
  };

function refundRequestOf(row: Proposal, actor: Decision['actor']): RefundRequest {
  const { result_id: resultId, cbu, kind } = row.terms;
  return {
    key: { accountId: row.account_id, id: row.request_id ?? 0 },
    kind: kind as RefundRequest['kind'],
    resultId: Number(resultId),
    amount: row.amount,
    cbu: typeof cbu === 'string' ? cbu : null,
    reference: row.reference,
    actor,
    by: row.proposed_by,
  };
}

export type ApproveRefund = (
  decision: Decision,
) => Promise<{ proposal: Proposal; refund: RefundRow }>;

/**
 * Approves a refund and requests it as `requestRefund` would now. If that fails, the proposal stays
 * open. Throws like `requestRefund`, and 403 if the approver proposed it, 404 for an unknown
 * proposal, 409 if it is already decided or expired.
 */
export const approveRefund =
  (parts: RefundParts): ApproveRefund =>
  async (decision) => {
    const { base } = parts;
    const ids = await refundIds(base);
    const eventId = await base.recordIds.next();
    return await posting(base.sql, async (tx) => {
      const { accountId, actor } = decision;
      // Lock the account before the proposal, as everywhere.
      const account = await lockAccount(tx, accountId);
      const at = base.clocks.business.now();
      const refunds: RefundRow[] = [];
      const proposal = await approveIn(
        tx,
        'refund',
        decision,
        { at, actor, eventId },
        async (row) => {
          const refundRequest = refundRequestOf(row, actor);
          const before = await holderBalances(tx, accountId);
          const prepared = await prepare(tx, parts, refundRequest, {
            refundId: ids.refund,
            account,
          });
          const refund = await put(tx, prepared, refundRequest, ids);
          refunds.push(refund);
          const after = await holderBalances(tx, accountId);
          return {
            refund_id: refund.id,
            available_before: before.available,
            available_after: after.available,
            // Refunds take the unavailable part first, so the sum of both balances shows the
            // effect.
            balance_before: plus(before.available, before.unavailable),
            balance_after: plus(after.available, after.unavailable),
          };
        },
      );
      const [refund] = refunds;
      if (!refund) throw new Error('an approved refund was not asked for');
      return { proposal, refund };
    });
  };
