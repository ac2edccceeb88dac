import { holderBalances } from '../../../money/ledger/index.ts';
import {
  balancesAround,
  type Decision,
  findProposal,
  isOfAccount,
  latestProposals,
  listWaiting,
  type Proposal,
  type Reject,
  standingOf,
} from '../../../money/proposals/index.ts';
import type { Base } from '../../../platform/base.ts';
import type { Clocks } from '../../../platform/clocks.ts';
import { namesOf } from '../../../users/index.ts';
import { decisionsOn } from '../../four-eyes/decisions.ts';
import { fourEyesTexts } from '../../four-eyes/texts.ts';
import { type ProposalModel, proposalPage } from '../../four-eyes/views.tsx';
import {
  idIn,
  type Page,
  type Portal,
  portalRefusal,
  type ServiceVisit,
} from '../../frame/index.ts';
import { behindIn, type ProposalLists, pageOf } from './pager.tsx';

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
  clocks: { business: Pick<Clocks['business'], 'now'> };
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

function factsOf({ lang }: ServiceVisit, row: Proposal): ProposalModel['facts'] {
  const texts = fourEyesTexts[lang];
  return [
    [texts.account, row.account_id],
    isOfAccount(row)
      ? [texts.ofAccount, texts.ofAccountYes]
      : [texts.reference, <bdi>{row.reference}</bdi>],
  ];
}

/** The page of a proposal, and its two decisions. */
export function proposalPages(portal: Portal, of: FourEyesKind, verbs: () => Verbs): void {
  const { kind, path, acts } = of;

  const read = async (visit: ServiceVisit): Promise<Proposal> => {
    const { base, clocks } = verbs();
    const row = await findProposal(base.sql, kind, idIn(visit));
    if (!row) throw portalRefusal('page.not_found', {});
    return { ...row, state: standingOf(row, clocks.business.now()) };
  };

  async function show(visit: ServiceVisit, fault?: ProposalModel['fault']): Promise<Page> {
    const row = await read(visit);
    const { sql } = verbs().base;
    const people = [row.proposed_by, row.first_approved_by, row.decided_by].filter(
      (id) => id !== null,
    );
    const [names, { available }] = await Promise.all([
      namesOf(sql, people),
      holderBalances(sql, row.account_id),
    ]);
    const balances = balancesAround(row, available);
    return proposalPage(
      visit,
      { row, names, balances, facts: factsOf(visit, row), fault },
      {
        path,
        title: of.titleOf(visit, row),
        up: of.upOf(visit),
        mayApprove: visit.may(acts.approve),
        mayReject: visit.may(acts.approve),
      },
    );
  }

  const { approves, rejects } = decisionsOn({
    kind,
    path,
    read,
    show,
    approve: (decision) => verbs().approve(decision),
    reject: (rejected, rejection) => verbs().reject(rejected, rejection),
  });
  portal.page({ act: acts.see, path: `${path}/proposals/:id`, read: (visit) => show(visit) });
  portal.form({ act: acts.approve, path: `${path}/proposals/:id/approve`, does: approves });
  portal.form({ act: acts.approve, path: `${path}/proposals/:id/reject`, does: rejects });
}
