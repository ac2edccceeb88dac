import { listAccounts } from '../../../accounts/index.ts';
import { type Centavos, maxSumDigits } from '../../../kernel/money.ts';
import type { ApproveCorrection, OrderCorrection } from '../../../money/corrections/index.ts';
import type { Reject } from '../../../money/proposals/index.ts';
import type { Base } from '../../../platform/base.ts';
import type { Clocks } from '../../../platform/clocks.ts';
import { Refusal } from '../../../platform/errors.ts';
import { fourEyesTexts } from '../../four-eyes/texts.ts';
import type { Answer, Page, Portal, ServiceVisit } from '../../frame/index.ts';
import { pesosIn, reasonIn, referenceIn } from '../forms/read.ts';
import { proposalPages, readProposals } from '../four-eyes/routes.tsx';
import { type CorrectionsModel, correctionsPage, type Draft } from './pages.tsx';
import { correctionTexts } from './texts.ts';

export interface CorrectionParts {
  base: Pick<Base, 'sql'>;
  clocks: Clocks;
  fourEyes: {
    limits: { correction: Centavos };
    orderCorrection: OrderCorrection;
    approveCorrection: ApproveCorrection;
    reject: Reject;
  };
}

const typed = ({ posted }: ServiceVisit, name: string): string => (posted.get(name) ?? '').trim();

/** Corrections of balances: proposed, decided by another person. */
export function correctionPages(portal: Portal, parts: CorrectionParts): void {
  proposalPages(
    portal,
    {
      kind: 'correction',
      path: '/corrections',
      acts: {
        see: 'corrections.see',
        propose: 'corrections.propose',
        approve: 'corrections.approve',
      },
      titleOf: ({ lang }, { id }) => correctionTexts[lang].one({ id }),
      upOf: ({ lang }) => correctionTexts[lang].title,
    },
    () => ({
      base: parts.base,
      clocks: parts.clocks,
      approve: parts.fourEyes.approveCorrection,
      reject: parts.fourEyes.reject,
    }),
  );

  async function list(
    visit: ServiceVisit,
    more: Pick<CorrectionsModel, 'draft' | 'done'> = {},
  ): Promise<Page> {
    const [proposals, accounts] = await Promise.all([
      readProposals(parts.base, 'correction', visit.query),
      listAccounts(parts.base.sql),
    ]);
    const limit = parts.fourEyes.limits.correction;
    return correctionsPage(visit, { ...proposals, accounts, limit, ...more });
  }

  async function propose(visit: ServiceVisit): Promise<Answer> {
    const texts = correctionTexts[visit.lang];
    const shared = fourEyesTexts[visit.lang];
    const account = typed(visit, 'account');
    const amount = pesosIn(typed(visit, 'amount'), maxSumDigits);
    const reference = referenceIn(typed(visit, 'reference'));
    const note = reasonIn(typed(visit, 'note'));
    const draft: Draft = {
      account,
      amount: typed(visit, 'amount'),
      reference: typed(visit, 'reference'),
      note: typed(visit, 'note'),
      faults: [],
      status: 400,
    };
    const faults = [
      account === '' && { field: 'account', label: shared.account, text: texts.accountFault },
      !amount && { field: 'amount', label: texts.amount, text: texts.amountFault },
      reference === null && {
        field: 'reference',
        label: shared.reference,
        text: texts.lineFault,
      },
      note === null && { field: 'note', label: shared.note, text: texts.lineFault },
    ].filter((one) => one !== false);
    if (!amount || reference === null || note === null || faults.length > 0) {
      return await list(visit, { draft: { ...draft, faults } });
    }
    try {
      const { user, actor } = visit;
      const order = { accountId: account, amount, reference, note, by: user.id, actor };
      const ordered = await parts.fourEyes.orderCorrection(order);
      if (ordered.outcome !== 'proposed') return await list(visit, { done: ordered.outcome });
      return { to: visit.at(`/corrections/proposals/${ordered.proposal.id}`) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return await list(visit, { draft: { ...draft, told: error, status: error.status } });
    }
  }

  portal.page({ act: 'corrections.see', path: '/corrections', read: (visit) => list(visit) });
  portal.form({ act: 'corrections.propose', path: '/corrections', does: propose });
}
