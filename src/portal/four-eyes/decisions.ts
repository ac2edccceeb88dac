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

/** Acts that approve another person's proposal. */
type Approves = 'payouts.approve' | 'corrections.approve' | 'refunds.approve';

/** Operations that decide on one kind of proposal. */
export interface Deciding<A extends Approves> {
  kind: Proposal['kind'];
  /** Path of the kind's pages, such as `/payouts`. */
  path: string;
  see: A extends AccountAct ? AccountAct : ServiceAct;
  approving: ProposalApproving<A>;
  rejecting: ProposalRejecting<A>;
}

interface Door<A extends Approves> {
  verbs(): {
    base: { sql: Queryable };
    approve(decision: Decision): Promise<Proposal>;
    reject: Reject;
  };
  /**
   * Returns the account whose proposals this visitor decides. Absent for operators, who decide for
   * all accounts.
   */
  accountOf?(visit: VisitFor<A>): string;
  show(visit: VisitFor<A>, forms: DecisionForms): Promise<Page>;
}

/** Serves a proposal's page and its two decisions. */
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
