import { type Centavos, decimalText, zero } from '../../kernel/money.ts';
import {
  balancesAround,
  type Decision,
  decidedOf,
  findProposal,
  type Proposal,
  type Reject,
  refundApproving,
  refundRejecting,
  standingOf,
  waitingOf,
} from '../../money/proposals/index.ts';
import { refundLimiting } from '../../money/refunds/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Clocks } from '../../platform/clocks.ts';
import { membersOf, namesOf } from '../../users/index.ts';
import { decisionPages } from '../four-eyes/decisions.ts';
import { fourEyesTexts } from '../four-eyes/texts.ts';
import { type DecisionForms, type ProposalModel, proposalPage } from '../four-eyes/views.tsx';
import {
  type AccountVisit,
  idIn,
  numberIn,
  type Page,
  type Portal,
  portalRefusal,
} from '../frame/index.ts';
import { operationPages } from '../frame/operation.tsx';
import { limitPage, limitPath } from './limit.tsx';
import { refundTexts } from './texts.ts';
import { refundsPage, rowsAtOnce } from './views.tsx';

export interface RefundPageParts {
  base: Pick<Base, 'sql'>;
  clocks: Clocks;
  refunds: { approve(decision: Decision): Promise<Proposal> };
  fourEyes: { reject: Reject };
  settings: {
    refundLimit(accountId: string): Promise<Centavos | null>;
    limitRefunds(
      actor: Actor,
      change: { account: { id: string; name: string }; above: Centavos | null },
    ): Promise<void>;
  };
}

const path = '/refunds';
const mostWaiting = 200;

/** Lists the facts of a proposal. Notes if its author has left. */
function factsOf(visit: AccountVisit, row: Proposal, works: boolean): ProposalModel['facts'] {
  const { lang, at } = visit;
  const texts = fourEyesTexts[lang];
  const id = row.request_id;
  return [
    [refundTexts[lang].request, <a href={at(`/requests/${id}`)}>{id}</a>],
    ...(works ? [] : [[texts.note, texts.left] as const]),
  ];
}

/** Serves proposed refunds and the limit above which they need two people. */
export function refundPages(portal: Portal, parts: RefundPageParts): void {
  const read = async (visit: AccountVisit): Promise<Proposal> => {
    const row = await findProposal(parts.base.sql, 'refund', idIn(visit));
    if (row?.account_id !== visit.account.id) throw portalRefusal('page.not_found', {});
    return { ...row, state: standingOf(row, parts.clocks.business.now()) };
  };

  async function show(visit: AccountVisit, forms: DecisionForms): Promise<Page> {
    const row = await read(visit);
    const { sql } = parts.base;
    const people = [row.proposed_by, ...(row.decided_by === null ? [] : [row.decided_by])];
    const [names, members] = await Promise.all([
      namesOf(sql, people),
      membersOf(sql, visit.account.id, parts.clocks.wall.now()),
    ]);
    const works = members.some(({ id }) => id === row.proposed_by);
    const balances = visit.may('money.see') ? balancesAround(row, zero) : null;
    return proposalPage(
      visit,
      { row, names, balances, facts: factsOf(visit, row, works) },
      {
        path,
        title: refundTexts[visit.lang].one(row.id),
        up: refundTexts[visit.lang].title,
      },
      forms,
    );
  }

  decisionPages(
    portal,
    {
      kind: 'refund',
      path,
      see: 'requests.see',
      approving: refundApproving,
      rejecting: refundRejecting,
    },
    {
      verbs: () => ({
        base: parts.base,
        approve: (decision) => parts.refunds.approve(decision),
        reject: parts.fourEyes.reject,
      }),
      accountOf: ({ account }) => account.id,
      show,
    },
  );

  portal.page({
    act: 'requests.see',
    path,
    async read(visit) {
      const accountId = visit.account.id;
      const of = { accountId, kind: 'refund', at: parts.clocks.business.now() } as const;
      const behind = numberIn(visit.query.get('behind') ?? '');
      const [waiting, decided, above] = await Promise.all([
        waitingOf(parts.base.sql, of, mostWaiting),
        decidedOf(parts.base.sql, of, { behind, limit: rowsAtOnce + 1 }),
        parts.settings.refundLimit(accountId),
      ]);
      return refundsPage(visit, { waiting, decided, above });
    },
  });
  limitPages(portal, parts);
}

/** Serves the form for the limit above which refunds need two people. */
function limitPages(portal: Portal, { settings }: RefundPageParts): void {
  operationPages(portal, refundLimiting, {
    path: limitPath,
    verbOf:
      ({ account }) =>
      (above, actor) =>
        settings.limitRefunds(actor, { account, above }),
    async initial({ account }) {
      const above = await settings.refundLimit(account.id);
      // The pages of both languages use a comma.
      return { above: above === null ? '' : decimalText(above).replace('.', ',') };
    },
    back: ({ at }) => at('/settings'),
    page: async (visit, form) => limitPage(visit, form),
    done: ({ at }) => ({ to: at('/settings?saved=1') }),
  });
}
