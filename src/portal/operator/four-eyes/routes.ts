import { holderBalances } from '../../../money/ledger/index.ts';
import {
  type Decision,
  findProposal,
  latestProposals,
  listWaiting,
  type Proposal,
  type Reject,
} from '../../../money/proposals/index.ts';
import type { Base } from '../../../platform/base.ts';
import { notFound, Refusal } from '../../../platform/errors.ts';
import { namesOf } from '../../../users/index.ts';
import { type Answer, idIn, type Page, type Portal, type ServiceVisit } from '../../frame/index.ts';
import { reasonIn } from '../forms/read.ts';
import { behindIn, pageOf } from './pager.tsx';
import { type ProposalLists, type ProposalModel, proposalPage } from './views.tsx';

/** What of one kind takes two people. */
export interface FourEyesKind {
  kind: 'payout' | 'correction';
  /** Where its pages stand. */
  path: '/payouts' | '/corrections';
  acts: {
    see: 'payouts.see' | 'corrections.see';
    propose: 'payouts.propose' | 'corrections.propose';
    approve: 'payouts.approve' | 'corrections.approve';
  };
  titleOf(visit: ServiceVisit, row: Proposal): string;
  upOf(visit: ServiceVisit): string;
}

interface Verbs {
  base: Pick<Base, 'sql'>;
  approve(decision: Decision): Promise<Proposal>;
  reject: Reject;
}

const latestShown = 20;
const mostWaiting = 200;

/** What waits, and a page of all, the latest first. */
export const readProposals = async (
  { sql }: Pick<Base, 'sql'>,
  kind: FourEyesKind['kind'],
  query: URLSearchParams,
): Promise<ProposalLists> => {
  const [waiting, latest] = await Promise.all([
    listWaiting(sql, kind, mostWaiting),
    latestProposals(sql, kind, { behind: behindIn(query, 'behind'), limit: latestShown + 1 }),
  ]);
  return { waiting, latest: pageOf(latest, latestShown) };
};

/** The page of a proposal, and its two decisions. */
export function proposalPages(portal: Portal, of: FourEyesKind, verbs: () => Verbs): void {
  const { kind, path, acts } = of;

  const read = async (visit: ServiceVisit): Promise<Proposal> => {
    const row = await findProposal(verbs().base.sql, kind, idIn(visit));
    if (!row) throw notFound('proposal');
    return row;
  };

  async function show(visit: ServiceVisit, fault?: ProposalModel['fault']): Promise<Page> {
    const row = await read(visit);
    const { sql } = verbs().base;
    const people = [row.proposed_by, ...(row.decided_by === null ? [] : [row.decided_by])];
    const [names, { available }] = await Promise.all([
      namesOf(sql, people),
      holderBalances(sql, row.account_id),
    ]);
    return proposalPage(
      visit,
      { row, names, available, fault },
      {
        path,
        title: of.titleOf(visit, row),
        up: of.upOf(visit),
        mayApprove: visit.may(acts.approve),
        mayReject: visit.may(acts.approve),
      },
    );
  }

  async function decided(
    visit: ServiceVisit,
    decide: (decision: Decision) => Promise<unknown>,
  ): Promise<Answer> {
    const { account_id: accountId, id } = await read(visit);
    try {
      await decide({ accountId, id, by: visit.user.id, actor: visit.actor });
      return { to: visit.at(`${path}/proposals/${id}`) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'not_found') throw error;
      return await show(visit, { told: error.message, status: error.status });
    }
  }

  portal.page({ act: acts.see, path: `${path}/proposals/:id`, read: (visit) => show(visit) });
  portal.form({
    act: acts.approve,
    path: `${path}/proposals/:id/approve`,
    does: (visit) => decided(visit, (decision) => verbs().approve(decision)),
  });
  portal.form({
    act: acts.approve,
    path: `${path}/proposals/:id/reject`,
    async does(visit) {
      const reason = reasonIn(visit.posted.get('reason'));
      if (reason === null) return await show(visit, { reason: true, status: 400 });
      return await decided(visit, (decision) => verbs().reject(kind, { ...decision, reason }));
    },
  });
}
