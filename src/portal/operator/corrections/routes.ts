import { listAccounts } from '../../../accounts/index.ts';
import type { Centavos } from '../../../kernel/money.ts';
import {
  type ApproveCorrection,
  balanceCorrecting,
  type OrderCorrection,
} from '../../../money/corrections/index.ts';
import {
  correctionApproving,
  correctionRejecting,
  type Reject,
} from '../../../money/proposals/index.ts';
import type { Base } from '../../../platform/base.ts';
import type { Clocks } from '../../../platform/clocks.ts';
import type { Page, Portal, ServiceVisit } from '../../frame/index.ts';
import { type OperationForm, operationForm } from '../../frame/operation.tsx';
import { proposalPages, readProposals } from '../four-eyes/routes.tsx';
import { type CorrectionsModel, correctionsPage } from './pages.tsx';
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

/** Serves corrections of balances. Above a limit, one person proposes and another decides. */
export function correctionPages(portal: Portal, parts: CorrectionParts): void {
  const path = '/corrections';
  proposalPages(
    portal,
    {
      kind: 'correction',
      path,
      see: 'corrections.see',
      approving: correctionApproving,
      rejecting: correctionRejecting,
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

  const list = async (
    visit: ServiceVisit,
    more: Pick<CorrectionsModel, 'form' | 'done'>,
  ): Promise<Page> => {
    const proposals = await readProposals(parts.base, 'correction', visit.query);
    return correctionsPage(visit, {
      ...proposals,
      limit: parts.fourEyes.limits.correction,
      ...more,
    });
  };

  const correcting: OperationForm<'corrections.propose'> = operationForm(
    portal,
    balanceCorrecting,
    {
      path,
      on: { path, act: 'corrections.see' },
      verbOf:
        ({ user }) =>
        (correction) =>
          parts.fourEyes.orderCorrection({ ...correction, by: user.id }),
      async choices() {
        const accounts = await listAccounts(parts.base.sql);
        return {
          account: accounts.map(({ id, name }) => ({ value: id, label: `${name} (${id})` })),
        };
      },
      page: (visit, form) => list(visit, { form }),
      done: async (visit, ordered) =>
        ordered.outcome === 'proposed'
          ? { to: visit.at(`${path}/proposals/${ordered.proposal.id}`) }
          : await list(visit, { form: await correcting.form(visit), done: ordered.outcome }),
    },
  );
  portal.page({
    act: 'corrections.see',
    path,
    read: async (visit) => await list(visit, { form: await correcting.form(visit) }),
  });
}
