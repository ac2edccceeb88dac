import { accountNames, listAccounts } from '../../../accounts/index.ts';
import type { Centavos } from '../../../kernel/money.ts';
import { availableBalances } from '../../../money/ledger/index.ts';
import {
  type ApprovePayout,
  type HandOverPayoutFile,
  listPayoutFiles,
  type MakePayoutFile,
  type OpenTransfers,
  type OrderPayout,
  openTransfers,
  payoutFileMaking,
  payoutFileMakingAll,
  payoutProposing,
} from '../../../money/payouts/index.ts';
import { payoutApproving, payoutRejecting, type Reject } from '../../../money/proposals/index.ts';
import type { Base } from '../../../platform/base.ts';
import type { Clocks } from '../../../platform/clocks.ts';
import { moneyText } from '../../../platform/pages/format.ts';
import { idIn, type Page, type Portal, type ServiceVisit } from '../../frame/index.ts';
import { operationForm, operationPages } from '../../frame/operation.tsx';
import { behindIn, pageOf } from '../four-eyes/pager.tsx';
import { proposalPages, readProposals } from '../four-eyes/routes.tsx';
import { donePage, newPage, payoutsPage } from './pages.tsx';
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

interface Payable {
  id: string;
  name: string;
  available: Centavos;
}

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

/**
 * Serves the form that pays out everything that the chosen accounts have available. Amounts above a
 * limit become proposals.
 */
function proposingPages(portal: Portal, { base, clocks, fourEyes }: PayoutParts): void {
  operationPages(portal, payoutProposing, {
    path: '/payouts/propose',
    on: { path: '/payouts/new', act: 'payouts.propose' },
    verbOf:
      ({ user }) =>
      (order, actor) =>
        fourEyes.orderPayout({ ...order, by: user.id, actor }),
    initial: async () => ({
      reference: `pagos-${clocks.business.today().toString()}`,
      accounts: (await readPayable(base)).map(({ id }) => id).join(','),
    }),
    async choices({ lang }) {
      const { later, now } = payoutTexts[lang];
      const choices = (await readPayable(base)).map(({ id, name, available }) => ({
        value: id,
        label: `${name} (${id}): ${moneyText(lang, available)}`,
        hint: available > fourEyes.limits.payout ? later : now,
      }));
      return { accounts: { groups: [{ name: 'accounts', choices }] } };
    },
    back: ({ at }) => at('/payouts'),
    page: async (visit, form) => newPage(visit, (await readPayable(base)).length > 0 && form),
    async done(visit, rows) {
      const accounts = rows.map(({ account }) => account);
      return donePage(visit, rows, await accountNames(base.sql, accounts));
    },
  });
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

  const on = { path: '/payouts', act: 'payouts.see' } as const;
  const show = async (visit: ServiceVisit): Promise<Page> => {
    const [proposals, open, files] = await Promise.all([
      readProposals(parts.base, 'payout', visit.query),
      openTransfers(parts.base.sql),
      listPayoutFiles(parts.base.sql, {
        behind: behindIn(visit.query, 'files'),
        limit: filesAtOnce + 1,
      }),
    ]);
    const makes = async ({ reference }: OpenTransfers) =>
      [reference, await making.form(visit, { reference })] as const;
    return payoutsPage(visit, {
      ...proposals,
      open,
      forms: new Map(await Promise.all(open.map(makes))),
      all: await makingAll.form(visit),
      files: pageOf(files, filesAtOnce),
      limit: parts.fourEyes.limits.payout,
    });
  };
  const making = operationForm(portal, payoutFileMaking, {
    path: '/payouts/files',
    on,
    brought: ['reference'],
    verbOf: () => parts.fourEyes.makePayoutFile,
    page: show,
  });
  const makingAll = operationForm(portal, payoutFileMakingAll, {
    path: '/payouts/files/all',
    on,
    verbOf:
      ({ lang }) =>
      (order) => {
        const reference = `${payoutTexts[lang].all}-${parts.clocks.business.today()}`;
        return parts.fourEyes.makePayoutFile({ ...order, reference });
      },
    page: show,
  });
  portal.page({ ...on, read: show });
  portal.form({
    act: 'payouts.propose',
    path: '/payouts/files/:id',
    async does(visit) {
      const order = { id: idIn(visit), actor: visit.actor };
      const { name, text } = await parts.fourEyes.handOverPayoutFile(order);
      return { file: Buffer.from(text), type: 'text/csv; charset=utf-8', name };
    },
  });
}
