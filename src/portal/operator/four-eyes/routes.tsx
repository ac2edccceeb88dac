import { accountNames } from '../../../accounts/index.ts';
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
import { type Deciding, decisionPages } from '../../four-eyes/decisions.ts';
import { fourEyesTexts } from '../../four-eyes/texts.ts';
import { type DecisionForms, type ProposalModel, proposalPage } from '../../four-eyes/views.tsx';
import { AccountName } from '../../frame/account-name.tsx';
import {
  idIn,
  type Page,
  type Portal,
  portalRefusal,
  type ServiceVisit,
} from '../../frame/index.ts';
import { behindIn, type ProposalLists, pageOf } from './pager.tsx';

type Approves = 'payouts.approve' | 'corrections.approve';

/** A kind of proposal that needs two people. */
export interface FourEyesKind<A extends Approves> extends Deciding<A> {
  kind: 'payout' | 'correction';
  titleOf(visit: ServiceVisit, row: Proposal): string;
  upOf(visit: ServiceVisit): string;
}

interface Verbs {
  base: Pick<Base, 'sql'>;
  clocks: { business: Pick<Clocks['business'], 'now'> };
  approve(decision: Decision): Promise<Proposal>;
  reject: Reject;
}

const proposalsAtOnce = 20;
const mostWaiting = 200;

/** Reads open proposals and a page of all proposals, newest first. */
export const readProposals = async (
  { sql }: Pick<Base, 'sql'>,
  kind: 'payout' | 'correction',
  query: URLSearchParams,
): Promise<ProposalLists> => {
  const [waiting, latest] = await Promise.all([
    listWaiting(sql, kind, mostWaiting),
    latestProposals(sql, kind, { behind: behindIn(query, 'behind'), limit: proposalsAtOnce + 1 }),
  ]);
  const ids = [...waiting, ...latest].map(({ account_id: id }) => id);
  const names = await accountNames(sql, ids);
  return { waiting, latest: pageOf(latest, proposalsAtOnce), names };
};

function factsOf(
  visit: ServiceVisit,
  row: Proposal,
  names: ReadonlyMap<string, string>,
): ProposalModel['facts'] {
  const texts = fourEyesTexts[visit.lang];
  return [
    [texts.account, <AccountName visit={visit} id={row.account_id} names={names} />],
    isOfAccount(row)
      ? [texts.ofAccount, texts.ofAccountYes]
      : [texts.reference, <bdi>{row.reference}</bdi>],
  ];
}

export function proposalPages<A extends Approves>(
  portal: Portal,
  of: FourEyesKind<A>,
  verbs: () => Verbs,
): void {
  const { kind, path } = of;

  const read = async (visit: ServiceVisit): Promise<Proposal> => {
    const { base, clocks } = verbs();
    const row = await findProposal(base.sql, kind, idIn(visit));
    if (!row) throw portalRefusal('page.not_found', {});
    return { ...row, state: standingOf(row, clocks.business.now()) };
  };

  async function show(visit: ServiceVisit, forms: DecisionForms): Promise<Page> {
    const row = await read(visit);
    const { sql } = verbs().base;
    const people = [row.proposed_by, row.first_approved_by, row.decided_by].filter(
      (id) => id !== null,
    );
    const [names, accounts, { available }] = await Promise.all([
      namesOf(sql, people),
      accountNames(sql, [row.account_id]),
      holderBalances(sql, row.account_id),
    ]);
    const balances = balancesAround(row, available);
    const model = { row, names, balances, facts: factsOf(visit, row, accounts) };
    const place = { path, title: of.titleOf(visit, row), up: of.upOf(visit) };
    return proposalPage(visit, model, place, forms);
  }

  decisionPages<A>(portal, of, {
    verbs,
    show: (visit, forms) => show(visit as ServiceVisit, forms),
  });
}
