import { accountNames, listAccounts } from '../../../accounts/index.ts';
import type { Centavos } from '../../../kernel/money.ts';
import { availableBalances } from '../../../money/ledger/index.ts';
import {
  type ApprovePayout,
  type HandOverPayoutFile,
  listPayoutFiles,
  type MakePayoutFile,
  type OrderPayout,
  openTransfers,
} from '../../../money/payouts/index.ts';
import { payoutApproving, payoutRejecting, type Reject } from '../../../money/proposals/index.ts';
import type { Base } from '../../../platform/base.ts';
import type { Clocks } from '../../../platform/clocks.ts';
import { Refusal } from '../../../platform/errors.ts';
import { fourEyesTexts } from '../../four-eyes/texts.ts';
import { type Answer, idIn, type Portal, type ServiceVisit } from '../../frame/index.ts';
import { referenceIn } from '../forms/read.ts';
import { behindIn, pageOf } from '../four-eyes/pager.tsx';
import { proposalPages, readProposals } from '../four-eyes/routes.tsx';
import { type Done, donePage, newPage, type Payable, payoutsPage } from './pages.tsx';
import { payoutTexts } from './texts.ts';

export interface PayoutParts {
  base: Pick<Base, 'sql'>;
  clocks: Clocks;
  fourEyes: {
    limits: { payout: Centavos };
    orderPayout: OrderPayout;
    approvePayout: ApprovePayout;
    reject: Reject;
    makePayoutFile: MakePayoutFile;
    handOverPayoutFile: HandOverPayoutFile;
  };
}

const filesAtOnce = 20;

/** Returns the accounts with available money, except suspended ones. */
async function readPayable({ sql }: PayoutParts['base']): Promise<Payable[]> {
  const [accounts, balances] = await Promise.all([listAccounts(sql), availableBalances(sql)]);
  return accounts.flatMap(({ id, name, state }) => {
    const available = balances.get(id);
    return state !== 'suspended' && available !== undefined && available > 0
      ? [{ id, name, available }]
      : [];
  });
}

/** Serves the form that proposes to pay out everything that accounts have available. */
function proposingPages(portal: Portal, parts: PayoutParts): void {
  async function order(
    visit: ServiceVisit,
    accountId: string,
    reference: string,
  ): Promise<Omit<Done, 'name'>> {
    const { user, actor } = visit;
    try {
      const order = { accountId, amount: null, reference, by: user.id, actor };
      const ordered = await parts.fourEyes.orderPayout(order);
      const { amount } = ordered.outcome === 'proposed' ? ordered.proposal : ordered.payout;
      return { account: accountId, outcome: ordered.outcome, amount, refusal: null };
    } catch (error) {
      // No CBU, suspended, nothing left: these concern only that account.
      if (!(error instanceof Refusal)) throw error;
      return { account: accountId, outcome: 'refused', amount: null, refusal: error };
    }
  }

  async function propose(visit: ServiceVisit): Promise<Answer> {
    const { lang, posted } = visit;
    const texts = payoutTexts[lang];
    const reference = referenceIn(posted.get('reference'));
    const rows = await readPayable(parts.base);
    const chosen = [...new Set(posted.getAll('account'))];
    const faults = [
      reference === null && {
        field: 'reference',
        label: fourEyesTexts[lang].reference,
        text: texts.referenceFault,
      },
      chosen.length === 0 && { field: 'account', label: texts.choose, text: texts.chooseFault },
    ].filter((one) => one !== false);
    if (reference === null || faults.length > 0) {
      return newPage(visit, {
        payable: rows,
        limit: parts.fourEyes.limits.payout,
        reference: posted.get('reference') ?? '',
        chosen,
        faults,
      });
    }
    const names = await accountNames(parts.base.sql, chosen);
    const done: Done[] = [];
    for (const account of chosen) {
      const name = names.get(account) ?? null;
      done.push({ ...(await order(visit, account, reference)), name });
    }
    return donePage(visit, done);
  }

  portal.page({
    act: 'payouts.propose',
    path: '/payouts/new',
    async read(visit) {
      const rows = await readPayable(parts.base);
      return newPage(visit, {
        payable: rows,
        limit: parts.fourEyes.limits.payout,
        reference: `pagos-${parts.clocks.business.today().toString()}`,
        chosen: rows.map(({ id }) => id),
        faults: [],
      });
    },
  });
  portal.form({ act: 'payouts.propose', path: '/payouts/propose', does: propose });
}

/** Serves the payouts of all accounts, from proposal to bank file. */
export function payoutPages(portal: Portal, parts: PayoutParts): void {
  proposalPages(
    portal,
    {
      kind: 'payout',
      path: '/payouts',
      see: 'payouts.see',
      approving: payoutApproving,
      rejecting: payoutRejecting,
      titleOf: ({ lang }, { id }) => payoutTexts[lang].one({ id }),
      upOf: ({ lang }) => payoutTexts[lang].title,
    },
    () => ({
      base: parts.base,
      clocks: parts.clocks,
      approve: parts.fourEyes.approvePayout,
      reject: parts.fourEyes.reject,
    }),
  );
  proposingPages(portal, parts);

  portal.page({
    act: 'payouts.see',
    path: '/payouts',
    async read(visit) {
      const [proposals, open, files] = await Promise.all([
        readProposals(parts.base, 'payout', visit.query),
        openTransfers(parts.base.sql),
        listPayoutFiles(parts.base.sql, {
          behind: behindIn(visit.query, 'files'),
          limit: filesAtOnce + 1,
        }),
      ]);
      const limit = parts.fourEyes.limits.payout;
      const page = pageOf(files, filesAtOnce);
      return payoutsPage(visit, { ...proposals, open, files: page, limit });
    },
  });
  portal.page({
    act: 'payouts.propose',
    path: '/payouts/files/:id',
    async read(visit) {
      const order = { id: idIn(visit), actor: visit.actor };
      const { name, text } = await parts.fourEyes.handOverPayoutFile(order);
      return { file: Buffer.from(text), type: 'text/csv; charset=utf-8', name };
    },
  });
  portal.form({
    act: 'payouts.propose',
    path: '/payouts/files',
    async does(visit) {
      const { posted, actor, lang } = visit;
      const all = posted.get('all') === '1';
      const named = `${payoutTexts[lang].all}-${parts.clocks.business.today()}`;
      const reference = all ? named : (posted.get('reference') ?? '');
      await parts.fourEyes.makePayoutFile({ reference, all, actor });
      return { to: visit.at('/payouts') };
    },
  });
}
