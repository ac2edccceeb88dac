import type {
  Decision,
  Proposal,
  ProposalApproving,
  ProposalRejecting,
  Reject,
} from '../../money/proposals/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { AccountAct, ServiceAct } from '../../users/index.ts';
import type { Page, Portal } from '../frame/index.ts';
import { type OperationForm, operationForm } from '../frame/operation.tsx';
import type { VisitFor } from '../frame/portal.ts';
import type { DecisionForms } from './views.tsx';

/** The acts of a second person. */
type Approves = 'payouts.approve' | 'corrections.approve' | 'refunds.approve';

/** The operations that decide on one kind of proposals. */
export interface Deciding<A extends Approves> {
  kind: Proposal['kind'];
  /** The path of its pages: `/payouts`. */
  path: string;
  see: A extends AccountAct ? AccountAct : ServiceAct;
  approving: ProposalApproving<A>;
  rejecting: ProposalRejecting<A>;
}

interface Door<A extends Approves> {
  /** Called only when a decision is made. */
  verbs(): {
    base: { sql: Queryable };
    approve(decision: Decision): Promise<Proposal>;
    reject: Reject;
  };
  /** The account whose proposals this visitor decides; absent: any account's. */
  accountOf?(visit: VisitFor<A>): string;
  /** The page of a proposal with both forms. */
  show(visit: VisitFor<A>, forms: DecisionForms): Promise<Page>;
}

/** Routes of both decisions on a proposal, and of its page. */
export function decisionPages<A extends Approves>(
  portal: Portal,
  { kind, path, see, approving, rejecting }: Deciding<A>,
  { verbs, accountOf, show }: Door<A>,
): void {
  const here = `${path}/proposals/:id`;
  const deciderOf = (visit: VisitFor<A>) => {
    const accountId = accountOf?.(visit);
    const { base, approve, reject } = verbs();
    const whose = accountId === undefined ? {} : { accountId };
    return { sql: base.sql, kind, by: visit.user.id, approve, reject, ...whose };
  };
  const done = (visit: VisitFor<A>, { id }: Proposal) => ({
    to: visit.at(`${path}/proposals/${id}`),
  });
  const on = { path: here, act: see };
  const approval: OperationForm<A> = operationForm(portal, approving, {
    path: `${here}/approve`,
    on,
    verbOf: deciderOf,
    page: async (visit, form) =>
      await show(visit, { approve: form, reject: await rejection.form(visit) }),
    done,
  });
  const rejection: OperationForm<A> = operationForm(portal, rejecting, {
    path: `${here}/reject`,
    on,
    verbOf: deciderOf,
    grave: true,
    page: async (visit, form) =>
      await show(visit, { approve: await approval.form(visit), reject: form }),
    done,
  });
  portal.page({
    act: see as A,
    path: here,
    read: async (visit) =>
      await show(visit, {
        approve: await approval.form(visit),
        reject: await rejection.form(visit),
      }),
  });
}
