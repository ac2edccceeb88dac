import {
  type CloseBooks,
  holderBalances,
  readJournal,
  readMovements,
  readSideMovements,
  readSideTotal,
  readStatement,
} from '../../money/ledger/index.ts';
import { latestPayouts } from '../../money/payouts/index.ts';
import { dayIn } from '../frame/filters.tsx';
import { type AccountVisit, idIn, type Page, type Portal, portalRefusal } from '../frame/index.ts';
import type { OperationForm } from '../frame/operation.tsx';
import { closePast, periodIn } from '../reports/period.ts';
import { type AskParts, askPages, readPayoutRequests, withdrawalForm } from './ask-routes.ts';
import { journalPage } from './journal.tsx';
import { movementsPage } from './movements.tsx';
import { figureAt, placeIn, rowsAtOnce, sideAt } from './places.ts';
import { sidePage } from './side.tsx';
import { moneyPage, payoutsPage } from './views.tsx';

export interface MoneyParts extends AskParts {
  closeBooks: CloseBooks;
}

const newestPayouts = 5;

/** One row more than a page shows, to detect a next page. */
const oneMore = rowsAtOnce + 1;

/** Serves the account's money: balances, their movements and journals, and payouts. */
export function moneyPages(portal: Portal, parts: MoneyParts): void {
  const { base, clocks, closeBooks } = parts;
  askPages(portal, parts);
  const payoutsOf = ({ account }: AccountVisit, behind: number | null, limit: number) =>
    latestPayouts(base.sql, account.id, { behind, limit });

  /** Returns the balances now, or at the end of a day. */
  const balancesOf = async (accountId: string, until: Temporal.PlainDate | null) =>
    until === null
      ? await holderBalances(base.sql, accountId)
      : (await readStatement(base.sql, accountId, { from: until, to: until })).closing;

  async function show(visit: AccountVisit): Promise<Page> {
    const [balances, payouts, requested] = await Promise.all([
      holderBalances(base.sql, visit.account.id),
      payoutsOf(visit, null, newestPayouts),
      readPayoutRequests({ base, clocks }, visit),
    ]);
    const open = requested.find(({ state }) => state === 'waiting');
    const withdraw = open && (await withdrawing.form(visit, { id: String(open.id) }));
    return moneyPage(visit, { balances, payouts, requested, withdraw });
  }
  const withdrawing: OperationForm<'payouts.make'> = withdrawalForm(portal, parts, show);
  portal.page({ act: 'money.see', path: '/money', read: show });
  portal.page({
    act: 'money.see',
    path: '/money/payouts',
    async read(visit) {
      const place = placeIn(visit.query);
      return payoutsPage(visit, await payoutsOf(visit, place?.id ?? null, oneMore));
    },
  });
  portal.page({
    act: 'money.see',
    path: '/money/journals/:id',
    async read(visit) {
      return journalPage(visit, await readJournal(base.sql, visit.account.id, idIn(visit)));
    },
  });
  portal.page({
    act: 'money.see',
    path: '/money/ledger/:kind/:account',
    async read(visit) {
      const side = sideAt(visit.params.kind, visit.params.account);
      if (side === null) throw portalRefusal('page.not_found', {});
      const today = clocks.business.today();
      const { period } = periodIn(visit.query, today, visit.lang);
      await closePast(closeBooks, today, period.to);
      const of = { ...side, ...period };
      const page = { behind: placeIn(visit.query), limit: oneMore };
      const [total, movements] = await Promise.all([
        readSideTotal(base.sql, visit.account.id, of),
        readSideMovements(base.sql, visit.account.id, of, page),
      ]);
      return sidePage(visit, { side: of, total, movements });
    },
  });
  portal.page({
    act: 'money.see',
    path: '/money/:figure',
    async read(visit) {
      const figure = figureAt(visit.params.figure);
      if (figure === null) throw portalRefusal('page.not_found', {});
      const until = figure === 'available' ? dayIn(visit.query, 'until') : null;
      if (until) await closePast(closeBooks, clocks.business.today(), until);
      const accountId = visit.account.id;
      const page = { behind: placeIn(visit.query), limit: oneMore, ...(until && { until }) };
      const [balances, movements] = await Promise.all([
        balancesOf(accountId, until),
        readMovements(base.sql, accountId, figure, page),
      ]);
      return movementsPage(visit, { figure, balance: balances[figure], until, movements });
    },
  });
}
