import { randomUUID } from 'node:crypto';
import type { PayoutCbu } from '../../accounts/index.ts';
import { type AskPayout, payableNow, payoutWithdrawing } from '../../money/payouts/index.ts';
import {
  decidedOf,
  findProposal,
  type Proposal,
  type Reject,
  waitingOf,
} from '../../money/proposals/index.ts';
import type { Base } from '../../platform/base.ts';
import type { Clocks } from '../../platform/clocks.ts';
import { Refusal } from '../../platform/errors.ts';
import { comments } from '../../requests/index.ts';
import { keyIn } from '../frame/creating.tsx';
import { typedPesos } from '../frame/filters.tsx';
import {
  type AccountVisit,
  type Answer,
  type Page,
  type Portal,
  portalRefusal,
} from '../frame/index.ts';
import { type OperationForm, operationForm } from '../frame/operation.tsx';
import { type AskDraft, askPage, askPath } from './ask.tsx';

export interface AskParts {
  base: Pick<Base, 'sql'>;
  clocks: Clocks;
  fourEyes: { askPayout: AskPayout; reject: Reject };
  settings: { readCbu(accountId: string): Promise<PayoutCbu> };
}

const maxDecided = 5;

const ofVisit = ({ account }: AccountVisit, { clocks }: Pick<AskParts, 'clocks'>) =>
  ({ accountId: account.id, kind: 'payout', at: clocks.business.now() }) as const;

/**
 * Reads payouts that the account's users requested: the open one, then the latest that were decided
 * or expired.
 */
export async function readPayoutRequests(
  parts: Pick<AskParts, 'base' | 'clocks'>,
  visit: AccountVisit,
): Promise<Proposal[]> {
  const { sql } = parts.base;
  const of = ofVisit(visit, parts);
  const [waiting, decided] = await Promise.all([
    waitingOf(sql, of, 1),
    decidedOf(sql, of, { behind: null, limit: maxDecided }),
  ]);
  return [...waiting, ...decided];
}

/** Serves the pages that request payouts from the operator. */
export function askPages(portal: Portal, parts: AskParts): void {
  async function show(visit: AccountVisit, draft: AskDraft): Promise<Page> {
    const { sql } = parts.base;
    const accountId = visit.account.id;
    const [available, cbu, [open = null]] = await Promise.all([
      payableNow(sql, accountId),
      parts.settings.readCbu(accountId),
      waitingOf(sql, ofVisit(visit, parts), 1),
    ]);
    return askPage(visit, { available, cbu, open, draft });
  }

  async function asks(visit: AccountVisit): Promise<Answer> {
    const { account, user, actor, posted, at } = visit;
    const typed = (posted.get('amount') ?? '').trim();
    const draft: AskDraft = { key: keyIn(visit), amount: typed };
    const amount = typed === '' ? null : typedPesos(typed);
    if (typed !== '' && amount === null) {
      return await show(visit, { ...draft, fault: 'amountFault' });
    }
    try {
      const proposal = await parts.fourEyes.askPayout({
        accountId: account.id,
        amount,
        reference: `pedido-${draft.key.slice(-12)}`,
        by: user.id,
        actor,
      });
      // The form was already sent with another amount. Only a new form requests more.
      return amount === null || proposal.amount === amount
        ? { to: at('/money') }
        : await show(visit, { ...draft, key: randomUUID(), fault: 'asked_before' });
    } catch (error) {
      // The page itself explains open requests and a missing CBU, so this is an insufficient
      // balance.
      if (!(error instanceof Refusal && error.kind === 'conflict')) throw error;
      return await show(visit, { ...draft, fault: 'tooMuch' });
    }
  }

  portal.page({
    act: 'payouts.make',
    path: askPath,
    once: true,
    read: (visit) => show(visit, { key: keyIn(visit), amount: '' }),
  });
  portal.form({ act: 'payouts.make', path: askPath, does: asks });
}

/** Renders the form that withdraws a payout request, on the page of the account's money. */
export const withdrawalForm = (
  portal: Portal,
  { base, fourEyes }: Pick<AskParts, 'base' | 'fourEyes'>,
  page: (visit: AccountVisit) => Promise<Page>,
): OperationForm<'payouts.make'> =>
  operationForm(portal, payoutWithdrawing, {
    path: '/money/payouts/asked/:id/withdraw',
    on: { path: '/money', act: 'money.see' },
    verbOf:
      ({ account, user, actor }) =>
      async (id) => {
        const row = await findProposal(base.sql, 'payout', id);
        if (row?.account_id !== account.id || row.expires_at === null)
          throw portalRefusal('page.not_found', {});
        const reason = comments.withdrawn(user.email);
        const key = { accountId: account.id, id };
        return await fourEyes.reject('payout', { ...key, by: user.id, actor, reason });
      },
    grave: true,
    page,
  });
