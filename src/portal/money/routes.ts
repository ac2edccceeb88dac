import { holderBalances, readJournal, readMovements } from '../../money/ledger/index.ts';
import { latestPayouts } from '../../money/payouts/index.ts';
import type { Base } from '../../platform/base.ts';
import { notFound } from '../../platform/errors.ts';
import { type AccountVisit, idIn, type Portal } from '../frame/index.ts';
import { journalPage } from './journal.tsx';
import { movementsPage } from './movements.tsx';
import { figureAt, placeIn, rowsAtOnce } from './places.ts';
import { moneyPage, payoutsPage } from './views.tsx';

export interface MoneyParts {
  base: Pick<Base, 'sql'>;
}

const newestPayouts = 5;

/** One more than is shown, to know whether there is another page. */
const oneMore = rowsAtOnce + 1;

/** An account's money: its balances, what they are made of down to the journal, its payouts. */
export function moneyPages(portal: Portal, { base }: MoneyParts): void {
  const payoutsOf = ({ account }: AccountVisit, behind: number | null, limit: number) =>
    latestPayouts(base.sql, account.id, { behind, limit });

  portal.page({
    act: 'money.see',
    path: '/money',
    async read(visit) {
      const [balances, payouts] = await Promise.all([
        holderBalances(base.sql, visit.account.id),
        payoutsOf(visit, null, newestPayouts),
      ]);
      return moneyPage(visit, { balances, payouts });
    },
  });
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
    path: '/money/:figure',
    async read(visit) {
      const figure = figureAt(visit.params.figure);
      if (figure === null) throw notFound('balance');
      const [balances, movements] = await Promise.all([
        holderBalances(base.sql, visit.account.id),
        readMovements(base.sql, visit.account.id, figure, {
          behind: placeIn(visit.query),
          limit: oneMore,
        }),
      ]);
      return movementsPage(visit, { figure, balance: balances[figure], movements });
    },
  });
}
